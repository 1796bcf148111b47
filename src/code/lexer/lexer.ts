import type { Language, Quote } from '../languages/language.ts'
import { type Marks, marksOf } from '../languages/of-file.ts'
import { CLOSE, NUMBER, OPEN, OPERATOR, STRING, Tokens, WORD } from './tokens.ts'

const TOKEN =
  /\s+|[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w$]*|=>|->|::|\?[.?:]|:=|[=!<>]=|\|\||&&|[-+*/|&]=|\+\+|--|\*\*|\.\.|\|>|[=!]~|[^]/y
// After these words, `/` begins a regular expression, and an apostrophe a string.
const BEFORE_OPERAND =
  /^(?:return|typeof|case|in|of|do|else|await|yield|throw|raise|new|delete|void|and|or|not|if|elsif|unless|when|while|until|puts|default|export|from|import|then)$/
const REGEX = /\/(?![*/> ])(?:\\.|\[(?:\\.|[^\\\]\n])*\]|[^\\/[\n])+\//y

const SPACE = 0
/** The kinds of the tokens that begin with the characters of ASCII. */
const KINDS = Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)))

function kindOf(first: string): number {
  if (/\s/.test(first)) return SPACE
  if (/[\w$\u0080-\uffff]/.test(first)) return /\d/.test(first) ? NUMBER : WORD
  if ('([{'.includes(first)) return OPEN
  return ')]}'.includes(first) ? CLOSE : OPERATOR
}

// More characters than a regular expression has.
const MAX_REGEX = 1_000
// Deeper nesting of expressions in strings is not read.
const MAX_NESTING = 32

// A script in markup, and the code that a file of Astro begins with.
const SCRIPTS = /<script\b[^<>]*>|^---\r?\n/gim

/** Adds the tokens of a part. */
function lexPart(tokens: Tokens, from: number, to: number, language: Language): void {
  // Separates the part from the one before.
  tokens.add(OPERATOR, from, from)
  lex(tokens, from, to, language)
}

/** Adds the tokens of markup, with those of the scripts in it and of the code in its attributes. */
function lexMarkup(tokens: Tokens, scripts: Language): void {
  const { text, language } = tokens
  let from = 0
  SCRIPTS.lastIndex = 0
  for (let match = SCRIPTS.exec(text); match; match = SCRIPTS.exec(text)) {
    const start = SCRIPTS.lastIndex
    const end = text.indexOf(match[0].startsWith('<') ? '</script' : '\n---', start - 1)
    if (end === -1) break
    lexPart(tokens, from, start, language)
    lexPart(tokens, start, end, scripts)
    SCRIPTS.lastIndex = end + 4
    from = end + 4
  }
  lexPart(tokens, from, text.length, language)
  for (const index of tokens.strings.slice()) {
    const { start, end } = tokens.contentOf(index)
    const isCode = tokens.textOf(index).startsWith('=') && text.slice(start, end).includes('(')
    const code = language.family === scripts.family ? scripts : language
    if (isCode) lexPart(tokens, start, end, code)
  }
}

/** The tokens of a file. In markup, those of the code in attributes come last. */
export function tokenize(text: string, file: string): Tokens {
  const tokens = new Tokens(text, file)
  const { scripts } = tokens.language
  if (scripts) lexMarkup(tokens, scripts)
  else lex(tokens, 0, text.length, tokens.language)
  return tokens
}

/** Adds the tokens of a part of the text, in linear time for any text. */
function lex(tokens: Tokens, from: number, to: number, language: Language): void {
  new Lexer(tokens, from, to, language).read(false)
}

// More marks than a level has.
const MAX_LEVEL = 32

/** The quote that begins at an index, with as many marks of its level as the text has there. */
function quoteAt(quotes: readonly Quote[], text: string, at: number): Quote | undefined {
  for (const quote of quotes) {
    const { open, close, level } = quote
    if (level === undefined) {
      if (text.startsWith(open, at)) return quote
      continue
    }
    const [head = '', tail = ''] = open.split(level)
    if (!text.startsWith(head, at)) continue
    const start = at + head.length
    let count = 0
    while (count < MAX_LEVEL && text[start + count] === level) count++
    if (count === 0 || !text.startsWith(tail, start + count)) continue
    const marks = level.repeat(count)
    return { ...quote, open: head + marks + tail, close: close.replace(level, marks) }
  }
  return undefined
}

