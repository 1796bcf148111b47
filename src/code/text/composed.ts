import { LEGAL_CHARACTERS } from '../../input/flag-names.ts'
import type { PartialText } from '../lookups/partial-texts.ts'
import { tableOf } from './targets.ts'

/** Gets a name that is at an index. */
export type OnName = (name: string, at: number, isComposed?: boolean) => void

// Longer literals are not names; without a limit, the work would be quadratic.
const MAX_LITERAL = 200
// More different texts than the code of a large repository composes.
const MAX_TRIED = 20_000
// Fewer letters and digits fit too many names.
const MIN_FIXED = 3

/** Names of which the first place is still to be found, by how they begin and end. */
export class NameIndex {
  readonly #names: Set<string>
  readonly #byStart = new Map<string, Set<string>>()
  readonly #byEnd = new Map<string, Set<string>>()
  /** The parts of composed texts that were tried. */
  readonly #tried = new Set<string>()

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
    for (const name of this.#names) {
      addTo(this.#byStart, name.slice(0, MIN_FIXED), name)
      addTo(this.#byEnd, name.slice(-MIN_FIXED), name)
    }
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  /** Takes the names out that a text may be: only the first place of a name counts, and a text may fit many names. */
  take(parts: PartialText): readonly string[] {
    const key = parts.join('\0')
    if (this.#tried.has(key)) return []
    if (this.#tried.size === MAX_TRIED) this.#tried.clear()
    this.#tried.add(key)
    const names = [...this.#candidates(parts)].filter((name) => fits(name, parts))
    for (const name of names) {
      this.#names.delete(name)
      this.#byStart.get(name.slice(0, MIN_FIXED))?.delete(name)
      this.#byEnd.get(name.slice(-MIN_FIXED))?.delete(name)
    }
    return names
  }

  #candidates(parts: PartialText): Iterable<string> {
    const [first = ''] = parts
    const last = parts.at(-1) ?? ''
    if (first.length >= MIN_FIXED) return this.#byStart.get(first.slice(0, MIN_FIXED)) ?? []
    if (last.length >= MIN_FIXED) return this.#byEnd.get(last.slice(-MIN_FIXED)) ?? []
    return this.#names
  }
}

function addTo(index: Map<string, Set<string>>, key: string, name: string): void {
  const names = index.get(key)
  if (names) names.add(name)
  else index.set(key, new Set([name]))
}

function fits(name: string, parts: PartialText): boolean {
  if (parts.length === 1) return name === parts[0]
  const [first = '', ...rest] = parts
  const last = rest.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const start = name.indexOf(part, at)
    if (start === -1) return false
    at = start + part.length
  }
  return at <= name.length - last.length
}

/** A character of names. */
const FIXED = 1
/** May begin an inserted value: names do not have these characters. */
const HOLE = 2
const CLASSES = new Uint8Array(256)
for (const character of LEGAL_CHARACTERS) CLASSES[character.charCodeAt(0)] = FIXED
for (const character of '${%#\\<') CLASSES[character.charCodeAt(0)] = HOLE
const QUOTE = 1
const MARK = 2
/** Quotation marks, and marks that may begin an inserted value in data and scripts. */
export const STARTS = new Uint8Array(256)
for (const character of '"\'`') STARTS[character.charCodeAt(0)] = QUOTE
for (const character of '${<') STARTS[character.charCodeAt(0)] = MARK
/** Marks before a value in data and scripts. */
const IS_BEFORE = tableOf('=: \t\n,')

// After these, a text without quotation marks ends.
const AFTER_VALUE = /[\s,;]/
// An inserted value without brackets: `$name`, `%s`, `%1$s`, `%-5d`, `%(name)s`, an escaped character.
const PLAIN_HOLE =
  /^(?:\$\w+|%(?:\(\w+\)|\d+\$)?[-+ #0]*[\d*]*(?:\.\d+)?[A-Za-z@]|\\(?:u\{?[0-9a-fA-F]{1,6}\}?|x[0-9a-fA-F]{2}|[0-7]{1,3}))/
// The brackets around an inserted value: `${…}`, `$(…)`, `#{…}`, `%{…}`, `{…}`, `\(…)`, `<%…%>`.
const BRACKETS: Readonly<Record<string, readonly [open: string, close: string]>> = {
  '${': ['{', '}'],
  '$(': ['(', ')'],
  '#{': ['{', '}'],
  '%{': ['{', '}'],
  '\\(': ['(', ')'],
  '<%': ['<', '>'],
}
// Without quotation marks, a single brace or a percent sign is code.
const UNQUOTED = /^(?:\$[\w{(]|\{\{|<%)/

/**
 * Calls back with the names that a composed text may be: one with inserted values, or the first or last part of a name
 * that ends or begins with `-`, `_` or `.`. Only the first place of a name is found.
 * @param at the index of a mark of `STARTS`
 * @param length how many bytes of the buffer may be read
 */
export function composedAt(
  buffer: Buffer,
  at: number,
  length: number,
  names: NameIndex,
  onName: OnName,
): void {
  const isQuoted = STARTS[buffer[at] ?? 0] === QUOTE
  const start = isQuoted ? at + 1 : valueStart(buffer, at)
  if (start === -1) return
  const read = isQuoted ? quotedTexts : unquotedTexts
  for (const parts of read(buffer, start, length)) {
    for (const name of names.take(parts)) onName(name, start, true)
  }
}

/** The start of the value in data and scripts whose first inserted value is at an index; -1 if there is none. */
function valueStart(buffer: Buffer, at: number): number {
  if (!UNQUOTED.test(buffer.toString('latin1', at, at + 2))) return -1
  let start = at
  while (at - start < MAX_LITERAL && CLASSES[buffer[start - 1] ?? 0] === FIXED) start--
  return start === 0 || IS_BEFORE[buffer[start - 1] ?? 0] === 1 ? start : -1
}

/** The texts that one after a quotation mark may be composed to, by their fixed parts; empty if it is not composed. */
function quotedTexts(buffer: Buffer, start: number, length: number): readonly PartialText[] {
  const quote = buffer[start - 1] ?? 0
  const limit = Math.min(length, start + MAX_LITERAL)
  let at = start
  while (at < limit && CLASSES[buffer[at] ?? 0] === FIXED && buffer[at] !== quote) at++
  if (at >= limit) return []
  if (buffer[at] === quote) {
    if (!mayBePart(buffer, start, at)) return []
    const literal = buffer.toString('latin1', start, at)
    if (countFixed([literal]) < MIN_FIXED) return []
    const affix = affixParts(literal)
    return affix ? [affix] : operandTexts(literal, buffer, start - 1, at + 1)
  }
  if (CLASSES[buffer[at] ?? 0] !== HOLE) return []
  const mark = String.fromCharCode(quote)
  const text = buffer.toString('latin1', start, limit)
  const parts = partsOf(text, (character) => character === mark, /^[^]/)
  return parts ? [parts] : []
}

const SEPARATORS = ['-', '_', '.']
const IS_JOINT = tableOf(SEPARATORS.join(''))
/** Characters of the operators that `JOINED_AFTER` and `JOINED_BEFORE` have, and of `\s` in them. */
const IS_OPERATOR = tableOf('+.<>')
const IS_BLANK = tableOf(' \t\n\v\f\r\xa0')

/** Whether a literal may be a part of a longer text, by its ends and what is beside it, such as `+=`. */
function mayBePart(buffer: Buffer, start: number, end: number): boolean {
  if ([start, end - 1].some((at) => IS_JOINT[buffer[at] ?? 0] === 1)) return true
  let before = start - 2
  let after = end + 1
  while (IS_BLANK[buffer[before] ?? 0] === 1) before--
  while (IS_BLANK[buffer[after] ?? 0] === 1) after++
  return [before - 1, before, after].some((at) => IS_OPERATOR[buffer[at] ?? 0] === 1)
}

/** `checkout-`, `-new-` and `.enabled` as the parts of a longer name. */
function affixParts(literal: string): PartialText | undefined {
  const isPrefix = /[-_.]$/.test(literal)
  const isSuffix = /^[-_.]/.test(literal)
  if (!isPrefix && !isSuffix) return undefined
  return [...(isSuffix ? [''] : []), literal, ...(isPrefix ? [''] : [])]
}

// The operators that join texts: `+`, `.` of PHP, `..` of Lua and `<>` of Elixir.
const JOINED_AFTER = /^\s*(?:\+|\.[\s.$"']|<>)/
const JOINED_BEFORE = /(?:\+=?|[\s"'.]\.|<>)\s*$/
// An operator is at most this far away.
const NEAR = 8

/**
 * What `checkout` is a part of in `'checkout' + '-' + x`, and in `x + 'checkout'`: with each separator.
 * @param from the index of the quotation mark before it
 * @param to the index after the one behind it
 */
function operandTexts(literal: string, buffer: Buffer, from: number, to: number): PartialText[] {
  const isPrefix = JOINED_AFTER.test(buffer.toString('latin1', to, to + NEAR))
  const isSuffix = JOINED_BEFORE.test(buffer.toString('latin1', Math.max(0, from - NEAR), from))
  if (isPrefix && isSuffix) {
    return SEPARATORS.flatMap((before) =>
      SEPARATORS.map((after) => ['', `${before}${literal}${after}`, '']),
    )
  }
  if (isPrefix) return SEPARATORS.map((separator) => [`${literal}${separator}`, ''])
  if (isSuffix) return SEPARATORS.map((separator) => ['', `${separator}${literal}`])
  return []
}

/** The same for a text in data and scripts without quotation marks. */
function unquotedTexts(buffer: Buffer, start: number, length: number): readonly PartialText[] {
  const limit = Math.min(length, start + MAX_LITERAL)
  const text = buffer.toString('latin1', start, limit)
  const ended = limit === length ? `${text}\n` : text
  const parts = partsOf(ended, (text) => AFTER_VALUE.test(text), UNQUOTED)
  return parts ? [parts] : []
}

/**
 * The fixed parts of a text before and after inserted values; undefined if there is no such value, for too few
 * letters and digits, and for characters that names do not have.
 */
function partsOf(
  text: string,
  isEnd: (character: string) => boolean,
  isHole: RegExp,
): PartialText | undefined {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isEnd(character)) {
      parts.push(text.slice(start, at))
      return parts.length > 1 && countFixed(parts) >= MIN_FIXED ? parts : undefined
    }
    const kind = CLASSES[character.charCodeAt(0)]
    if (kind === FIXED) continue
    if (kind !== HOLE || !isHole.test(text.slice(at, at + 2))) return undefined
    const end = holeEnd(text, at)
    if (end === -1) return undefined
    parts.push(text.slice(start, at))
    start = end
    at = end - 1
  }
  return undefined
}

function countFixed(parts: readonly string[]): number {
  return parts.join('').replace(/[^A-Za-z0-9]/g, '').length
}

/** The index after an inserted value; -1 if there is none. */
function holeEnd(text: string, start: number): number {
  const brackets = BRACKETS[text.slice(start, start + 2)]
  const [open, close] = brackets ?? ['{', '}']
  if (!brackets && text[start] !== '{') {
    const [hole] = PLAIN_HOLE.exec(text.slice(start, start + 40)) ?? []
    return hole === undefined ? -1 : start + hole.length
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\n') return -1
    if (text[at] === open) depth++
    if (text[at] === close && --depth === 0) return at + 1
  }
  return -1
}
