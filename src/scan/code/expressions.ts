import {
  type Expression,
  type Literal,
  literalAt,
  literalOf,
  UNKNOWN,
  wordLiteral,
} from './literals.ts'
import type { Group } from '../lexer/languages.ts'
import { ownCopy } from './positions.ts'
import { type Parse, parseTemplate } from './templates.ts'
import { OPEN, OPERATOR, STRING, type Tokens, WORD } from '../lexer/tokens.ts'

/** The tokens from `from` up to, and without, `to`. */
export interface Range {
  from: number
  to: number
}

// Deeper nesting is not read, to bound the work on hostile text.
const MAX_DEPTH = 16

/** The parts between commas, without empty ones. */
export function splitAtCommas(tokens: Tokens, { from, to }: Range): Range[] {
  const parts: Range[] = []
  let start = from
  const finish = (end: number) => {
    if (end > start) parts.push({ from: start, to: end })
  }
  for (let index = from; index < to; index = tokens.after(index)) {
    if (tokens.textOf(index) !== ',' || tokens.kinds[index] !== OPERATOR) continue
    finish(index)
    start = index + 1
  }
  finish(to)
  return parts
}

/** The tokens in a pair of brackets; undefined if it is not closed. */
export function inside(tokens: Tokens, opening: number): Range | undefined {
  const closing = tokens.pairOf(opening)
  return closing > opening ? { from: opening + 1, to: closing } : undefined
}

const CASTS = /^(?:as|satisfies|is)$/
// Convert a value to a text of the same content.
const CONVERSIONS =
  /^(?:freeze|to_s|to_sym|to_string|to_owned|into|as_str|toString|String|string|str|value|rawValue|Value|getValue|unwrap)$/
const CONVERTERS = /^(?:string|String|str|to_string|atom|Symbol)$/
const NOTHING = /^(?:undefined|null|None|nil|NULL|nullptr)$/
const TRUTH = /^(?:true|false|True|False|this|self|super)$/
const PREFIXES = /^(?:await|new|const|mut|typeof|inout|static)$/

function isOperator(tokens: Tokens, index: number, text: string): boolean {
  return tokens.kinds[index] === OPERATOR && tokens.textOf(index) === text
}

/** The index of an operator outside brackets; -1 if there is none. */
function indexOf(tokens: Tokens, { from, to }: Range, matches: (text: string) => boolean): number {
  for (let index = from; index < to; index = tokens.after(index)) {
    const kind = tokens.kinds[index]
    if ((kind === OPERATOR || kind === WORD) && matches(tokens.textOf(index))) return index
  }
  return -1
}

/** The expression in a range of tokens. */
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

/** Leaves out prefixes and casts. */
function trim(tokens: Tokens, range: Range): Range {
  let { from, to } = range
  for (;;) {
    const text = tokens.textOf(from)
    const kind = tokens.kinds[from]
    const isPrefix =
      (kind === WORD && from + 1 < to && PREFIXES.test(text)) ||
      (kind === OPERATOR && /^(?:&|\*|\.\.\.|@)$/.test(text))
    if (isPrefix && from < to) from++
    else if (isOperator(tokens, to - 1, '!') && to - 1 > from) to--
    else break
  }
  const cast = indexOf(tokens, { from, to }, (text) => CASTS.test(text))
  return { from, to: cast > from ? cast : to }
}

function parseChoice(tokens: Tokens, { from, to }: Range, parse: Parse): Expression | undefined {
  const choice = (...parts: Expression[]) => ({ kind: 'choice' as const, parts })
  const question = indexOf(tokens, { from, to }, (text) => text === '?')
  if (question > from) {
    const colon = colonAfter(tokens, question + 1, to)
    if (colon !== -1) return choice(parse(question + 1, colon), parse(colon + 1, to))
  }
  const fallback = indexOf(tokens, { from, to }, (text) => /^(?:\?\?|\|\||\?:)$/.test(text))
  if (fallback > from) return choice(parse(from, fallback), parse(fallback + 1, to))
  const word = indexOf(tokens, { from, to }, (text) => text === 'else')
  if (word === -1) return undefined
  const condition = indexOf(tokens, { from, to: word }, (text) => text === 'if')
  // `if (c) a else b` of Kotlin, and `a if c else b` of Python.
  if (condition === from) return choice(parse(tokens.after(from + 1), word), parse(word + 1, to))
  if (condition > from) return choice(parse(from, condition), parse(word + 1, to))
  return undefined
}

/** The colon that ends the first branch of `?:`, past those of inner ones. */
function colonAfter(tokens: Tokens, from: number, to: number): number {
  let open = 1
  for (let index = from; index < to; index = tokens.after(index)) {
    if (isOperator(tokens, index, '?')) open++
    else if (isOperator(tokens, index, ':') && --open === 0) return index
  }
  return -1
}

const JOINS: Partial<Record<Group, string>> = { php: '.', elixir: '<>' }
const ADJACENT = /^(?:python|ruby|other)$/

