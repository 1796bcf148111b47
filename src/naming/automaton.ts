import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import {
  type CharSet,
  type Concatenation,
  type Element,
  JS,
  NFA,
  type NoParent,
  type Unknown,
} from 'refa'
import { legal, legalOrMarker, marker, maxCharacter } from './alphabet.ts'
import { wellAnchored, withoutMarkers } from './anchors.ts'
import { maxNameLength } from './legal.ts'
import { OutOfReach } from './limit.ts'

/** How to take what no automaton can express: give up, or accept more than the expression does. */
export type Reading = 'exact' | 'wider'

export const nodeLimit = 10_000
const backReference = 'back-reference'

export function nodes(): NFA.LimitedNodeFactory {
  return new NFA.LimitedNodeFactory(nodeLimit)
}

function sequence(...elements: NoParent<Element>[]): NoParent<Concatenation> {
  return { type: 'Concatenation', elements }
}

function anything(characters: CharSet): NoParent<Element> {
  const alternatives = [sequence({ type: 'CharacterClass', characters })]
  return { type: 'Quantifier', alternatives, min: 0, max: Infinity, lazy: false }
}

function adaptUnknown({ id }: NoParent<Unknown>, reading: Reading): NoParent<Element> {
  const characters = marker(id)
  if (characters) return { type: 'CharacterClass', characters }
  const isBackReference = id === backReference
  if (reading === 'exact') {
    throw new OutOfReach(isBackReference ? 'it uses a back-reference' : 'it uses a look-around')
  }
  return isBackReference
    ? anything(legalOrMarker)
    : { type: 'Alternation', alternatives: [sequence()] }
}

/** The same element over legal characters, with anchors turned into markers. */
function adaptElement(element: NoParent<Element>, reading: Reading): NoParent<Element> {
  switch (element.type) {
    case 'CharacterClass':
      return { ...element, characters: element.characters.intersect(legal) }
    case 'Alternation':
      return { ...element, alternatives: adapt(element.alternatives, reading) }
    case 'Quantifier': {
      // No name is longer, and a round that consumes nothing adds nothing: higher counts are all the same.
      const min = Math.min(element.min, maxNameLength + 1)
      const max = element.max > maxNameLength ? Infinity : element.max
      return { ...element, min, max, alternatives: adapt(element.alternatives, reading) }
    }
    case 'Unknown':
      return adaptUnknown(element, reading)
    case 'Assertion':
      throw new OutOfReach('it uses a look-around')
  }
}

function adapt(
  alternatives: NoParent<Concatenation>[],
  reading: Reading,
): NoParent<Concatenation>[] {
  return alternatives.map(({ elements }) =>
    sequence(...elements.map((element) => adaptElement(element, reading))),
  )
}

function anchorName(element: AST.Assertion): string {
  return element.kind === 'word' && element.negate ? 'no word' : element.kind
}

function parse(source: string): NoParent<Concatenation>[] {
  const parser = JS.Parser.fromLiteral({ source, flags: '' })
  visitRegExpAST(parser.ast.pattern, {
    onModifiersEnter() {
      throw new OutOfReach('it changes flags inside of the pattern')
    },
  })
  const { expression } = parser.parse({
    assertions: 'unknown',
    backreferences: 'unknown',
    maxBackreferenceWords: 0,
    maxNodes: nodeLimit,
    getUnknownId: (element) =>
      element.type === 'Backreference' ? backReference : anchorName(element),
  })
  return expression.alternatives
}

/**
 * The automaton of the strings of legal characters in which a regular expression without flags finds a match.
 * Counts are exact for strings that are no longer than a name may be.
 */
export function automatonOf(source: string, reading: Reading): NFA {
  const alternatives = adapt(parse(source), reading)
  const somewhere = sequence(
    anything(legalOrMarker),
    { type: 'Alternation', alternatives },
    anything(legalOrMarker),
  )
  const marked = NFA.fromRegex(somewhere, { maxCharacter }, {}, nodes())
  const anchored = NFA.fromTransitionIterator(wellAnchored, { maxCharacter })
  return withoutMarkers(NFA.fromIntersection(marked, anchored, nodes()), nodes())
}
