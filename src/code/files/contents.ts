// What the first bytes of a file show about its content.

/** How the characters of a text are written: in UTF-8 or UTF-16. */
export interface Encoding {
  /** The bytes of a unit. */
  width: 1 | 2
  /** Whether the low byte of a unit comes first. */
  isLittle: boolean
  /** The bytes of the mark before the text. */
  mark: number
}

/** More bytes do not tell more about an encoding. */
export const HEAD = 4096

const MARKS: readonly (readonly [bytes: string, encoding: Encoding])[] = [
  ['\xef\xbb\xbf', { width: 1, isLittle: true, mark: 3 }],
  ['\xff\xfe', { width: 2, isLittle: true, mark: 2 }],
  ['\xfe\xff', { width: 2, isLittle: false, mark: 2 }],
]
const UTF8: Encoding = { width: 1, isLittle: true, mark: 0 }

const MAX_CODE_POINT = 0x10ffff
// Text in any script has at least this part of spaces, line breaks, digits and Latin letters.
const MIN_ASCII = 0.02
// In UTF-8, this many zero bytes are never all after, or all before, a character.
const ENOUGH_ZEROS = 16
// `0` and the space of Japanese and Chinese text, whose bytes are those of `0` in reverse order.
const AMBIGUOUS = [0x30, 0x3000]

/** The encoding of a text, by its mark or by its zero bytes. @param head the first bytes, at most `HEAD` */
export function encodingOf(head: Buffer): Encoding {
  const start = head.toString('latin1', 0, 3)
  const marked = MARKS.find(([bytes]) => start.startsWith(bytes))
  if (marked) return marked[1]
  if (!head.includes(0)) return UTF8
  const little = asciiShare(head, 2, true)
  const big = asciiShare(head, 2, false)
  if (Math.max(little, big) < MIN_ASCII) return UTF8
  return { width: 2, isLittle: little >= big, mark: 0 }
}

function isAscii(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || (code >= 0x09 && code <= 0x0d)
}

/**
 * The part of the characters that are printable ones of ASCII; 0 if it cannot be a text in this encoding.
 * @param width the bytes of a unit
 * @param isLittle whether the low byte of a unit comes first
 */
function asciiShare(head: Buffer, width: 2 | 4, isLittle: boolean): number {
  const units = Math.floor(head.length / width)
  let ascii = 0
  let pairs = 0
  let others = 0
  for (let unit = 0; unit < units; unit++) {
    const at = unit * width
    const value = isLittle ? head.readUIntLE(at, width) : head.readUIntBE(at, width)
    if (value === 0 || value > MAX_CODE_POINT) return 0
    if (AMBIGUOUS.includes(value)) continue
    if (isAscii(value)) ascii++
    else if (isAscii(value >> 8) && isAscii(value & 0xff)) pairs++
    else if ((value & 0xff) === 0) others++
  }
  // Most are two characters of ASCII, or Japanese.
  const mayBePairs = pairs > units / 2 && (ascii < ENOUGH_ZEROS || others > ascii / 8)
  return units === 0 || mayBePairs ? 0 : ascii / units
}

/** A text in UTF-8, without a mark. */
export function inUtf8(bytes: Buffer): Buffer {
  const { width, isLittle, mark } = encodingOf(bytes.subarray(0, HEAD))
  const text = bytes.subarray(mark)
  if (width === 1) return text
  const units = text.subarray(0, text.length - (text.length % 2))
  const little = isLittle ? units : Buffer.from(units).swap16()
  return Buffer.from(little.toString('utf16le'))
}

/** Whether a text is in UTF-32, which no compiler reads. */
function isUtf32(head: Buffer): boolean {
  const start = head.toString('latin1', 0, 4)
  if (start === '\xff\xfe\0\0' || start === '\0\0\xfe\xff') return true
  if (!head.includes(0)) return false
  return [true, false].some((isLittle) => asciiShare(head, 4, isLittle) >= MIN_ASCII)
}

/** What git has in place of a content: the beginning, and a few words. */
const PLACEHOLDERS: readonly (readonly [RegExp, reason: string])[] = [
  [/^\0GITCRYPT\0/, 'encrypted by git-crypt'],
  [/^(?:(?:\.\.\/)*\.git)?\/annex\/objects\//, 'git-annex pointer'],
  [
    /^(?:\xef\xbb\xbf)?\s*version https?:\/\/(?:(?:git-lfs|hawser)\.github\.com\/spec|git-media\.io\/v)\//,
    'Git LFS pointer',
  ],
]
const MAX_PLACEHOLDER = 200

/** Why a content is not that of its path, or cannot be read; undefined if it can. */
export function unreadableReason(content: Buffer): string | undefined {
  const head = content.subarray(0, HEAD)
  if (isUtf32(head)) return 'in UTF-32'
  const start = head.toString('latin1', 0, MAX_PLACEHOLDER)
  return PLACEHOLDERS.find(([beginning]) => beginning.test(start))?.[1]
}
