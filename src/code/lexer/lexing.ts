import type { Language, Quote } from './languages.ts'
import { OPEN, OPERATOR, type Tokens, WORD } from './tokens.ts'

export const OTHER = 0
export const SPACE = 1
export const LETTER = 2
export const DIGIT = 3
export const OPENING = 4
export const CLOSING = 5

const classes = new Uint8Array(128)
const setClass = (characters: string, value: number) => {
  for (const character of characters) classes[character.charCodeAt(0)] = value
}
setClass(' \t\r\n\f\v', SPACE)
setClass('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$', LETTER)
setClass('0123456789', DIGIT)
setClass('([{', OPENING)
setClass(')]}', CLOSING)

export function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code < 128 ? (classes[code] ?? OTHER) : LETTER
}

export function isWordPart(text: string, index: number): boolean {
  const kind = classAt(text, index)
  return kind === LETTER || kind === DIGIT
}

/** A string that contains an expression, and the depth of brackets where it goes on. */
export interface Suspended {
  quote: Quote
  token: number
  depth: number
}

/** The state of reading a part of a text. */
export class Lexing {
  readonly tokens: Tokens
  readonly language: Language
  readonly from: number
  readonly to: number
  at: number
  readonly suspended: Suspended[] = []
  /** The brackets that are open. */
  readonly brackets: number[] = []
  /** Openings without an end in a line or in the text, so that no part is searched twice. */
  readonly unclosed = new Map<string, number>()
  /** The end of a line that was looked up last. */
  #lineEnd = -1

  constructor(tokens: Tokens, from: number, to: number, language: Language) {
    this.tokens = tokens
    this.language = language
    this.from = from
    this.to = to
    this.at = from
  }

  /** The end of the current line. */
  get lineEnd(): number {
    if (this.#lineEnd < this.at) {
      const end = this.tokens.text.indexOf('\n', this.at)
      this.#lineEnd = end === -1 || end > this.to ? this.to : end
    }
    return this.#lineEnd
  }

  /** Whether an opening is known to have no end after the current position. */
  isUnclosed(open: string): boolean {
    return (this.unclosed.get(open) ?? -1) >= this.at
  }
}

// After these words, `/` begins a regular expression, and an apostrophe a string.
const BEFORE_OPERAND =
  /^(?:return|typeof|case|in|of|do|else|await|yield|throw|raise|new|delete|void|and|or|not|if|elsif|unless|when|while|until|puts|default|export|from|import|then)$/

/** Whether an expression can begin after the last token, so that `/` begins a regular expression. */
export function expectsOperand(tokens: Tokens): boolean {
  const last = tokens.kinds.length - 1
  const kind = tokens.kinds[last]
  if (kind === undefined || kind === OPERATOR || kind === OPEN) return true
  const text = tokens.textOf(last)
  return text === '}' || BEFORE_OPERAND.test(text)
}

/** Whether a quotation mark belongs to a word or to text, as an apostrophe does. */
export function isApostrophe({ tokens, language, at }: Lexing, mark: string): boolean {
  if (mark !== "'" && mark !== '"') return false
  const { text, kinds, ends } = tokens
  if (language.group === 'rust' && mark === "'") {
    return text[at + 1] !== '\\' && text[at + 2] !== "'"
  }
  const last = kinds.length - 1
  if (kinds[last] !== WORD || ends[last] !== at) return false
  return !BEFORE_OPERAND.test(tokens.textOf(last))
}
