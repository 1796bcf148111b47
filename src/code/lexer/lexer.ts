import { isRubyLike, type Language, type Marks } from './languages.ts'
import {
  classAt,
  CLOSING,
  DIGIT,
  expectsOperand,
  isApostrophe,
  isWordPart,
  LETTER,
  Lexing,
  OPENING,
  OTHER,
  SPACE,
} from './lexing.ts'
import { openString, resumeString } from './strings.ts'
import { CLOSE, NUMBER, OPEN, OPERATOR, STRING, type Tokens, WORD } from './tokens.ts'

const OPERATORS = new Set(
  '=> -> :: ?. ?? ?: := == != <= >= || && += -= *= /= |= &= ++ -- ** .. <> |> =~ !~'.split(' '),
)

/** Adds the tokens of a part of the text, in linear time for any text. */
export function lex(tokens: Tokens, from: number, to: number, language: Language): void {
  const lexing = new Lexing(tokens, from, to, language)
  const { text } = tokens
  while (lexing.at < to) {
    const { at } = lexing
    if (skipHole(lexing)) continue
    const kind = classAt(text, at)
    const marks = language.marks[text.charCodeAt(at)]
    if (marks && (skipComment(lexing, marks) || readQuoted(lexing, marks, kind))) continue
    if (kind === SPACE) lexing.at++
    else readToken(lexing, kind)
  }
  for (const { token } of lexing.suspended) {
    tokens.ends[token] = Math.max(tokens.endOf(token), to)
  }
}

/** Skips an expression in markup: a value that is only known at run time. */
function skipHole(lexing: Lexing): boolean {
  const { tokens, at } = lexing
  // In files of PHP without other marks, only those in strings are apart from the code.
  const isApart = tokens.group !== 'php' || tokens.language.markup !== undefined
  const end = isApart ? tokens.holes.get(at) : undefined
  if (end === undefined) return false
  tokens.dynamic.add(tokens.add(STRING, at, end))
  lexing.at = end
  return true
}

/** Reads a string literal. A prefix of its quotation mark must not continue a word. */
function readQuoted(lexing: Lexing, { quotes }: Marks, kind: number): boolean {
  const { tokens, at } = lexing
  if (kind === LETTER && isWordPart(tokens.text, at - 1)) return false
  const quote = quotes.find(({ open }) => tokens.text.startsWith(open, at))
  return quote !== undefined && !isApostrophe(lexing, quote.open) && openString(lexing, quote)
}

function readToken(lexing: Lexing, kind: number): void {
  const { tokens, at, brackets } = lexing
  const { text } = tokens
  if (kind === LETTER || kind === DIGIT) {
    readWord(lexing, kind)
  } else if (kind === OPENING) {
    brackets.push(tokens.add(OPEN, at, at + 1))
    lexing.at++
  } else if (kind === CLOSING) {
    closeBracket(lexing)
  } else if (text[at] !== '/' || !skipRegex(lexing)) {
    const isLong = classAt(text, at + 1) === OTHER && OPERATORS.has(text.slice(at, at + 2))
    const length = isLong ? 2 : 1
    tokens.add(OPERATOR, at, at + length)
    lexing.at += length
  }
}

function readWord(lexing: Lexing, kind: number): void {
  const { tokens, at: start, to, language } = lexing
  const { text } = tokens
  let at = start + 1
  while (at < to && isWordPart(text, at)) at++
  if (kind === LETTER && isRubyLike(language.group) && /[?!]/.test(text[at] ?? '')) {
    if (text[at + 1] !== '=' && text[at + 1] !== '.') at++
  }
  tokens.add(kind === LETTER ? WORD : NUMBER, start, at)
  lexing.at = at
}

function closeBracket(lexing: Lexing): void {
  const { tokens, at, brackets, suspended } = lexing
  const opening = brackets.pop()
  const closing = tokens.add(CLOSE, at, at + 1)
  if (opening !== undefined) {
    tokens.pairs[opening] = closing
    tokens.pairs[closing] = opening
  }
  lexing.at++
  const outer = suspended.at(-1)
  if (!outer || brackets.length > outer.depth) return
  suspended.pop()
  resumeString(lexing, outer)
}

function skipRegex(lexing: Lexing): boolean {
  const { tokens, at, language, unclosed } = lexing
  const { text } = tokens
  if (!language.regexes || lexing.isUnclosed('/') || !expectsOperand(tokens)) return false
  if (text[at + 1] === '>' || text[at + 1] === ' ' || text[at - 1] === '<') return false
  const limit = lexing.lineEnd
  let inClass = false
  for (let index = at + 1; index < limit; index++) {
    const character = text[index]
    if (character === '\\') index++
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '/' && !inClass) {
      tokens.add(NUMBER, at, index + 1)
      lexing.at = index + 1
      return true
    }
  }
  unclosed.set('/', limit)
  return false
}

function skipComment(lexing: Lexing, { lineComments, blockComments }: Marks): boolean {
  const { tokens, at, from, to, unclosed } = lexing
  const { text, comments } = tokens
  for (const mark of lineComments) {
    if (!text.startsWith(mark, at) || !isComment(text, at, mark, from)) continue
    if (mark === '//' && isTextOfTag(lexing)) continue
    lexing.at = commentEnd(lexing)
    comments.push({ start: at, end: lexing.at })
    return true
  }
  for (const [open, close] of blockComments) {
    if (!text.startsWith(open, at) || !isComment(text, at, open, from)) continue
    if (lexing.isUnclosed(open)) continue
    const end = text.indexOf(close, at + open.length)
    if (end !== -1 && end <= to) {
      lexing.at = end + close.length
      comments.push({ start: at, end: lexing.at })
      return true
    }
    unclosed.set(open, to)
  }
  return false
}

/** The end of a comment in a line, which in PHP the end of the code ends, too. */
function commentEnd({ tokens, at, lineEnd, language }: Lexing): number {
  if (language.group !== 'php') return lineEnd
  const end = tokens.text.slice(at, lineEnd).indexOf('?>')
  return end === -1 ? lineEnd : at + end
}

// More text than an element in one line has, and more space before it.
const MAX_TEXT = 300
const MAX_SPACE = 20

/** Whether slashes are text between two tags in a line, as in `<p>// {name}</p>`. */
function isTextOfTag({ tokens, at, lineEnd, language }: Lexing): boolean {
  const last = tokens.kinds.length - 1
  if (language.group !== 'js' || tokens.textOf(last) !== '>') return false
  const { text } = tokens
  const end = tokens.endOf(last)
  if (at > end + MAX_SPACE || !/^[ \t]*$/.test(text.slice(end, at))) return false
  return text.slice(at, Math.min(lineEnd, at + MAX_TEXT)).includes('</')
}

/** Whether a mark begins a comment: not the slashes of a URL, the `#` of `#{`, `#[` or `a#b`, nor `=begin` in a line. */
function isComment(text: string, at: number, mark: string, from: number): boolean {
  if (mark === '//') return at === from || text[at - 1] !== ':'
  if (mark === '=begin') return at === 0 || text[at - 1] === '\n'
  if (mark !== '#') return true
  const next = text[at + 1]
  return next !== '{' && next !== '[' && (at === from || /[\s;)}\]]/.test(text[at - 1] ?? ''))
}
