import { LEGAL_CHARACTERS } from '../../input/flag-names.ts'

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
export function unescaped(text: string): Unescaped {
  const offsets: number[] = []
  let result = ''
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    const found = IS_LEGAL.has(character) ? { character, length: 1 } : escapeAt(text, at)
    if (!found) return { text: result, offsets: [...offsets, at] }
    result += found.character
    if (found.character !== '') offsets.push(at)
    at += found.length
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
