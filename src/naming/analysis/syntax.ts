import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { LEGAL_CHARACTERS } from '../../input/flag-names.ts'
import { isStackOverflow } from '../../timed.ts'
import { ruleSource } from '../rule.ts'
import { Undecided } from './budget.ts'

/**
 * The syntax tree of the regular expression that the service builds from a pattern.
 * @throws Undecided if the parser does not know the syntax
 */
export function parsePattern(pattern: string): AST.Pattern {
  const source = ruleSource(pattern)
  try {
    const parser = new RegExpParser({ ecmaVersion: 2025 })
    return parser.parsePattern(source, 0, source.length, { unicode: false })
  } catch (error) {
    if (isStackOverflow(error)) throw error
    throw new Undecided('its syntax is unknown', { cause: error })
  }
}

function hexEscape(value: number): string {
  return `\\u${value.toString(16).padStart(4, '0')}`
}

export function modified(flags: string, { modifiers }: AST.Group): string {
  if (modifiers?.add.ignoreCase) return 'i'
  return modifiers?.remove?.ignoreCase ? '' : flags
}

/** The flags of a node, which those of the groups around it change. */
export function flagsAt({ parent }: AST.Node): string {
  if (!parent) return ''
  const outer = flagsAt(parent)
  return parent.type === 'Group' ? modified(outer, parent) : outer
}

/** The source of an element that matches one character, on its own. */
export function characterSource(element: AST.Element): string {
  // The raw text of an octal escape may mean a back-reference elsewhere.
  return element.type === 'Character' ? hexEscape(element.value) : element.raw
}

/** The legal characters that an element matches which matches one character. */
export function legalMatches(element: AST.Element): string {
  return (LEGAL_CHARACTERS.match(new RegExp(characterSource(element), 'g')) ?? []).join('')
}

/** The first character outside classes that no name can contain. */
export function illegalLiteral(tree: AST.Node): string | undefined {
  const characters: string[] = []
  visitRegExpAST(tree, {
    onCharacterEnter({ value, parent }) {
      const character = String.fromCodePoint(value)
      const isLiteral = parent.type === 'Alternative' || parent.type === 'Quantifier'
      if (isLiteral && !LEGAL_CHARACTERS.includes(character)) characters.push(character)
    },
  })
  return characters[0]
}

/** The anchors at the start or the end of a branch, including those in groups. */
export function outerAnchors({ elements }: AST.Alternative, kind: 'start' | 'end'): AST.Element[] {
  const anchors: AST.Element[] = []
  for (const element of kind === 'start' ? elements : elements.toReversed()) {
    if (element.type === 'Assertion' && element.kind === kind) {
      anchors.push(element)
      continue
    }
    if (element.type === 'Group' || element.type === 'CapturingGroup') {
      for (const inner of element.alternatives) anchors.push(...outerAnchors(inner, kind))
    }
    break
  }
  return anchors
}

/** A text without these parts, which must not overlap. */
export function withoutParts(text: string, parts: readonly AST.Element[]): string {
  const last = parts.toSorted((a, b) => b.start - a.start)
  return last.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
}