/**
 * Reads a text from left to right. What its next character can begin is tried in order: a comment, a string, a regular
 * expression, and otherwise a token, so that no quotation mark in a comment counts. An expression in a string is read by
 * `read` again, until the bracket that closes it. An opening that has no end is noted in `#unclosed` and not tried again,
 * which keeps the time linear for any text.
 */
class Lexer {
  readonly #tokens: Tokens
  readonly #text: string
  readonly #language: Language
  readonly #marks: readonly Marks[]
  readonly #from: number
  readonly #to: number
  #at: number
  /** How many strings the current expression is in. */
  #nesting = 0
  /** The brackets that are open. */
  readonly #brackets: number[] = []
  /** Openings without an end in a line or in the text, so that no part is searched twice. */
  readonly #unclosed = new Map<string, number>()
  /** The end of a line that was looked up last. */
  #lastLineEnd = -1

  constructor(tokens: Tokens, from: number, to: number, language: Language) {
    this.#tokens = tokens
    this.#text = tokens.text
    this.#language = language
    this.#marks = marksOf(language)
    this.#from = from
    this.#to = to
    this.#at = from
  }

  /** Reads up to the end or, in a string, to the bracket that closes an expression. */
  read(isInString: boolean): void {
    const depth = this.#brackets.length
    while (this.#at < this.#to) {
      const marks = this.#marks[this.#text.charCodeAt(this.#at)]
      if (marks && (this.#skipComment(marks) || this.#readQuoted(marks))) continue
      if (this.#skipRegex()) continue
      const isClosing = this.#readToken()
      if (isClosing && isInString && this.#brackets.length < depth) return
    }
  }

  /** Reads another token, and returns whether it is a closing bracket. */
  #readToken(): boolean {
    const start = this.#at
    TOKEN.lastIndex = start
    TOKEN.test(this.#text)
    let end = Math.min(this.#to, TOKEN.lastIndex)
    const kind = KINDS[this.#text.charCodeAt(start)] ?? kindOf(this.#text.charAt(start))
    if (kind === WORD && this.#language.hasMarkedWords) {
      // `enabled?`, but not `a ?b : c` or `a!=b`.
      if (/^[?!](?![=.])/.test(this.#text.slice(end, end + 2))) end++
    }
    this.#at = end
    if (kind === SPACE) return false
    const token = this.#tokens.add(kind, start, end)
    if (kind === OPEN) this.#brackets.push(token)
    if (kind === CLOSE) this.#closeBracket(token)
    return kind === CLOSE
  }

  #closeBracket(closing: number): void {
    const opening = this.#brackets.pop()
    if (opening === undefined) return
    this.#tokens.pairs[opening] = closing
    this.#tokens.pairs[closing] = opening
  }

  /** The end of the current line. */
  get #lineEnd(): number {
    if (this.#lastLineEnd < this.#at) {
      const end = this.#text.indexOf('\n', this.#at)
      this.#lastLineEnd = end === -1 || end > this.#to ? this.#to : end
    }
    return this.#lastLineEnd
  }

  /** Whether an opening is known to have no end after the current position. */
  #isUnclosed(open: string): boolean {
    return (this.#unclosed.get(open) ?? -1) >= this.#at
  }

  /** Whether an expression can begin after the last token, so that `/` begins a regular expression. */
  #expectsOperand(): boolean {
    const last = this.#tokens.kinds.length - 1
    const kind = this.#tokens.kinds[last]
    if (kind === undefined || kind === OPERATOR || kind === OPEN) return true
    const text = this.#tokens.textOf(last)
    return text === '}' || BEFORE_OPERAND.test(text)
  }

  #skipRegex(): boolean {
    const start = this.#at
    if (this.#text[start] !== '/' || !this.#language.hasRegexes || this.#isUnclosed('/'))
      return false
    if (this.#text[start - 1] === '<' || !this.#expectsOperand()) return false
    const limit = Math.min(this.#lineEnd, start + MAX_REGEX)
    REGEX.lastIndex = 0
    const [regex] = REGEX.exec(this.#text.slice(start, limit)) ?? []
    if (regex === undefined) {
      this.#unclosed.set('/', limit)
      return false
    }
    this.#at += regex.length
    this.#tokens.add(NUMBER, start, this.#at)
    return true
  }

  #skipComment({ lineComments, blockComments }: Marks): boolean {
    const start = this.#at
    // The mark of a block may begin with that of a line.
    for (const { open, close, atLineStart } of blockComments) {
      if (!this.#text.startsWith(open, start) || this.#isUnclosed(open)) continue
      if (atLineStart && start > 0 && this.#text[start - 1] !== '\n') continue
      const end = this.#text.indexOf(close, start + open.length)
      if (end !== -1 && end <= this.#to) {
        this.#at = end + close.length
        this.#tokens.comments.push({ start, end: this.#at })
        return true
      }
      this.#unclosed.set(open, this.#to)
    }
    for (const mark of lineComments) {
      if (!this.#text.startsWith(mark, start) || !this.#isComment(mark)) continue
      const { codeEnd } = this.#language
      const end = codeEnd === undefined ? -1 : this.#text.indexOf(codeEnd, start)
      this.#at = end !== -1 && end < this.#lineEnd ? end : this.#lineEnd
      this.#tokens.comments.push({ start, end: this.#at })
      return true
    }
    return false
  }

  /** Whether a mark begins a comment: not the slashes of a URL, nor the `#` of `#{`, `#[` or `a#b`. */
  #isComment(mark: string): boolean {
    const before = this.#at === this.#from ? '' : (this.#text[this.#at - 1] ?? '')
    if (mark === '//') return before !== ':'
    const next = this.#text[this.#at + 1]
    return next !== '{' && next !== '[' && /^[\s;)}\]]?$/.test(before)
  }

  #readQuoted({ quotes }: Marks): boolean {
    const quote = quoteAt(quotes, this.#text, this.#at)
    if (!quote || this.#isApostrophe(quote.open) || this.#isUnclosed(quote.open)) return false
    return this.#readString(quote)
  }

  /** Whether a quotation mark belongs to a word or to text, as an apostrophe does, and not to the argument of `isOn"x"`. */
  #isApostrophe(mark: string): boolean {
    if (mark !== "'" && (mark !== '"' || this.#language.hasCommands)) return false
    const { kinds, ends } = this.#tokens
    const last = kinds.length - 1
    const follows = kinds[last] === WORD && ends[last] === this.#at
    return follows && !BEFORE_OPERAND.test(this.#tokens.textOf(last))
  }

  /** Reads a string, with the expressions in it; false if it does not end. */
  #readString(quote: Quote): boolean {
    const { open, close, escapes, lines, hole, dollar } = quote
    const { dynamic, kinds, starts, ends } = this.#tokens
    const text = this.#text
    const start = this.#at
    const token = this.#tokens.add(STRING, start, start)
    this.#tokens.opens[token] = open.length
    let limit = lines ? this.#to : this.#lineEnd
    for (let index = start + open.length; index < limit; index++) {
      if (hole && text.startsWith(hole, index)) {
        dynamic.add(token)
        // `{{` is a brace, not an expression.
        if (hole === '{' && text[index + 1] === '{') {
          index++
        } else if (this.#nesting < MAX_NESTING) {
          this.#readHole(index, index + hole.length)
          index = this.#at - 1
          limit = lines ? this.#to : this.#lineEnd
        }
      } else if (escapes && text[index] === '\\') {
        index++
      } else if (dollar && text[index] === '$' && /\w/.test(text[index + 1] ?? '')) {
        dynamic.add(token)
      } else if (text.startsWith(close, index)) {
        this.#at = index + close.length
        this.#tokens.ends[token] = this.#at
        this.#tokens.closes[token] = close.length
        this.#tokens.strings.push(token)
        return true
      }
    }
    if (token < kinds.length - 1) {
      // An unterminated string ends with its last expression.
      this.#tokens.ends[token] = this.#at
      return true
    }
    for (const list of [kinds, starts, ends]) list.pop()
    dynamic.delete(token)
    this.#unclosed.set(open, limit)
    return false
  }

  /** Reads an expression in a string. */
  #readHole(start: number, from: number): void {
    this.#brackets.push(this.#tokens.add(OPEN, start, from))
    this.#at = from
    this.#nesting++
    this.read(true)
    this.#nesting--
  }
}
