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

/** How many bytes show what a content is. */
export const HEAD = 200

const MARKS: readonly (readonly [bytes: string, encoding: Encoding])[] = [
  ['\xef\xbb\xbf', { width: 1, isLittle: true, mark: 3 }],
  ['\xff\xfe', { width: 2, isLittle: true, mark: 2 }],
  ['\xfe\xff', { width: 2, isLittle: false, mark: 2 }],
]
const UTF8: Encoding = { width: 1, isLittle: true, mark: 0 }

/** The encoding of a text, by its mark. @param head the first bytes */
export function encodingOf(head: Buffer): Encoding {
  const start = head.toString('latin1', 0, 3)
  return MARKS.find(([bytes]) => start.startsWith(bytes))?.[1] ?? UTF8
}

/** A text in UTF-8, without a mark. */
export function inUtf8(bytes: Buffer): Buffer {
  const { width, isLittle, mark } = encodingOf(bytes)
  const text = bytes.subarray(mark)
  if (width === 1) return text
  const units = text.subarray(0, text.length - (text.length % 2))
  const little = isLittle ? units : Buffer.from(units).swap16()
  return Buffer.from(little.toString('utf16le'))
}

/** The beginnings of contents that are not read. */
const UNREADABLE: readonly (readonly [RegExp, reason: string])[] = [
  // A mark of UTF-32, or the characters of ASCII with which code begins, with zero bytes between them.
  [
    /^(?:\xff\xfe\0\0|\0\0\xfe\xff|(?:[\t\n\r -~]\0{1,3}){3}|(?:\0{1,3}[\t\n\r -~]){3})/,
    'in UTF-32 or unmarked UTF-16',
  ],
  // What git has in place of a content.
  [/^\0GITCRYPT\0/, 'encrypted by git-crypt'],
  [/^(?:(?:\.\.\/)*\.git)?\/annex\/objects\//, 'git-annex pointer'],
  [
    /^(?:\xef\xbb\xbf)?\s*version https?:\/\/(?:(?:git-lfs|hawser)\.github\.com\/spec|git-media\.io\/v)\//,
    'Git LFS pointer',
  ],
]

/** Why a content is not that of its path, or cannot be read; undefined if it can. */
export function unreadableReason(content: Buffer): string | undefined {
  const head = content.toString('latin1', 0, HEAD)
  return UNREADABLE.find(([beginning]) => beginning.test(head))?.[1]
}
