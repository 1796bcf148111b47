// What the first bytes of a file show about its content.

/** How the characters of a text are written: in UTF-8, UTF-16 or UTF-32. */
export interface Encoding {
  /** The bytes of a unit: 1, 2 or 4. */
  width: 1 | 2 | 4
  /** Whether the low byte of a unit comes first. */
  isLittle: boolean
  /** The bytes of the mark before the text. */
  mark: number
}

/** More bytes do not tell more about an encoding. */
export const HEAD = 4096

const MARKS: readonly (readonly [bytes: string, encoding: Encoding])[] = [
  ['\xef\xbb\xbf', { width: 1, isLittle: true, mark: 3 }],
  ['\xff\xfe\0\0', { width: 4, isLittle: true, mark: 4 }],
  ['\0\0\xfe\xff', { width: 4, isLittle: false, mark: 4 }],
  ['\xff\xfe', { width: 2, isLittle: true, mark: 2 }],
  ['\xfe\xff', { width: 2, isLittle: false, mark: 2 }],
]
const UTF8: Encoding = { width: 1, isLittle: true, mark: 0 }
const UNMARKED: readonly Encoding[] = ([4, 2] as const).flatMap((width) => [
  { width, isLittle: true, mark: 0 },
  { width, isLittle: false, mark: 0 },
])

const MAX_CODE_POINT = 0x10ffff
// Text in any script has at least this part of spaces, line breaks, digits and Latin letters.
const MIN_ASCII = 0.02
// A text in UTF-8 that has so many zero bytes does not have all of them after, or before, a character.
const ENOUGH_ZEROS = 16
// `0` and the space of Japanese and Chinese text, whose bytes are those of `0` in reverse order.
const AMBIGUOUS = [0x30, 0x3000]

/** The encoding of a text, by its mark or by its zero bytes. @param head the first bytes, at most `HEAD` */
export function encodingOf(head: Buffer): Encoding {
  const start = head.toString('latin1', 0, 4)
  const marked = MARKS.find(([bytes]) => start.startsWith(bytes))
  if (marked) return marked[1]
  if (!head.includes(0)) return UTF8
  const shares = UNMARKED.map((encoding) => ({ encoding, share: asciiShare(head, encoding) }))
  const best = shares.reduce((one, other) => (other.share > one.share ? other : one))
  return best.share >= MIN_ASCII ? best.encoding : UTF8
}

function isAscii(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || (code >= 0x09 && code <= 0x0d)
}

/** The part of the characters that are printable ones of ASCII; 0 if it cannot be a text in this encoding. */
function asciiShare(head: Buffer, { width, isLittle }: Encoding): number {
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
  const units = Math.floor(text.length / width)
  const characters: string[] = []
  for (let at = 0; at < units * width; at += width) {
    const value = isLittle ? text.readUIntLE(at, width) : text.readUIntBE(at, width)
    characters.push(width === 2 ? String.fromCharCode(value) : characterOf(value))
  }
  return Buffer.from(characters.join(''))
}

function characterOf(codePoint: number): string {
  return codePoint > MAX_CODE_POINT ? '\ufffd' : String.fromCodePoint(codePoint)
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

/** Why a file does not have the content that its path has; undefined if it does. */
export function placeholderReason(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, MAX_PLACEHOLDER)
  return PLACEHOLDERS.find(([beginning]) => beginning.test(start))?.[1]
}
