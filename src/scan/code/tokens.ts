import type { Language, Quote } from './languages.ts'

export const WORD = 1
export const STRING = 2
export const NUMBER = 3
export const OPERATOR = 4
export const OPEN = 5
export const CLOSE = 6

/** The tokens of a text, in the order in which they were added. */
export interface Tokens {
  text: string
  language: Language
  kinds: number[]
  starts: number[]
  ends: number[]
  /** Of a string: the length of its opening and closing marks. */
  opens: number[]
  closes: number[]
  /** Of a bracket: the index of its counterpart, or -1. */
  pairs: number[]
  /** Whether a string has a value that is only known at run time, by the index of the token. */
  dynamic: Set<number>
  /** Where comments start and end. */
  comments: number[]
  /** The bracket that each token is directly in, or -1; filled when it is first needed. */
  parents: Int32Array | undefined
}

export function createTokens(text: string, language: Language): Tokens {
  return {
    text,
    language,
    kinds: [],
    starts: [],
    ends: [],
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
  tokens.opens.push(0)
  tokens.closes.push(0)
  tokens.pairs.push(-1)
  return tokens.kinds.push(kind) - 1
}

/** The source text of a token; empty beyond the ends. */
export function textOf({ text, starts, ends }: Tokens, index: number): string {
  const start = starts[index]
  return start === undefined ? '' : text.slice(start, ends[index])
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

const OTHER = 0
const SPACE = 1
const LETTER = 2
const DIGIT = 3
const OPENING = 4
const CLOSING = 5

const classes = new Uint8Array(128)
const setClass = (characters: string, value: number) => {
  for (const character of characters) classes[character.charCodeAt(0)] = value
}
setClass(' \t\r\n\f\v', SPACE)
setClass('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$', LETTER)
setClass('0123456789', DIGIT)
setClass('([{', OPENING)
setClass(')]}', CLOSING)

function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code < 128 ? (classes[code] ?? OTHER) : LETTER
}

const OPERATORS = new Set(
  '=> -> :: ?. ?? ?: := == != <= >= || && += -= *= /= |= &= ++ -- ** .. <> |> =~ !~'.split(' '),
)

// Words after which an expression begins.
const BEFORE_EXPRESSION =
  /^(?:return|typeof|case|in|of|do|else|await|yield|throw|raise|new|delete|void|and|or|not|if|elsif|unless|when|while|until|puts|default|export|from|import|then)$/

/** A string that contains an expression, and the depth of brackets where it goes on. */
interface Suspended {
  quote: Quote
  token: number
  depth: number
}

// Deeper nesting of expressions in strings is not read.
const MAX_NESTING = 32

/** Adds the tokens of a part of the text, in linear time for any text. */
export function lex(tokens: Tokens, from: number, to: number, language: Language): void {
  const { text, kinds, starts, ends } = tokens
  const { lineComments, blockComments, quotes, group } = language
  const quotesBy = byFirst(quotes.map((quote) => [quote.open, quote] as const))
  const commentsBy = byFirst(lineComments.map((mark) => [mark, mark] as const))
  const blocksBy = byFirst(blockComments.map((block) => [block[0], block] as const))
  const suspended: Suspended[] = []
  const brackets: number[] = []
  // Openings without an end in a line or in the text, so that no part is searched twice.
  const unclosed = new Map<string, number>()
  let at = from

  let lineEnd = -1
  const limitOf = (multiline: boolean) => {
    if (multiline) return to
    if (lineEnd < at) {
      const end = text.indexOf('\n', at)
      lineEnd = end === -1 || end > to ? to : end
    }
    return lineEnd
  }
  const isUnclosed = (mark: string) => (unclosed.get(mark) ?? -1) >= at

  /** Where a string goes on from an index: to its end, or to an expression in it. */
  const readString = (quote: Quote, start: number, token: number): boolean => {
    const { close, escapes, hole, dollar } = quote
    const limit = limitOf(quote.lines)
    const first = close.charCodeAt(0)
    const holeFirst = hole?.[0].charCodeAt(0) ?? -1
    for (let index = start; index < limit; index++) {
      const code = text.charCodeAt(index)
      if (hole && code === holeFirst && text.startsWith(hole[0], index)) {
        if (text.startsWith('{{', index) && hole[0] === '{') {
          index++
          tokens.dynamic.add(token)
          continue
        }
        tokens.dynamic.add(token)
        if (suspended.length === MAX_NESTING) continue
        at = index + hole[0].length
        const opening = add(tokens, OPEN, index, at)
        suspended.push({ quote, token, depth: brackets.length })
        brackets.push(opening)
        return true
      }
      if (escapes && code === 0x5c) {
        index++
        continue
      }
      if (dollar && code === 0x24 && classAt(text, index + 1) === LETTER) tokens.dynamic.add(token)
      if (code !== first || !text.startsWith(close, index)) continue
      if (!escapes && close.length === 1 && text.startsWith(close, index + 1) && group === 'cs') {
        index++
        tokens.dynamic.add(token)
        continue
      }
      at = index + close.length
      ends[token] = at
      tokens.closes[token] = close.length
      return true
    }
    return false
  }

  const openString = (quote: Quote): boolean => {
    const mark = quote.open
    if (isUnclosed(mark)) return false
    const start = at
    const token = add(tokens, STRING, start, start)
    tokens.opens[token] = mark.length
    if (readString(quote, start + mark.length, token)) return true
    pop(tokens)
    tokens.dynamic.delete(token)
    unclosed.set(mark, limitOf(quote.lines))
    return false
  }

  /** Goes on in the string whose expression ends here. */
  const resume = ({ quote, token }: Suspended) => {
    at++
    if (readString(quote, at, token)) return
    // An unterminated string ends with its expression.
    ends[token] = at
  }

  const skipComment = (): boolean => {
    const code = text.charCodeAt(at)
    for (const mark of commentsBy.get(code) ?? []) {
      if (!text.startsWith(mark, at) || !isComment(text, at, mark, from)) continue
      const end = limitOf(false)
      tokens.comments.push(at, end)
      at = end
      return true
    }
    for (const [open, close] of blocksBy.get(code) ?? []) {
      if (!text.startsWith(open, at) || isUnclosed(open)) continue
      const end = text.indexOf(close, at + open.length)
      if (end === -1 || end > to) {
        unclosed.set(open, to)
        continue
      }
      tokens.comments.push(at, end + close.length)
      at = end + close.length
      return true
    }
    return false
  }

  /** Whether an expression can begin after the last token, so that `/` begins a regular expression. */
  const expectsOperand = (): boolean => {
    const last = kinds.length - 1
    const kind = kinds[last]
    if (kind === undefined || kind === OPERATOR || kind === OPEN) return true
    if (kind === WORD) return BEFORE_EXPRESSION.test(textOf(tokens, last))
    return kind === CLOSE && text[starts[last] ?? 0] === '}'
  }

  const skipRegex = (): boolean => {
    if (!language.regexes || isUnclosed('/') || !expectsOperand()) return false
    if (text[at + 1] === '>' || text[at + 1] === ' ' || text[at - 1] === '<') return false
    const limit = limitOf(false)
    let inClass = false
    for (let index = at + 1; index < limit; index++) {
      const character = text[index]
      if (character === '\\') index++
      else if (character === '[') inClass = true
      else if (character === ']') inClass = false
      else if (character === '/' && !inClass) {
        add(tokens, NUMBER, at, index + 1)
        at = index + 1
        return true
      }
    }
    unclosed.set('/', limit)
    return false
  }

  /** Whether a quotation mark belongs to a word or to text, as an apostrophe does. */
  const isApostrophe = (mark: string): boolean => {
    if (mark !== "'" && mark !== '"') return false
    if (group === 'rust' && mark === "'") return text[at + 1] !== '\\' && text[at + 2] !== "'"
    const last = kinds.length - 1
    if (kinds[last] !== WORD || ends[last] !== at) return false
    return !BEFORE_EXPRESSION.test(textOf(tokens, last))
  }

  // A comment that must begin a line may begin the text.
  for (const [open, close] of from === 0 ? blockComments : []) {
    const end = text.indexOf(close)
    if (open.startsWith('\n') && text.startsWith(open.slice(1)) && end !== -1) {
      tokens.comments.push(0, end)
      at = end + close.length
    }
  }

  while (at < to) {
    const kind = classAt(text, at)
    if (kind === SPACE && !(text[at] === '\n' && blocksBy.has(0x0a))) {
      at++
      continue
    }
    if (kind !== LETTER && kind !== DIGIT && skipComment()) continue
    if (kind === SPACE) {
      at++
      continue
    }
    const candidates = quotesBy.get(text.charCodeAt(at))
    if (candidates && isAfterBreak(text, at, kind)) {
      const quote = candidates.find(({ open }) => text.startsWith(open, at))
      if (quote && !isApostrophe(quote.open) && openString(quote)) continue
    }
    if (kind === LETTER) {
      const start = at++
      while (at < to && isWordPart(text, at)) at++
      if ((group === 'ruby' || group === 'elixir') && /[?!]/.test(text[at] ?? '')) {
        if (text[at + 1] !== '=' && text[at + 1] !== '.') at++
      }
      add(tokens, WORD, start, at)
    } else if (kind === DIGIT) {
      const start = at++
      while (at < to && isWordPart(text, at)) at++
      add(tokens, NUMBER, start, at)
    } else if (kind === OPENING) {
      brackets.push(add(tokens, OPEN, at, at + 1))
      at++
    } else if (kind === CLOSING) {
      const opening = brackets.pop()
      const closing = add(tokens, CLOSE, at, at + 1)
      if (opening !== undefined) {
        tokens.pairs[opening] = closing
        tokens.pairs[closing] = opening
      }
      const outer = suspended.at(-1)
      if (outer && brackets.length <= outer.depth) {
        suspended.pop()
        resume(outer)
      } else at++
    } else if (text[at] !== '/' || !skipRegex()) {
      const length = OPERATORS.has(text.slice(at, at + 2)) ? 2 : 1
      add(tokens, OPERATOR, at, at + length)
      at += length
    }
  }
  for (const { token } of suspended) ends[token] = Math.max(ends[token] ?? 0, to)
}

function pop(tokens: Tokens): void {
  const { kinds, starts, ends, opens, closes, pairs } = tokens
  for (const list of [kinds, starts, ends, opens, closes, pairs]) list.pop()
}

function byFirst<T>(pairs: readonly (readonly [string, T])[]): Map<number, T[]> {
  const map = new Map<number, T[]>()
  for (const [mark, value] of pairs) {
    const code = mark.charCodeAt(0)
    map.set(code, [...(map.get(code) ?? []), value])
  }
  return map
}

/** Whether a literal can begin here: its prefix must not continue a word. */
function isAfterBreak(text: string, at: number, kind: number): boolean {
  return kind !== LETTER || !isWordPart(text, at - 1)
}

function isWordPart(text: string, index: number): boolean {
  const kind = classAt(text, index)
  return kind === LETTER || kind === DIGIT
}

/** Whether a mark begins a comment: not the slashes of a URL, nor the `#` of `#{`, `#[` or `a#b`. */
function isComment(text: string, at: number, mark: string, from: number): boolean {
  if (mark === '//') return at === from || text[at - 1] !== ':'
  if (mark !== '#') return true
  const next = text[at + 1]
  return next !== '{' && next !== '[' && (at === from || /[\s;)}\]]/.test(text[at - 1] ?? ''))
}
