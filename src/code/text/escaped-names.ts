import { LEGAL_CHARACTERS } from '../../input/flag-names.ts'
import { isWord, LONGEST_NAME, type NameTargets, tableOf } from './targets.ts'

// Names that are written with escapes, as in `dark\u002dmode`, or follow one, as in `\ndark-mode`.

/** A part of a text without its escapes. */
interface Unescaped {
  /** A character that names do not have is a space. */
  text: string
  /** Where its characters, and its end, are in the text with escapes. */
  offsets: readonly number[]
}

/** How a character is written in code, JSON, addresses and markup, and the radix of its number. */
const FORMS: readonly (readonly [form: RegExp, radix: number])[] = [
  [/\\u+([\da-fA-F]{4})/y, 16],
  [/\\U([\da-fA-F]{8})/y, 16],
  [/\\[ux]\{([\da-fA-F]{1,8})\}/y, 16],
  [/\\x([\da-fA-F]{2})/y, 16],
  [/\\([0-7]{1,3})/y, 8],
  // The sign may be escaped as well: `%252D`, `&amp;#45;`.
  [/%(?:25)*([\da-fA-F]{2})/y, 16],
  [/&(?:amp;)*#[xX]([\da-fA-F]{1,8});?/y, 16],
  [/&(?:amp;)*#(\d{1,8});?/y, 10],
]
const CONTROL = /\\[abefnrtv]/y
const IS_LEGAL = new Set(LEGAL_CHARACTERS)

/** The characters of names and the escapes that a text begins with, without the escapes. */
function unescaped(text: string): Unescaped {
  const offsets: number[] = []
  let result = ''
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    const plain = IS_LEGAL.has(character) ? { character, length: 1 } : escapeAt(text, at)
    if (!plain) return { text: result, offsets: [...offsets, at] }
    result += plain.character
    if (plain.character !== '') offsets.push(at)
    at += plain.length
  }
  return { text: result, offsets: [...offsets, text.length] }
}

/** The escape at an index, and its length. A backslash before another character, also of an escape, has none. */
function escapeAt(text: string, at: number): { character: string; length: number } | undefined {
  const sign = text.charAt(at)
  if (!'\\%&'.includes(sign)) return undefined
  for (const [form, radix] of FORMS) {
    form.lastIndex = at
    const [whole = '', digits = ''] = form.exec(text) ?? []
    if (whole === '') continue
    const character = String.fromCharCode(Math.min(0xffff, Number.parseInt(digits, radix)))
    return { character: IS_LEGAL.has(character) ? character : ' ', length: whole.length }
  }
  CONTROL.lastIndex = at
  if (CONTROL.test(text)) return { character: ' ', length: 2 }
  return sign === '\\' ? { character: '', length: 1 } : undefined
}

export const IS_NAME = tableOf(LEGAL_CHARACTERS)
/** Characters of names and escapes. */
const IS_PART = tableOf(`${LEGAL_CHARACTERS}\\%&#;{}`)
export const BACKSLASH = 0x5c
// More bytes than a name has whose characters are all escapes.
const LONGEST_ESCAPED = 1_000

/** The names around an escape. */
interface EscapedNames {
  /** With the index of the first byte of each. */
  names: { name: string; at: number }[]
  /** Up to where the text was read. */
  end: number
}

/**
 * Finds the names around an escape: reads the text without its escapes, from the first character of a name or an escape
 * before it to the last one after it, and looks up the words in it as the scanner does in plain text. Names that have no
 * escape in them or directly before them are left out, because the scanner finds them as words.
 * @param length how many bytes of the buffer may be read
 */
export function escapedNames(
  buffer: Buffer,
  at: number,
  length: number,
  targets: NameTargets,
): EscapedNames {
  const isBefore = (code = 0) => code === BACKSLASH || IS_NAME[code] === 1
  let start = at
  while (at - start <= LONGEST_NAME && isBefore(buffer[start - 1])) start--
  const limit = Math.min(length, at + 2 * LONGEST_ESCAPED)
  let end = at
  while (end < limit && IS_PART[buffer[end] ?? 0] === 1) end++
  const raw = buffer.toString('latin1', start, end)
  const { text, offsets } = unescaped(raw)
  const names: EscapedNames['names'] = []
  for (const { 0: word, index } of text.matchAll(/[\w-]+/g)) {
    for (const { name, before } of targets.byWord.get(word) ?? []) {
      const from = index - before
      const to = from + name.length
      const isPart = isWord(text.charCodeAt(from - 1)) || isWord(text.charCodeAt(to))
      if (isPart || text.slice(from, to) !== name) continue
      const offset = offsets[from] ?? 0
      const isPlain = raw.startsWith(name, offset) && !isWord(raw.charCodeAt(offset - 1))
      if (!isPlain) names.push({ name, at: start + offset })
    }
  }
  // A part that is too long is read again from its middle, so that no name is cut.
  return { names, end: end < limit ? start + (offsets.at(-1) ?? 0) : at + LONGEST_ESCAPED }
}
