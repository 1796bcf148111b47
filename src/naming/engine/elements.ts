/** The position of a part of an expression, and the fewest characters that it matches. */
interface Part {
  start: number
  end: number
  least: number
}

export type Anchor = 'start' | 'end' | 'word' | 'no word'

export interface CharacterPart extends Part {
  type: 'character'
  /** The legal characters that it matches. */
  characters: string
  /** The source text, if it spells out one character rather than a class. */
  literal?: string
}

export interface GroupPart extends Part {
  type: 'group'
  branches: Branch[]
  /** Where it starts, if it is a capturing group. */
  capture?: number
}

export interface LookPart extends Part {
  type: 'look'
  branches: Branch[]
  behind: boolean
  negate: boolean
}

interface AnchorPart extends Part {
  type: 'anchor'
  anchor: Anchor
}

export interface RepeatPart extends Part {
  type: 'repeat'
  element: Element
  min: number
  max: number
  lazy: boolean
}

export interface ReferencePart extends Part {
  type: 'reference'
  /** Where the capturing group starts; undefined if it is not the only one, or if its text may change its case. */
  group: number | undefined
  /** Matches at least the texts that the reference can match. */
  text: Element
}

export type Element = CharacterPart | GroupPart | LookPart | AnchorPart | RepeatPart | ReferencePart

export interface Branch extends Part {
  elements: Element[]
}

export interface SyntaxTree {
  /** The fewest characters that it matches. */
  least: number
  branches: Branch[]
}

/** Every element of an expression, in the order in which they start, outer ones first. */
export function elementsOf(branches: readonly Branch[]): Element[] {
  const found: Element[] = []
  const open = branches.flatMap(({ elements }) => elements).reverse()
  for (let element = open.pop(); element; element = open.pop()) {
    found.push(element)
    if (element.type === 'repeat') open.push(element.element)
    if (!('branches' in element)) continue
    for (const next of element.branches.flatMap(({ elements }) => elements).reverse())
      open.push(next)
  }
  return found
}

/** The anchors at the start or the end of a branch, including those inside groups. */
export function outerAnchors({ elements }: Branch, edge: 'start' | 'end'): AnchorPart[] {
  const found: AnchorPart[] = []
  for (const element of edge === 'start' ? elements : elements.toReversed()) {
    if (element.type === 'anchor' && element.anchor === edge) {
      found.push(element)
      continue
    }
    if (element.type === 'group') {
      for (const inner of element.branches) found.push(...outerAnchors(inner, edge))
    }
    break
  }
  return found
}

/** The text without these parts, which must not overlap. */
export function withoutParts(
  text: string,
  parts: readonly { start: number; end: number }[],
): string {
  const pieces: string[] = []
  let copied = 0
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(copied, start))
    copied = Math.max(copied, end)
  }
  return pieces.join('') + text.slice(copied)
}

/** The most readable of some characters in the order of `legalCharacters`: a small letter or the first one. */
export function readableIn(characters: string): string {
  return (/[a-z]/.exec(characters) ?? characters)[0] ?? ''
}