function parseJoin(tokens: Tokens, { from, to }: Range, parse: Parse): Expression | undefined {
  const { group } = tokens
  const join = JOINS[group] ?? '+'
  const parts: Expression[] = []
  let start = from
  for (let index = from; index < to; index = tokens.after(index)) {
    const isNext =
      ADJACENT.test(group) && tokens.kinds[index] === STRING && tokens.kinds[index - 1] === STRING
    if (index > start && (isOperator(tokens, index, join) || isNext)) {
      parts.push(parse(start, index))
      start = isNext ? index : index + 1
    }
  }
  if (parts.length === 0) return undefined
  return { kind: 'join', parts: [...parts, parse(start, to)] }
}

function parsePrimary(tokens: Tokens, { from, to }: Range, parse: Parse): Expression {
  const { kinds, pairs, starts } = tokens
  if (kinds[from] === OPEN && pairs[from] === to - 1) {
    if (tokens.textOf(from) === '(') return parse(from + 1, to - 1)
    if (tokens.textOf(from) !== '[') return UNKNOWN
    const parts = tokens.splitAtCommas({ from: from + 1, to: to - 1 })
    return { kind: 'choice', parts: parts.map((part) => parse(part.from, part.to)) }
  }
  // `.newUi` of Swift
  if (isOperator(tokens, from, '.') && tokens.group === 'swift' && kinds[from + 1] === WORD) {
    const path = pathIn(tokens, { from: from + 1, to })
    return path ? { kind: 'name', path: ['.', ...path] } : UNKNOWN
  }
  const symbol = symbolAt(tokens, from)
  if (symbol) return isConversion(tokens, symbol.next, to) ? symbol.literal : UNKNOWN
  if (tokens.dynamic.has(from)) return parseTemplate(tokens, from, to, parse)
  if (kinds[from] === STRING) {
    const literal = literalOf(tokens, from)
    return literal && isConversion(tokens, from + 1, to) ? literal : UNKNOWN
  }
  if (kinds[from] !== WORD) return UNKNOWN
  if (to === from + 1 && NOTHING.test(tokens.textOf(from)))
    return literalAt(tokens, starts[from] ?? 0, '')
  if (to === from + 1 && TRUTH.test(tokens.textOf(from))) return UNKNOWN
  if (CONVERTERS.test(tokens.textOf(from)) && pairs[from + 1] === to - 1) {
    return parse(from + 2, to - 1)
  }
  if (tokens.textOf(from) === 'nameof' && pairs[from + 1] === to - 1) {
    return nameOf(tokens, to - 2)
  }
  const path = pathIn(tokens, { from, to })
  return path ? { kind: 'name', path } : UNKNOWN
}

/** The text of `nameof(Flag.NewUi)` in C#, by its last token. */
function nameOf(tokens: Tokens, index: number): Expression {
  const isName = tokens.group === 'cs' && tokens.kinds[index] === WORD
  return isName ? wordLiteral(tokens, index) : UNKNOWN
}

/** A symbol of Ruby or an atom of Elixir. */
function symbolAt(tokens: Tokens, index: number): { literal: Literal; next: number } | undefined {
  const { kinds, starts, ends } = tokens
  if (!isOperator(tokens, index, ':') || !/^(?:ruby|elixir|other)$/.test(tokens.group)) return
  if (starts[index + 1] !== ends[index]) return
  if (kinds[index + 1] === STRING) {
    const literal = literalOf(tokens, index + 1)
    return literal && { literal, next: index + 2 }
  }
  if (kinds[index + 1] !== WORD) return
  return { literal: wordLiteral(tokens, index + 1), next: index + 2 }
}

/** Whether the rest of an expression only converts its value: `.freeze`, `.to_string()`. */
function isConversion(tokens: Tokens, from: number, to: number): boolean {
  let index = from
  while (index < to) {
    if (!tokens.isAccess(index) || !CONVERSIONS.test(tokens.textOf(index + 1))) return false
    index = skipEmptyCall(tokens, index + 2, to)
  }
  return true
}

function skipEmptyCall(tokens: Tokens, index: number, to: number): number {
  return index < to && tokens.kinds[index] === OPEN && tokens.pairs[index] === index + 1
    ? index + 2
    : index
}

// More members than a constant has.
const MAX_PATH = 8

/** The words of a name with members, also called without arguments: `Toggle.NEW_UI.getName()`. */
function pathIn(tokens: Tokens, { from, to }: Range): string[] | undefined {
  const path = [tokens.ownWord(from)]
  let index = from + 1
  while (index < to) {
    if (isOperator(tokens, index, '!')) {
      index++
      continue
    }
    const access = tokens.textOf(index)
    if (tokens.kinds[index] === OPEN) {
      const key = access === '[' ? literalOf(tokens, index + 1) : undefined
      if (!key || tokens.pairs[index] !== index + 2) return undefined
      path.push(key.value)
      index += 3
    } else {
      if (!tokens.isAccess(index) || tokens.kinds[index + 1] !== WORD) return undefined
      path.push(tokens.ownWord(index + 1))
      index = skipEmptyCall(tokens, index + 2, to)
    }
    if (path.length > MAX_PATH) return undefined
  }
  return path
}

/** A copy of a word. */
export function ownWord(tokens: Tokens, index: number): string {
  return ownCopy(tokens.wordOf(index))
}

/** A word without the sigil of PHP. */
export function wordOf(tokens: Tokens, index: number): string {
  const word = tokens.textOf(index)
  return tokens.group === 'php' && word.startsWith('$') ? word.slice(1) : word
}
