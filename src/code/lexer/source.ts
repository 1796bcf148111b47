import { countWhile } from '../positions.ts'
import { type Language, languageOf, SCRIPT } from './languages.ts'
import { lex } from './lexer.ts'
import { atEnd, blockEnd, CLOSINGS, type Hole, Markup, MAX_PART, phpHoles } from './markup.ts'
import { OPERATOR, Tokens, WORD } from './tokens.ts'

/** Adds the tokens of the code in a part of a text with markup, in linear time for any text. */
function lexMarkup(tokens: Tokens, from: number, to: number, language: Language): void {
  const markup = new Markup(tokens, from, to, language)
  const marks =
    /<!--|\{\{--|\{#|\{\/\*|@\*|<%|<\?|\{\{|\{%|\{|<(?=[A-Za-z])|@(?=[\w(])|else\s+if\s*\((?<=\}\s*else\s+if\s*\()/g
  marks.lastIndex = from
  const { text } = tokens
  for (let match = marks.exec(text); match && match.index < to; match = marks.exec(text)) {
    const { 0: mark, index } = match
    marks.lastIndex = tokens.holes.get(index) ?? lexMarked(markup, mark, index)
  }
}

/** Adds the tokens after a mark, and returns where to go on. */
function lexMarked(markup: Markup, mark: string, start: number): number {
  const { tokens, to, language } = markup
  const { text } = tokens
  const from = start + mark.length
  const limit = Math.min(to, from + MAX_PART)
  const comment = language.markup?.find(([open]) => text.startsWith(open, start))
  if (comment) {
    const closing = markup.endOf(comment[1], from)
    if (closing === -1) return from
    const end = closing + comment[1].length
    tokens.comments.push({ start, end })
    return end
  }
  if (mark === '<') return lexTag(markup, start)
  if (mark === '@') {
    const close = isPhpBlock(markup, start) ? markup.endOf('@endphp', from) : -1
    if (close !== -1) return lexPart(tokens, from, close, language)
    const end = atEnd(text, start, limit, language)
    return end === -1 ? from : lexPart(tokens, start, end, language)
  }
  if (mark.startsWith('else')) {
    return lexPart(tokens, start, blockEnd(text, from, limit, '(', ')'), language)
  }
  if (mark === '{' || mark === '{#') {
    return lexAround(markup, from, blockEnd(text, from, limit, '{', '}'), language)
  }
  const close = CLOSINGS[mark] ?? '}}'
  const end = markup.endOf(close, from)
  // In most files, `<?` is a declaration of XML.
  if (end === -1 || (mark === '<?' && !language.expressions?.includes(mark))) return from
  return lexPart(tokens, mark === '{%' ? start + 1 : from, end, language) + close.length
}

/** Whether a block of PHP in Blade begins, not `@php($a = 1)`. */
function isPhpBlock({ tokens, language }: Markup, start: number): boolean {
  return language.group === 'php' && /^@php\s$/.test(tokens.text.slice(start, start + 5))
}

/** Adds the tokens of a tag, and of the script that it begins. */
function lexTag(markup: Markup, start: number): number {
  const { text } = markup.tokens
  const { end, holes } = readTag(markup, start + 1)
  if (end === -1) return start + 1
  lexAround(markup, start, end, SCRIPT, holes)
  const name = /^(?:script|style|template)\b/i.exec(text.slice(start + 1, start + 10))?.[0]
  if (name === undefined || text[end - 2] === '/') return end
  const kind = name.toLowerCase()
  const isPug = /\slang\s*=\s*["']?pug\b/.test(text.slice(start, end))
  if (kind === 'template' && !isPug) return end
  const close = markup.endOf(`</${name}`, end)
  if (close === -1) return end
  const holesInside = markup.holesIn(end, close)
  if (kind === 'style') lexHoles(markup, holesInside)
  else lexAround(markup, end, close, SCRIPT, holesInside)
  return close
}

/**
 * Finds the expressions in a tag, whose attributes may contain `>`.
 * @returns the index after the tag; -1 for an unterminated one
 */
function readTag(markup: Markup, from: number): { end: number; holes: Hole[] } {
  const { tokens, to, language } = markup
  const { text } = tokens
  const holes: Hole[] = []
  const parts = /["'<>{@$#]/g
  parts.lastIndex = from
  const limit = Math.min(to, from + MAX_PART)
  for (let match = parts.exec(text); match && match.index < limit; match = parts.exec(text)) {
    const { 0: mark, index } = match
    const hole = mark === '{' && language.group === 'js' ? undefined : markup.holeAt(index)
    if (hole) {
      holes.push(hole)
      parts.lastIndex = hole.end
    } else if (mark === '>') return { end: index + 1, holes }
    else if (mark === '<') break
    else if (mark === '{') {
      const end = blockEnd(text, index + 1, limit, '{', '}')
      if (language.group !== 'js') holes.push({ start: index, from: index + 1, to: end - 1, end })
      parts.lastIndex = end
    } else if (mark === '"' || mark === "'") {
      parts.lastIndex = readValue(markup, mark, index + 1, holes)
    }
  }
  return { end: -1, holes }
}

/** Finds the expressions in the value of an attribute, and returns the index after it. */
function readValue(markup: Markup, quote: string, from: number, holes: Hole[]): number {
  const inside: Hole[] = []
  let at = from
  for (;;) {
    const end = markup.endOf(quote, at)
    // An unterminated value is none.
    if (end === -1) return from
    const found = markup.holesIn(at, end, false)
    for (const hole of found) inside.push(hole)
    at = found.at(-1)?.end ?? at
    if (at <= end) break
  }
  for (const hole of inside) holes.push(hole)
  return markup.endOf(quote, at) + 1
}

/** Adds the tokens of code, and then those of the expressions in it. */
function lexAround(
  markup: Markup,
  from: number,
  to: number,
  language: Language,
  holes = markup.holesIn(from, to),
): number {
  const { tokens } = markup
  for (const { start, end } of holes) tokens.holes.set(start, end)
  const count = tokens.comments.length
  lexPart(tokens, from, to, language)
  const comments = language === SCRIPT ? [] : tokens.comments.slice(count)
  const isInComment = ({ start }: Hole) =>
    (comments[countWhile(comments, (one) => one.start <= start) - 1]?.end ?? 0) > start
  lexHoles(
    markup,
    holes.filter((hole) => !isInComment(hole)),
  )
  return to
}

/** Adds the tokens of expressions. */
function lexHoles({ tokens, language }: Markup, holes: readonly Hole[]): void {
  for (const { start, end, from, to } of holes) {
    if (from === end) tokens.comments.push({ start, end })
    else lexPart(tokens, from, to, language)
  }
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

const HEEX = languageOf('a.heex')
// The expressions of most templates that are strings are JavaScript.
const TEMPLATE = languageOf('a.vue')

/** Whether a string is a template of Phoenix or Surface: `~H"""`, `~F"""`. */
function isTemplate(tokens: Tokens, index: number): boolean {
  if (tokens.group !== 'elixir' || tokens.textOf(index - 2) !== '~') return false
  return /^[HLEF]$/.test(tokens.textOf(index - 1))
}

/** Adds the tokens of the code in strings, and in the attributes of templates that are strings. */
function lexStrings(tokens: Tokens): void {
  const { language } = tokens
  const count = tokens.strings.length
  for (const index of tokens.strings.slice()) {
    const { start, end } = tokens.contentOf(index)
    if (isTemplate(tokens, index)) lexMarkup(tokens, start, end, HEEX)
    else lexString(tokens, index, isCode)
  }
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
  if (MARKUP.test(part)) lexMarkup(tokens, start, end, TEMPLATE)
  else lexPart(tokens, start, end, tokens.language.markup ? SCRIPT : tokens.language)
}

const FRONT_MATTER = /^\s*---\r?\n/

/** Adds the tokens of the script that a file of Astro begins with, and returns where to go on. */
function lexFrontMatter(tokens: Tokens): number {
  const { text, file } = tokens
  const [opening] = (file.endsWith('.astro') && FRONT_MATTER.exec(text)) || []
  const end = opening === undefined ? -1 : text.indexOf('\n---', opening.length - 1)
  return end === -1 ? 0 : lexPart(tokens, opening?.length ?? 0, end, SCRIPT)
}

/** Adds the tokens of PHP and HTML, and then those of the code in attributes, which are strings. */
function lexPhp(tokens: Tokens): void {
  const { text, language, strings } = tokens
  const holes = phpHoles(tokens)
  for (const { start, end } of holes) tokens.holes.set(start, end)
  lex(tokens, 0, text.length, language)
  const own = strings.slice()
  for (const { start, end, from, to } of holes) {
    const string = own[countWhile(own, (index) => tokens.startOf(index) < start) - 1]
    if (string !== undefined && tokens.endOf(string) >= end) lexPart(tokens, from, to, language)
  }
}

/** The tokens of a file, with those of the code in markup and in strings. */
export function tokenize(text: string, file: string): Tokens {
  const tokens = new Tokens(text, file)
  const { language } = tokens
  if (language.markup) lexMarkup(tokens, lexFrontMatter(tokens), text.length, language)
  else if (language.group === 'php') lexPhp(tokens)
  else lex(tokens, 0, text.length, language)
  lexStrings(tokens)
  return tokens
}
