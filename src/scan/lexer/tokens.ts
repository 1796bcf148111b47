import { createLocator, type FilePosition } from '../code/positions.ts'
import { type Language, languageOf } from './languages.ts'

export const WORD = 1
export const STRING = 2
export const NUMBER = 3
export const OPERATOR = 4
export const OPEN = 5
export const CLOSE = 6

/** The tokens of a text, in the order in which they were added. */
export interface Tokens {
  text: string
  file: string
  language: Language
  positionOf: (offset: number) => FilePosition
  kinds: number[]
  starts: number[]
  ends: number[]
  /** The indexes of the strings. */
  strings: number[]
  /** Only of strings: the length of the opening and closing marks. */
  opens: number[]
  closes: number[]
  /** Only of brackets: the index of the counterpart; without a value if there is none. */
  pairs: number[]
  /** Whether a string has a value that is only known at run time, by the index of the token. */
  dynamic: Set<number>
  /** Where comments start and end. */
  comments: number[]
  /** The bracket that each token is directly in, or -1; filled when it is first needed. */
  parents: Int32Array | undefined
}

export function createTokens(text: string, file: string): Tokens {
  return {
    text,
    file,
    language: languageOf(file),
    positionOf: createLocator(text, file),
    kinds: [],
    starts: [],
    ends: [],
    strings: [],
    opens: [],
    closes: [],
    pairs: [],
    dynamic: new Set(),
    comments: [],
    parents: undefined,
  }
}

/** The bracket that a token is directly in; undefined outside brackets. */
export function parentOf(tokens: Tokens, index: number): number | undefined {
  tokens.parents ??= parentsOf(tokens)
  const parent = tokens.parents[index] ?? -1
  return parent === -1 ? undefined : parent
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

export function add(tokens: Tokens, kind: number, start: number, end: number): number {
  tokens.starts.push(start)
  tokens.ends.push(end)
  return tokens.kinds.push(kind) - 1
}

/** The source text of a token; empty beyond the ends. */
export function textOf({ text, starts, ends }: Tokens, index: number): string {
  const start = starts[index]
  return start === undefined ? '' : text.slice(start, ends[index])
}

/** Whether a token joins a member to what has it. */
export function isAccess(tokens: Tokens, index: number): boolean {
  return /^(?:\.|\?\.|::|->)$/.test(textOf(tokens, index))
}

/** Whether a line break separates two tokens. */
export function isNewLine({ text, starts, ends }: Tokens, index: number): boolean {
  if (index <= 0) return true
  const start = starts[index] ?? 0
  for (let at = ends[index - 1] ?? 0; at < start; at++) {
    if (text.charCodeAt(at) === 0x0a) return true
  }
  return false
}

/** Removes the token that was added last. */
export function removeLast({ kinds, starts, ends }: Tokens): void {
  for (const list of [kinds, starts, ends]) list.pop()
}

/** The index after a token, or after the bracket that it opens. */
export function after({ kinds, pairs }: Tokens, index: number): number {
  const pair = kinds[index] === OPEN ? (pairs[index] ?? -1) : -1
  return pair > index ? pair + 1 : index + 1
}

/** The end of the expression that begins at an index: a comma, a semicolon, a bracket or a line break. */
export function expressionEnd(tokens: Tokens, from: number, limit = 200): number {
  let index = from
  const last = Math.min(tokens.kinds.length, from + limit)
  while (index < last && tokens.kinds[index] !== CLOSE) {
    const text = textOf(tokens, index)
    if (tokens.kinds[index] === OPERATOR && (text === ',' || text === ';')) break
    if (index > from && isNewLine(tokens, index) && !continues(tokens, index)) break
    index = after(tokens, index)
  }
  return Math.min(index, tokens.kinds.length)
}

/** Whether an expression goes on in the next line. */
function continues(tokens: Tokens, index: number): boolean {
  const isBinary = (at: number) =>
    tokens.kinds[at] === OPERATOR &&
    /^(?:[-+.?:|&=<]|\?\.|::|->|\?\?|\|\||\?:|<>|:=)$/.test(textOf(tokens, at))
  return isBinary(index) || isBinary(index - 1)
}
