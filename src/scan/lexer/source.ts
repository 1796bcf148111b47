import { type Language, SCRIPT } from './languages.ts'
import { lex } from './lexer.ts'
import { OPERATOR, Tokens, WORD } from './tokens.ts'

/** A part of a text with code in markup. */
interface Markup {
  tokens: Tokens
  /** The end of the part. */
  to: number
  language: Language
  /** The index of a mark after another one; -1 if there is none. */
  endOf(mark: string, start: number): number
}

/** Adds the tokens of the code in a part of a text with markup, in linear time for any text. */
function lexMarkup(tokens: Tokens, from: number, to: number, language: Language): void {
  const { text } = tokens
  // Marks without an end, so that no part is searched twice.
  const unclosed = new Set<string>()
  const endOf = (mark: string, start: number) => {
    if (unclosed.has(mark)) return -1
    const end = text.indexOf(mark, start)
    if (end !== -1 && end < to) return end
    unclosed.add(mark)
    return -1
  }
  const marks = /<!--|\{\{--|\{#|\{\/\*|@\*|<%|\{\{|\{%|\{|<(?=[A-Za-z])|@\w+\s*\(/g
  marks.lastIndex = from
  for (let match = marks.exec(text); match && match.index < to; match = marks.exec(text)) {
    marks.lastIndex = lexMarked({ tokens, to, language, endOf }, match[0], match.index)
  }
}

/** Adds the tokens after a mark, and returns where to go on. */
function lexMarked(markup: Markup, mark: string, start: number): number {
  const { tokens, to, language, endOf } = markup
  const { text } = tokens
  const from = start + mark.length
  const comment = language.markup?.find(([open]) => text.startsWith(open, start))
  if (comment) {
    const closing = endOf(comment[1], from)
    if (closing === -1) return from
    const end = closing + comment[1].length
    tokens.comments.push({ start, end })
    return end
  }
  if (mark === '<') return lexTag(markup, start)
  if (mark.startsWith('@')) {
    return lexPart(tokens, start, blockEnd(text, from, to, '(', ')'), language)
  }
  if (mark === '{' || mark === '{#') {
    return lexPart(tokens, from, blockEnd(text, from, to, '{', '}'), language)
  }
  const close = mark === '<%' ? '%>' : mark === '{%' ? '%}' : '}}'
  const end = endOf(close, from)
  if (end === -1) return from
  return lexPart(tokens, mark === '{%' ? start + 1 : from, end, language) + close.length
}

/** Adds the tokens of a tag, and of the script that it begins. */
function lexTag({ tokens, to, endOf }: Markup, start: number): number {
  const { text } = tokens
  const end = tagEnd(text, start + 1, to)
  if (end === -1) return start + 1
  lexPart(tokens, start, end, SCRIPT)
  const name = /^(?:script|style)\b/i.exec(text.slice(start + 1, start + 8))?.[0].toLowerCase()
  if (name === undefined || text[end - 2] === '/') return end
  const close = endOf(`</${name}`, end)
  if (close === -1) return end
  if (name === 'script') lexPart(tokens, end, close, SCRIPT)
  return close
}

// More text than a tag or an expression in a template has.
const MAX_PART = 20_000

/** The index after a tag, whose attributes may contain `>`; -1 for an unterminated one. */
function tagEnd(text: string, from: number, to: number): number {
  const parts = /"[^"]*"|'[^']*'|\{|[<>]/g
  parts.lastIndex = from
  const limit = Math.min(to, from + MAX_PART)
  for (let match = parts.exec(text); match && match.index < limit; match = parts.exec(text)) {
    if (match[0] === '>') return match.index + 1
    if (match[0] === '<') return -1
    if (match[0] === '{') parts.lastIndex = blockEnd(text, match.index + 1, limit, '{', '}')
  }
  return -1
}

/** The index after the bracket that closes a block. */
function blockEnd(text: string, from: number, to: number, open: string, close: string): number {
  const limit = Math.min(to, from + MAX_PART)
  let depth = 1
  for (let index = from; index < limit; index++) {
    if (text[index] === open) depth++
    else if (text[index] === close && --depth === 0) return index + 1
  }
  return limit
}

/** Adds the tokens of a part, and returns its end. */
function lexPart(tokens: Tokens, from: number, to: number, language: Language): number {
  // Separates the part from the one before.
  tokens.add(OPERATOR, from, from)
  lex(tokens, from, to, language)
  return to
}

// Names that can be evaluated in a string.
const EVALUATED = /[\w$?]\s*\(|[*[](?:feature|\w+FeatureFlag)/
const MARKUP = /<[A-Za-z][^]*[={]/

/** Whether a string is code: in an annotation, in an attribute, or as a template. */
function isCode(tokens: Tokens, index: number): boolean {
  const { language } = tokens
  if (language.evaluates) return true
  const before = tokens.textOf(index - 1)
  if (language.markup) return before === '='
  if (before === '(' || before === '=') {
    const opening = before === '(' ? index - 1 : index - 3
    if (tokens.kinds[opening - 1] === WORD && tokens.textOf(opening - 2) === '@') return true
  }
  const start = tokens.startOf(index)
  return MARKUP.test(tokens.text.slice(start, Math.min(tokens.endOf(index), start + MAX_PART)))
}

/** Adds the tokens of the code in strings, and in the attributes of templates that are strings. */
function lexStrings(tokens: Tokens): void {
  const { language } = tokens
  const count = tokens.strings.length
  for (const index of tokens.strings.slice()) lexString(tokens, index, isCode)
  if (language.markup || language.evaluates) return
  const isAttribute = (_: Tokens, index: number) => tokens.textOf(index - 1) === '='
  for (const index of tokens.strings.slice(count)) lexString(tokens, index, isAttribute)
}

function lexString(
  tokens: Tokens,
  index: number,
  isWanted: (tokens: Tokens, index: number) => boolean,
): void {
  const { start, end } = tokens.contentOf(index)
  if (end - start < 3) return
  const part = tokens.text.slice(start, Math.min(end, start + MAX_PART))
  if (!EVALUATED.test(part) || !isWanted(tokens, index)) return
  if (MARKUP.test(part)) lexMarkup(tokens, start, end, SCRIPT)
  else lexPart(tokens, start, end, tokens.language.markup ? SCRIPT : tokens.language)
}

/** The tokens of a file, with those of the code in markup and in strings. */
export function tokenize(text: string, file: string): Tokens {
  const tokens = new Tokens(text, file)
  const { language } = tokens
  if (language.markup) lexMarkup(tokens, 0, text.length, language)
  else lex(tokens, 0, text.length, language)
  lexStrings(tokens)
  return tokens
}
