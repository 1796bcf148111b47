import type { Language, Quote } from './languages.ts'
import { CLOSE, OPEN, OPERATOR, textOf, type Tokens, WORD } from './tokens.ts'

/** A string that contains an expression, and the depth of brackets where it goes on. */
export interface Suspended {
  quote: Quote
  token: number
  depth: number
}

/** How far a part of a text was read. */
export interface Lexing {
  tokens: Tokens
  language: Language
  from: number
  to: number
  at: number
  suspended: Suspended[]
  /** The brackets that are open. */
  brackets: number[]
  /** Openings without an end in a line or in the text, so that no part is searched twice. */
  unclosed: Map<string, number>
  /** The end of a line that was looked up last. */
  lineEnd: number
}

export function createLexing(tokens: Tokens, from: number, to: number, language: Language): Lexing {
  return {
    tokens,
    language,
    from,
    to,
    at: from,
    suspended: [],
    brackets: [],
    unclosed: new Map(),
    lineEnd: -1,
  }
}

/** The end of the current line. */
export function lineLimit(lexing: Lexing): number {
  const { tokens, at, to } = lexing
  if (lexing.lineEnd < at) {
    const end = tokens.text.indexOf('\n', at)
    lexing.lineEnd = end === -1 || end > to ? to : end
  }
  return lexing.lineEnd
}

// Words after which an expression begins.
const BEFORE_EXPRESSION =
  /^(?:return|typeof|case|in|of|do|else|await|yield|throw|raise|new|delete|void|and|or|not|if|elsif|unless|when|while|until|puts|default|export|from|import|then)$/

/** Whether an expression can begin after the last token, so that `/` begins a regular expression. */
export function expectsOperand(tokens: Tokens): boolean {
  const last = tokens.kinds.length - 1
  const kind = tokens.kinds[last]
  if (kind === undefined || kind === OPERATOR || kind === OPEN) return true
  if (kind === WORD) return BEFORE_EXPRESSION.test(textOf(tokens, last))
  return kind === CLOSE && tokens.text[tokens.starts[last] ?? 0] === '}'
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
  return !BEFORE_EXPRESSION.test(textOf(tokens, last))
}
