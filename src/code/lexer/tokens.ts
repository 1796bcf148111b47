import { createLocator, type FilePosition, ownCopy } from '../files/positions.ts'
import type { Language } from '../languages/language.ts'
import { languageOf } from '../languages/of-file.ts'

export const WORD = 1
export const STRING = 2
export const NUMBER = 3
export const OPERATOR = 4
export const OPEN = 5
export const CLOSE = 6

/** The tokens from `from` up to, and without, `to`. */
export interface Range {
  from: number
  to: number
}

/** A part of the text, up to and without the character at `end`. */
interface Span {
  start: number
  end: number
}

/** The tokens of a text, in the order in which they were added. */
export class Tokens {
  readonly text: string
  readonly file: string
  readonly language: Language
  readonly positionOf: (offset: number) => FilePosition
  readonly kinds: number[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  /** The indexes of the strings. */
  readonly strings: number[] = []
  /** Only of strings: the length of the opening and closing marks. */
  readonly opens: number[] = []
  readonly closes: number[] = []
  /** Only of brackets: the index of the counterpart; without a value if there is none. */
  readonly pairs: number[] = []
  /** Whether a string has a value that is only known at run time, by the index of the token. */
  readonly dynamic = new Set<number>()
  readonly comments: Span[] = []
  /** The bracket that each token is directly in, or -1; filled when it is first needed. */
  #parents: Int32Array | undefined

  constructor(text: string, file: string) {
    this.text = text
    this.file = file
    this.language = languageOf(file)
    this.positionOf = createLocator(text, file)
  }

  add(kind: number, start: number, end: number): number {
    this.starts.push(start)
    this.ends.push(end)
    return this.kinds.push(kind) - 1
  }

  startOf(index: number): number {
    return this.starts[index] ?? 0
  }

  endOf(index: number): number {
    return this.ends[index] ?? 0
  }

  /** The counterpart of a bracket; -1 without one, and for other tokens. */
  pairOf(index: number): number {
    return this.pairs[index] ?? -1
  }

  /** The bracket that a token is directly in; -1 outside brackets. */
  parentOf(index: number): number {
    this.#parents ??= parentsOf(this)
    return this.#parents[index] ?? -1
  }

  /** The source text of a token; empty beyond the ends. */
  textOf(index: number): string {
    const start = this.starts[index]
    return start === undefined ? '' : this.text.slice(start, this.ends[index])
  }

  /** The source text of a range. */
  textIn({ from, to }: Range): string {
    return this.text.slice(this.starts[from], this.ends[to - 1])
  }

  /** Where the content of a string is in the text. */
  contentOf(index: number): Span {
    const start = this.startOf(index) + (this.opens[index] ?? 0)
    return { start, end: this.endOf(index) - (this.closes[index] ?? 0) }
  }

  /** A word without the sigil of a variable. */
  wordOf(index: number): string {
    const word = this.textOf(index)
    const { sigil } = this.language
    return sigil !== undefined && word.startsWith(sigil) ? word.slice(sigil.length) : word
  }

  /** A word as `wordOf`, or the content of a string. */
  nameOf(index: number): string {
    if (this.kinds[index] !== STRING) return this.wordOf(index)
    const { start, end } = this.contentOf(index)
    return this.text.slice(start, end)
  }

  /** A copy of a word. */
  ownWord(index: number): string {
    return ownCopy(this.wordOf(index))
  }

  /** The first token of the name that a member belongs to. */
  startOfPath(index: number): number {
    let at = index
    while (this.isAccess(at - 1) && this.kinds[at - 2] === WORD) at -= 2
    return at
  }

  /** Whether a token joins a member to what has it. */
  isAccess(index: number): boolean {
    return /^(?:\.|\?\.|::|->)$/.test(this.textOf(index))
  }

  /** Whether a line break separates a token from the one before. */
  isNewLine(index: number): boolean {
    if (index <= 0) return true
    const start = this.startOf(index)
    for (let at = this.endOf(index - 1); at < start; at++) {
      if (this.text.charCodeAt(at) === 0x0a) return true
    }
    return false
  }

  /** The tokens in a pair of brackets; undefined if it is not closed. */
  inside(opening: number): Range | undefined {
    const closing = this.pairOf(opening)
    return closing > opening ? { from: opening + 1, to: closing } : undefined
  }

  /** The index after a token, or after the bracket that it opens. */
  after(index: number): number {
    return Math.max(index, this.pairOf(index)) + 1
  }

  /** The first token in a range, outside brackets in it, that passes a test; -1 if there is none. */
  find({ from, to }: Range, test: (index: number) => boolean): number {
    for (let index = from; index < to; index = this.after(index)) if (test(index)) return index
    return -1
  }

  /** The parts between commas, without empty ones. */
  splitAtCommas({ from, to }: Range): Range[] {
    const parts: Range[] = []
    let start = from
    for (let index = from; index < to; index = this.after(index)) {
      if (this.textOf(index) !== ',') continue
      if (index > start) parts.push({ from: start, to: index })
      start = index + 1
    }
    if (to > start) parts.push({ from: start, to })
    return parts
  }

  /** The parts between commas in a pair of brackets; none if it is not closed. */
  itemsIn(opening: number): Range[] {
    const content = this.inside(opening)
    return content ? this.splitAtCommas(content) : []
  }

  /** The end of the expression that begins at an index: a comma, a semicolon, a bracket or a line break. */
  expressionEnd(from: number, limit = 200): number {
    let index = from
    const last = Math.min(this.kinds.length, from + limit)
    while (index < last && this.kinds[index] !== CLOSE) {
      const text = this.textOf(index)
      if (text === ',' || text === ';') break
      if (index > from && this.isNewLine(index) && !continues(this, index)) break
      index = this.after(index)
    }
    return Math.min(index, this.kinds.length)
  }
}

function parentsOf({ kinds, pairs }: Tokens): Int32Array {
  const parents = new Int32Array(kinds.length)
  const stack: number[] = []
  for (let index = 0; index < kinds.length; index++) {
    if (kinds[index] === CLOSE && pairs[index] === stack.at(-1)) stack.pop()
    parents[index] = stack.at(-1) ?? -1
    if (kinds[index] === OPEN && (pairs[index] ?? -1) > index) stack.push(index)
  }
  return parents
}

/** Whether an expression goes on in the next line. */
function continues(tokens: Tokens, index: number): boolean {
  const isBinary = (at: number) =>
    /^(?:[-+.?:|&=<]|\?\.|::|->|\?\?|\|\||\?:|<>|:=)$/.test(tokens.textOf(at))
  return isBinary(index) || isBinary(index - 1)
}
