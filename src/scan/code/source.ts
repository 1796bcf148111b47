import { type Language, languageOf, SCRIPT } from './languages.ts'
import { lex } from './lexer.ts'
import { add, createTokens, OPERATOR, textOf, type Tokens, WORD } from './tokens.ts'

/** The parts of a text with markup that contain code, in linear time for any text. */
function lexMarkup(tokens: Tokens, from: number, to: number, language: Language): void {
  const { text } = tokens
  const marks = /<!--|\{\{--|\{#|\{\/\*|@\*|<%|\{\{|\{%|\{|<(?=[A-Za-z])|@\w+\s*\(/g
  // Marks without an end, so that no part is searched twice.
  const unclosed = new Set<string>()
  const endOf = (mark: string, start: number) => {
    if (unclosed.has(mark)) return -1
    const end = text.indexOf(mark, start)
    if (end !== -1 && end < to) return end
    unclosed.add(mark)
    return -1
  }
  let at = from
  for (;;) {
    marks.lastIndex = at
    const match = marks.exec(text)
    if (!match || match.index >= to) return
    const [mark] = match
    const start = match.index
    at = start + mark.length
    const comment = language.markup?.find(([open]) => text.startsWith(open, start))
    if (comment) {
      const end = endOf(comment[1], at)
      if (end === -1) continue
      at = end + comment[1].length
      tokens.comments.push(start, at)
    } else if (mark === '<') {
      const end = tagEnd(text, at, to)
      if (end === -1) continue
      lexPart(tokens, start, end, SCRIPT)
      at = end
      const name = /^(?:script|style)\b/i.exec(text.slice(start + 1, start + 8))?.[0].toLowerCase()
      if (name === undefined || text[end - 2] === '/') continue
      const close = endOf(`</${name}`, at)
      if (close === -1) continue
      if (name === 'script') lexPart(tokens, at, close, SCRIPT)
      at = close
    } else if (mark.startsWith('@')) {
      const end = blockEnd(text, at, to, '(', ')')
      lexPart(tokens, start, end, language)
      at = end
    } else if (mark === '{' || mark === '{#') {
      const end = blockEnd(text, at, to, '{', '}')
      lexPart(tokens, at, end, language)
      at = end
    } else {
      const close = mark === '<%' ? '%>' : mark === '{%' ? '%}' : '}}'
      const end = endOf(close, at)
      if (end === -1) continue
      lexPart(tokens, mark === '{%' ? start + 1 : at, end, language)
      at = end + close.length
    }
  }
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

function lexPart(tokens: Tokens, from: number, to: number, language: Language): void {
  // Separates the part from the one before.
  add(tokens, OPERATOR, from, from)
  lex(tokens, from, to, language)
}

// Names that can be evaluated in a string.
const EVALUATED = /[\w$?]\s*\(|[*[](?:feature|\w+FeatureFlag)/
const MARKUP = /<[A-Za-z][^]*[={]/

/** Whether a string is code: in an annotation, in an attribute, or as a template. */
function isCode(tokens: Tokens, index: number): boolean {
  const { language, starts, ends } = tokens
  if (language.evaluates) return true
  const before = textOf(tokens, index - 1)
  if (language.markup) return before === '='
  if (before === '(' || before === '=') {
    const opening = before === '(' ? index - 1 : index - 3
    if (tokens.kinds[opening - 1] === WORD && textOf(tokens, opening - 2) === '@') return true
  }
  return MARKUP.test(
    tokens.text.slice(starts[index], Math.min(ends[index] ?? 0, (starts[index] ?? 0) + MAX_PART)),
  )
}

/** Adds the tokens of the code in strings, and in the attributes of templates that are strings. */
function lexStrings(tokens: Tokens): void {
  const { language } = tokens
  const count = tokens.strings.length
  for (const index of tokens.strings.slice()) lexString(tokens, index, isCode)
  if (language.markup || language.evaluates) return
  const isAttribute = (_: Tokens, index: number) => textOf(tokens, index - 1) === '='
  for (const index of tokens.strings.slice(count)) lexString(tokens, index, isAttribute)
}

function lexString(
  tokens: Tokens,
  index: number,
  isWanted: (tokens: Tokens, index: number) => boolean,
): void {
  const { starts, ends, opens, closes, text } = tokens
  const start = (starts[index] ?? 0) + (opens[index] ?? 0)
  const end = (ends[index] ?? 0) - (closes[index] ?? 0)
  if (end - start < 3) return
  const part = text.slice(start, Math.min(end, start + MAX_PART))
  if (!EVALUATED.test(part) || !isWanted(tokens, index)) return
  if (MARKUP.test(part)) lexMarkup(tokens, start, end, SCRIPT)
  else lexPart(tokens, start, end, tokens.language.markup ? SCRIPT : tokens.language)
}

/** The tokens of a file, with those of the code in markup and in strings. */
export function tokenize(text: string, file: string): Tokens {
  const language = languageOf(file)
  const tokens = createTokens(text, language)
  if (language.markup) lexMarkup(tokens, 0, text.length, language)
  else lex(tokens, 0, text.length, language)
  lexStrings(tokens)
  return tokens
}
