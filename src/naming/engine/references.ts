import { legalCharacters } from '../../input/flag-names.ts'
import {
  type Branch,
  type CharacterPart,
  type Element,
  elementsOf,
  type GroupPart,
  type ReferencePart,
  type SyntaxTree,
} from './elements.ts'
import { shortText } from './cost/texts.ts'

const nowhere = { start: 0, end: 0, least: 0 }

function setOf(characters: string): CharacterPart {
  return { ...nowhere, type: 'character', characters }
}

function groupOf(...branches: readonly (readonly Element[])[]): GroupPart {
  const parts = branches.map((elements): Branch => ({ ...nowhere, elements: [...elements] }))
  return { ...nowhere, type: 'group', branches: parts }
}

/** The text of a back-reference of whose group nothing is known. */
export const anyText: Element = {
  ...nowhere,
  type: 'repeat',
  element: setOf(legalCharacters),
  min: 0,
  max: Infinity,
  lazy: false,
}

function sampleOf(element: Element): GroupPart {
  return groupOf(Array.from(shortText(element), setOf))
}

// The text that other elements match depends on what surrounds them.
const plainTypes: readonly Element['type'][] = ['character', 'group', 'repeat']

function isPlain({ branches }: GroupPart): boolean {
  return elementsOf(branches).every(({ type }) => plainTypes.includes(type))
}

/** Where the capturing groups start that back-references refer to. */
function referencedGroups(branches: readonly Branch[]): Set<number> {
  return new Set(
    elementsOf(branches).flatMap((element) =>
      element.type === 'reference' ? (element.group ?? []) : [],
    ),
  )
}

/** Sets the text of each back-reference: an element that matches at least what the back-reference can match. */
export function resolveReferences({ branches }: SyntaxTree): void {
  const closed = new Map<number, GroupPart>()
  // Only these groups are tracked, because a pattern may have thousands of others.
  const referenced = referencedGroups(branches)

  /** @param matched the groups that have matched whenever the engine gets here */
  function textOf({ group }: ReferencePart, matched: ReadonlySet<number>): Element {
    if (group === undefined) return anyText
    const found = closed.get(group)
    if (!found || !isPlain(found)) return anyText
    const text: Element = { ...found, least: 0 }
    // A reference to a group that has not matched matches the empty text.
    return matched.has(group) ? text : groupOf([text], [])
  }

  function visitAll(branches: readonly Branch[], before: ReadonlySet<number>): ReadonlySet<number> {
    const [first = before, ...others] = branches.map(({ elements }) =>
      elements.reduce((matched, element) => visit(element, matched), before),
    )
    if (others.length === 0) return first
    return new Set([...first].filter((group) => others.every((it) => it.has(group))))
  }

  /** Returns the groups that have matched after an element. */
  function visit(element: Element, matched: ReadonlySet<number>): ReadonlySet<number> {
    switch (element.type) {
      case 'reference':
        element.text = textOf(element, matched)
        return matched
      case 'repeat': {
        const after = visit(element.element, matched)
        return element.min > 0 ? after : matched
      }
      case 'group': {
        const after = visitAll(element.branches, matched)
        if (element.capture === undefined) return after
        closed.set(element.capture, element)
        return referenced.has(element.capture) ? new Set([...after, element.capture]) : after
      }
      case 'look': {
        // The engine matches the elements of a look-behind from the last to the first.
        const { behind, branches } = element
        if (!behind) visitAll(branches, matched)
        else for (const { elements } of branches) for (const it of elements) visit(it, matched)
        return matched
      }
      default:
        return matched
    }
  }

  visitAll(branches, new Set())
}

/**
 * The replacement of back-references: `most` matches every name that the expression matches, `least` only
 * such names, and `likely` often such names.
 */
type Substitute = 'most' | 'least' | 'likely'

/** The expression without back-references, which no automaton can express. */
export function withoutReferences(syntax: SyntaxTree, reading: Substitute): SyntaxTree {
  const referenced = referencedGroups(syntax.branches)

  function readAll(branches: readonly Branch[], reading: Substitute): Branch[] {
    return branches.map((branch) => ({
      ...branch,
      elements: branch.elements.map((element) => read(element, reading)),
    }))
  }

  function read(element: Element, reading: Substitute): Element {
    switch (element.type) {
      case 'reference':
        if (reading === 'most') return element.text
        return reading === 'least' ? setOf('') : sampleOf(element.text)
      case 'repeat':
        return { ...element, element: read(element.element, reading) }
      case 'group': {
        const isSample = reading === 'likely' && referenced.has(element.capture ?? -1)
        return isSample
          ? sampleOf(element)
          : { ...element, branches: readAll(element.branches, reading) }
      }
      case 'look': {
        const opposite = reading === 'most' ? 'least' : 'most'
        const inner = element.negate && reading !== 'likely' ? opposite : reading
        return { ...element, branches: readAll(element.branches, inner) }
      }
      default:
        return element
    }
  }

  const hasReferences = elementsOf(syntax.branches).some(({ type }) => type === 'reference')
  return hasReferences ? { ...syntax, branches: readAll(syntax.branches, reading) } : syntax
}
