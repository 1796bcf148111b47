import { OPEN, type Range, STRING, type Tokens, WORD } from '../lexer/tokens.ts'
import { type FilePosition, ownCopy } from '../files/positions.ts'

/** An expression, as far as its value can be read from source code. */
export type Expression =
  | Literal
  /** A name, or a member of a name: `FeatureToggle.NEW_UI`. */
  | { kind: 'name'; path: readonly string[] }
  /** Texts joined to one. */
  | { kind: 'join'; parts: readonly Expression[] }
  /** One of several values, as with `?:`; or all values of a list. */
  | { kind: 'choice'; parts: readonly Expression[] }
  | { kind: 'unknown' }

/** A text and where its first character is. */
interface Literal extends FilePosition {
  kind: 'literal'
  value: string
  offset: number
}

export const UNKNOWN: Expression = { kind: 'unknown' }

export function literalAt({ positionOf }: Tokens, offset: number, value: string): Literal {
  return { kind: 'literal', value: ownCopy(value), offset, ...positionOf(offset) }
}

/** The value of a string literal; undefined when it is only known at run time, or has several lines. */
export function literalOf(tokens: Tokens, index: number): Literal | undefined {
  if (tokens.kinds[index] !== STRING || tokens.dynamic.has(index)) return undefined
  const { start, end } = tokens.contentOf(index)
  const body = tokens.text.slice(start, end)
  const mark = tokens.text.slice(tokens.startOf(index), start)
  if (body.includes('\n')) return undefined
  if (!body.includes('\\') || /[@rR#]/.test(mark)) return literalAt(tokens, start, body)
  // Only these escapes have the same meaning in all languages.
  const quote = mark.slice(-1)
  const rest = body.replaceAll('\\\\', '').replaceAll(`\\${quote}`, '')
  return rest.includes('\\') ? undefined : literalAt(tokens, start, body.replace(/\\(.)/g, '$1'))
}

/** A word as a literal, for members whose name is their value. */
export function wordLiteral(tokens: Tokens, index: number): Literal {
  return literalAt(tokens, tokens.startOf(index), tokens.textOf(index))
}

/** Parses the tokens in a range. */
type Parse = (from: number, to: number) => Expression

// Deeper nesting is not read, to bound the work on hostile text.
const MAX_DEPTH = 16

const CASTS = /^(?:as|satisfies|is)$/
// Functions that make a text of a value.
const CONVERTERS = /^(?:string|String|str|to_string|atom|Symbol|encodeURIComponent)$/
export const NOTHING = /^(?:undefined|null|None|nil|NULL|nullptr)$/
const PREFIXES = /^(?:await|new|const|mut|typeof|inout|static)$/

/** The index of an operator outside brackets; -1 if there is none. */
function indexOf(tokens: Tokens, range: Range, pattern: RegExp): number {
  return tokens.find(range, (index) => pattern.test(tokens.textOf(index)))
}

export function parseExpression(tokens: Tokens, range: Range, depth = 0): Expression {
  if (depth > MAX_DEPTH) return UNKNOWN
  const { from, to } = trim(tokens, range)
  if (from >= to) return UNKNOWN
  const parse = (start: number, end: number) =>
    parseExpression(tokens, { from: start, to: end }, depth + 1)
  return (
    parseChoice(tokens, { from, to }, parse) ??
    parseJoin(tokens, { from, to }, parse) ??
    parsePrimary(tokens, { from, to }, parse)
  )
}

/** Leaves out prefixes, casts, and `.freeze` of Ruby. */
function trim(tokens: Tokens, range: Range): Range {
  let { from, to } = range
  while (from < to) {
    const text = tokens.textOf(from)
    if (/^[&*@]$/.test(text) || (PREFIXES.test(text) && from + 1 < to)) from++
    else if (tokens.textOf(to - 1) === '!' && from + 1 < to) to--
    else if (tokens.language.hasSymbols && tokens.textOf(to - 1) === 'freeze') to -= 2
    else break
  }
  const cast = indexOf(tokens, { from, to }, CASTS)
  return { from, to: cast > from ? cast : to }
}

function parseChoice(tokens: Tokens, { from, to }: Range, parse: Parse): Expression | undefined {
  const choice = (...parts: Expression[]) => ({ kind: 'choice' as const, parts })
  const question = indexOf(tokens, { from, to }, /^\?$/)
  if (question > from) {
    const colon = indexOf(tokens, { from: question + 1, to }, /^:$/)
    if (colon !== -1) return choice(parse(question + 1, colon), parse(colon + 1, to))
  }
  const fallback = indexOf(tokens, { from, to }, /^(?:\?\?|\|\||\?:)$/)
  if (fallback > from) return choice(parse(from, fallback), parse(fallback + 1, to))
  return undefined
}

function parseJoin(tokens: Tokens, { from, to }: Range, parse: Parse): Expression | undefined {
  const { join = '+' } = tokens.language
  const parts: Expression[] = []
  let start = from
  for (let index = from; index < to; index = tokens.after(index)) {
    if (index === start || tokens.textOf(index) !== join) continue
    parts.push(parse(start, index))
    start = index + 1
  }
  if (parts.length === 0) return undefined
  return { kind: 'join', parts: [...parts, parse(start, to)] }
}

function parsePrimary(tokens: Tokens, { from, to }: Range, parse: Parse): Expression {
  const { kinds, pairs } = tokens
  if (pairs[from] === to - 1) {
    if (tokens.textOf(from) === '(') return parse(from + 1, to - 1)
    if (tokens.textOf(from) !== '[') return UNKNOWN
    const items = tokens.itemsIn(from)
    return { kind: 'choice', parts: items.map((item) => parse(item.from, item.to)) }
  }
  const symbol = symbolAt(tokens, from)
  if (symbol) return to === from + 2 ? symbol : UNKNOWN
  if (tokens.dynamic.has(from)) return parseTemplate(tokens, from, to, parse)
  const literal = literalOf(tokens, from)
  if (literal) return to === from + 1 ? literal : UNKNOWN
  // A member of a type that is known from elsewhere: `.newUi`.
  if (tokens.textOf(from) === '.' && kinds[from + 1] === WORD) {
    const path = pathIn(tokens, { from: from + 1, to })
    return path ? { kind: 'name', path: ['.', ...path] } : UNKNOWN
  }
  if (kinds[from] !== WORD) return UNKNOWN
  const word = tokens.textOf(from)
  if (to === from + 1 && NOTHING.test(word)) return literalAt(tokens, tokens.startOf(from), '')
  const isCall = pairs[from + 1] === to - 1
  if (isCall && CONVERTERS.test(word)) return parse(from + 2, to - 1)
  // The last word is the text, in C#.
  if (isCall && word === 'nameof') return wordLiteral(tokens, to - 2)
  // The result of a function, which may have a text for each case.
  if (isCall && tokens.textOf(from + 1) === '(') {
    return { kind: 'name', path: [`${tokens.ownWord(from)}()`] }
  }
  const path = pathIn(tokens, { from, to })
  return path ? { kind: 'name', path } : UNKNOWN
}

/** A symbol such as `:name`, which is two tokens. */
function symbolAt(tokens: Tokens, index: number): Literal | undefined {
  if (tokens.textOf(index) !== ':' || !tokens.language.hasSymbols) return undefined
  if (tokens.starts[index + 1] !== tokens.ends[index]) return
  const isWord = tokens.kinds[index + 1] === WORD
  return isWord ? wordLiteral(tokens, index + 1) : literalOf(tokens, index + 1)
}

function skipEmptyCall(tokens: Tokens, index: number, to: number): number {
  return index < to && tokens.pairOf(index) === index + 1 ? index + 2 : index
}

// More members than a constant has.
const MAX_PATH = 8

/** The words of a name with members, also called without arguments: `Toggle.NEW_UI.getName()`. */
function pathIn(tokens: Tokens, { from, to }: Range): string[] | undefined {
  const path = [tokens.ownWord(from)]
  let index = from + 1
  while (index < to) {
    const access = tokens.textOf(index)
    if (access === '!') {
      index++
      continue
    }
    if (tokens.kinds[index] === OPEN) {
      const key = access === '[' ? keyAt(tokens, index) : undefined
      if (key === undefined) return undefined
      path.push(key)
      index = tokens.after(index)
    } else {
      if (!tokens.isAccess(index) || tokens.kinds[index + 1] !== WORD) return undefined
      path.push(tokens.ownWord(index + 1))
      index = skipEmptyCall(tokens, index + 2, to)
    }
    if (path.length > MAX_PATH) return undefined
  }
  return path
}

/** The key in brackets: `['new-ui']`, `[:new_ui]`. */
function keyAt(tokens: Tokens, opening: number): string | undefined {
  const range = tokens.inside(opening)
  if (!range) return undefined
  const { from, to } = range
  if (to === from + 1) return literalOf(tokens, from)?.value
  return to === from + 2 ? symbolAt(tokens, from)?.value : undefined
}

// In a string that can have values, `$name` is one.
const VARIABLE = /\$([A-Za-z_]\w*)/

/**
 * A string with expressions in it as texts that are joined: `${PREFIX}.new-ui`, `"$PREFIX.new-ui"`.
 * @param to the token after the string and its expressions
 */
function parseTemplate(tokens: Tokens, index: number, to: number, parse: Parse): Expression {
  const parts: Expression[] = []
  const content = tokens.contentOf(index)
  let start = content.start
  for (let at = index + 1; at < to; at = tokens.after(at)) {
    const hole = tokens.inside(at)
    if (!hole) return UNKNOWN
    parts.push(...textsIn(tokens, start, tokens.startOf(at)), parse(hole.from, hole.to))
    start = tokens.endOf(hole.to)
  }
  // A string that ends before its expressions is part of a larger one.
  if (start > content.end) return UNKNOWN
  return { kind: 'join', parts: [...parts, ...textsIn(tokens, start, content.end)] }
}

/** The texts and variables between expressions. */
function textsIn(tokens: Tokens, start: number, end: number): Expression[] {
  const part = tokens.text.slice(start, end)
  if (/\\|\{\{|\}\}/.test(part)) return [UNKNOWN]
  const hasVariables = tokens.language.quotes.some(({ dollar }) => dollar)
  const pieces = hasVariables ? part.split(VARIABLE) : [part]
  return pieces.flatMap((piece, index): Expression[] => {
    if (piece === '') return []
    return index % 2 === 1
      ? [{ kind: 'name', path: [ownCopy(piece)] }]
      : [literalAt(tokens, start, piece)]
  })
}
