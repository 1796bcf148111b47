import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp'

type Edge = 'start' | 'end'

/** @throws RangeError when the expression is nested too deeply */
export function parseSource(source: string): AST.Pattern {
  return new RegExpParser().parsePattern(source, 0, source.length, { unicode: false })
}

const editions = [2025, 2024] as const

/** Where a source stops being a regular expression of an edition, from 0. */
function errorIndexIn(ecmaVersion: (typeof editions)[number], source: string): number | undefined {
  try {
    new RegExpParser({ ecmaVersion }).parsePattern(source, 0, source.length, { unicode: false })
    return undefined
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : undefined
  }
}

/** Where a source stops being a regular expression, from 0; undefined when that cannot be told. */
export function errorIndex(source: string): number | undefined {
  // An engine may know less than the newest edition.
  return editions
    .map((edition) => errorIndexIn(edition, source))
    .find((index) => index !== undefined)
}

/** Whether a source is a regular expression since the newest edition only, which old engines do not know. */
export function isNew(source: string): boolean {
  const [newest, older] = editions.map((edition) => errorIndexIn(edition, source))
  return newest === undefined && older !== undefined
}

/** The anchors of one kind with which a sequence starts, or ends, whatever it matches; also those inside of groups. */
export function outerAnchors({ elements }: AST.Alternative, edge: Edge): AST.Assertion[] {
  const found: AST.Assertion[] = []
  for (const element of edge === 'start' ? elements : elements.toReversed()) {
    if (element.type === 'Assertion' && element.kind === edge) {
      found.push(element)
      continue
    }
    if (element.type === 'Group' || element.type === 'CapturingGroup') {
      found.push(...element.alternatives.flatMap((inner) => outerAnchors(inner, edge)))
    }
    break
  }
  return found
}

/** Whether a node is a part of a character class. */
export function isInClass({ parent }: AST.Character | AST.CharacterSet): boolean {
  return parent.type !== 'Alternative' && parent.type !== 'Quantifier'
}

/** The text without these parts of it. */
export function withoutParts(
  text: string,
  parts: readonly { start: number; end: number }[],
): string {
  let rest = text
  for (const { start, end } of [...parts].sort((a, b) => b.start - a.start)) {
    rest = rest.slice(0, start) + rest.slice(end)
  }
  return rest
}
