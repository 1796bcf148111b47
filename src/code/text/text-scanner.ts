import { isUtf8 } from 'node:buffer'
import { composedAt, type NameIndex, type OnName, STARTS } from './composed.ts'
import { type Encoding, encodingOf, HEAD, unreadableReason } from '../files/contents.ts'
import { BACKSLASH, escapedNames, IS_NAME } from './escaped-names.ts'
import { nextHash, slotOf } from '../files/word-filter.ts'
import { isWord, IS_WORD, LONGEST_NAME, type NameTargets, tableOf, type Target } from './targets.ts'

/** A name in a text. */
export interface Hit {
  name: string
  /** 1-based. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
  /** The line, or the part of a long one that has the name. */
  text: string
  /** Whether the name is only a possible value of a text that is composed there. */
  isComposed: boolean
}

const IS_SIGN = tableOf('\\%&')
const IS_CONTROL = tableOf('abefnrtv')
const IS_ESCAPED = tableOf('abefnrtvuUx01234567-_.')
const IS_HEXADECIMAL = tableOf('0123456789abcdefABCDEF')

/** Whether an escape that names may have, or begin after, may be at an index. */
function mayBeEscape(buffer: Buffer, at: number): boolean {
  const [next, third] = [buffer[at + 1] ?? 0, buffer[at + 2] ?? 0]
  switch (buffer[at]) {
    case BACKSLASH:
      return IS_ESCAPED[next] === 1
    case PERCENT:
      return IS_HEXADECIMAL[next] === 1 && IS_HEXADECIMAL[third] === 1
    default:
      return next === NUMBER_SIGN || (next === LETTER_A && third === LETTER_M)
  }
}

// As many bytes before and after a place as any name, literal or excerpt there has.
const AROUND = 2_048
const PIECE = 1024 * 1024
const LINE_FEED = 0x0a
const NUMBER_SIGN = 0x23
const LETTER_A = 0x61
const LETTER_M = 0x6d
const PERCENT = 0x25

/**
 * Finds known names in texts of any size and encoding, in pieces. For each text: `begin`, then `room` and `added`
 * for its bytes, then `end`.
 */
export class TextScanner {
  /** The current piece of the text and, before it, the end of the previous one. */
  readonly buffer = Buffer.alloc(PIECE + 1)
  readonly #targets: NameTargets
  readonly #composable: NameIndex
  #onHit: (hit: Hit) => void = () => {}
  #findsComposed = false
  /** How many bytes of the text the buffer has. */
  #length = 0
  /** Up to where the buffer was searched. */
  #searched = 0
  /** The hash of the word bytes before that. */
  #hash = 0
  /** Up to where lines and columns were counted. */
  #counted = 0
  #line = 1
  #column = 1
  /** Undefined before it is known. */
  #encoding: Encoding | undefined
  /** In UTF-16: the first byte of a unit whose second one has not been read yet. */
  #firstByte: number | undefined
  /** Why the text cannot be read. */
  #reason: string | undefined
  /** Up to where names with escapes were looked for. */
  #unescaped = 0

  constructor(targets: NameTargets, composable: NameIndex) {
    this.#targets = targets
    this.#composable = composable
  }

  /** @param findsComposed whether to look for texts that are composed, as in code */
  begin(findsComposed: boolean, onHit: (hit: Hit) => void): void {
    this.#onHit = onHit
    this.#findsComposed = findsComposed && !this.#composable.isEmpty
    this.#length = 0
    this.#searched = 0
    this.#hash = 0
    this.#counted = 0
    this.#line = 1
    this.#column = 1
    this.#encoding = undefined
    this.#firstByte = undefined
    this.#reason = undefined
    this.#unescaped = 0
  }

  /** Where the next bytes go in the buffer. */
  get room(): { from: number; to: number } {
    return { from: this.#length, to: PIECE }
  }

  /** Searches when the buffer is full. */
  added(count: number): void {
    const from = this.#length
    this.#length = from + count
    if (this.#encoding) this.#decode(this.#encoding, from)
    else if (this.#length >= HEAD) this.#begun()
    if (this.#length === PIECE) this.#search(false)
  }

  /** Searches the rest. Returns why the text cannot be read; undefined if it can. */
  end(): string | undefined {
    if (!this.#encoding) this.#begun()
    this.#search(true)
    return this.#reason
  }

  /** Looks at the first bytes. */
  #begun(): void {
    const head = this.buffer.subarray(0, Math.min(HEAD, this.#length))
    this.#encoding = encodingOf(head)
    this.#reason = unreadableReason(head)
    this.#decode(this.#encoding, 0)
  }

  /** Makes bytes of ASCII from units of UTF-16; others become 0xff. */
  #decode({ width, isLittle, mark }: Encoding, from: number): void {
    if (width === 1) return
    const { buffer } = this
    let to = from
    for (let at = from === 0 ? mark : from; at < this.#length; at++) {
      const second = buffer[at] ?? 0
      const first = this.#firstByte
      if (first === undefined) {
        this.#firstByte = second
        continue
      }
      this.#firstByte = undefined
      const [low, high] = isLittle ? [first, second] : [second, first]
      buffer[to] = high === 0 && low < 128 ? low : 0xff
      to++
    }
    this.#length = to
  }

  #search(isEnd: boolean): void {
    const { buffer } = this
    const length = this.#length
    buffer[length] = 0
    // The end of a word is known at the byte after it.
    const to = isEnd ? length + 1 : length - AROUND
    const hits: { name: string; at: number; isComposed: boolean }[] = []
    this.#findNames(to, (name, at, isComposed = false) => hits.push({ name, at, isComposed }))
    hits.sort((a, b) => a.at - b.at)
    for (const { name, at, isComposed } of hits) {
      this.#countTo(at)
      const [line, column] = [this.#line, this.#column]
      this.#onHit({ name, line, column, text: lineAround(buffer, at, length), isComposed })
    }
    this.#searched = to
    if (!isEnd) this.#keepEnd()
  }

  /** Moves the end of the piece to the start of the buffer. */
  #keepEnd(): void {
    const from = this.#searched - AROUND
    this.#countTo(from)
    this.buffer.copyWithin(0, from, this.#length)
    this.#length -= from
    this.#searched -= from
    this.#counted -= from
    this.#unescaped -= from
  }

  #findNames(to: number, onName: OnName): void {
    const { buffer } = this
    const { filter, odd } = this.#targets
    let hash = this.#hash
    for (let at = this.#searched; at < to; at++) {
      const code = buffer[at] ?? 0
      if (IS_WORD[code] === 1) {
        hash = nextHash(hash, code)
      } else {
        if (filter[slotOf(hash)] === 1) this.#checkWord(at, onName)
        hash = 0
        if (IS_SIGN[code] === 1 && mayBeEscape(buffer, at)) this.#checkEscaped(at, onName)
        if (this.#findsComposed && STARTS[code] !== 0 && at < this.#length) {
          composedAt(buffer, at, this.#length, this.#composable, onName)
        }
      }
    }
    this.#hash = hash
    for (const target of odd) {
      let at = buffer.indexOf(target.bytes, this.#searched)
      for (; at !== -1 && at < to; at = buffer.indexOf(target.bytes, at + 1)) {
        this.#checkName(target, at, onName)
      }
    }
  }

  /** Looks up the word before an index. */
  #checkWord(end: number, onName: OnName): void {
    const { buffer } = this
    let start = end
    while (isWord(buffer[start - 1]) && end - start <= LONGEST_NAME) start--
    const word = buffer.toString('latin1', start, end)
    for (const target of this.#targets.byWord.get(word) ?? []) {
      this.#checkName(target, start - target.before, onName)
    }
  }

  /** Whether an escape such as `\n`, the most common kind, is before a word that is not a name. */
  #isControl(at: number): boolean {
    const { buffer } = this
    if (buffer[at] !== BACKSLASH || IS_CONTROL[buffer[at + 1] ?? 0] === 0) return false
    let end = at + 2
    if (!isWord(buffer[end])) return IS_NAME[buffer[end] ?? 0] === 0
    let hash = 0
    for (; isWord(buffer[end]); end++) hash = nextHash(hash, buffer[end] ?? 0)
    return IS_SIGN[buffer[end] ?? 0] === 0 && this.#targets.filter[slotOf(hash)] === 0
  }

  /** Looks up the names around an escape; each part of the text is read without its escapes once. */
  #checkEscaped(at: number, onName: OnName): void {
    if (at < this.#unescaped || this.#isControl(at)) return
    const around = escapedNames(this.buffer, at, this.#length, this.#targets)
    this.#unescaped = around.end
    for (const { name, at: start } of around.names) onName(name, start)
  }

  #checkName({ name, bytes }: Target, at: number, onName: OnName): void {
    const { buffer } = this
    const end = at + bytes.length
    if (at < 0 || end > this.#length || isWord(buffer[end]) || isWord(buffer[at - 1])) return
    if (buffer.compare(bytes, 0, bytes.length, at, end) !== 0) return
    if (!letterBefore(buffer, at) && !letterAt(buffer, end)) onName(name, at)
  }

  #countTo(to: number): void {
    const { buffer } = this
    let at = this.#counted
    if (to <= at) return
    const counted = buffer.subarray(0, to)
    for (;;) {
      const end = counted.indexOf(LINE_FEED, at)
      if (end === -1) break
      this.#line++
      this.#column = 1
      at = end + 1
    }
    for (; at < to; at++) {
      const code = buffer[at] ?? 0
      // The bytes after the first one of a character of UTF-8; four bytes are two units.
      if ((code & 0xc0) !== 0x80) this.#column += code >= 0xf0 && code < 0xff ? 2 : 1
    }
    this.#counted = to
  }
}

// A name is not part of a longer word in scripts without spaces between words.
const LETTER =
  /^[\p{L}\p{M}](?<![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u
// The bytes of the longest character of UTF-8.
const LONGEST_CHARACTER = 4

/** Whether a letter beyond ASCII begins at an index. */
function letterAt(buffer: Buffer, at: number): boolean {
  if ((buffer[at] ?? 0) < 0x80) return false
  return LETTER.test(buffer.toString('utf8', at, at + LONGEST_CHARACTER))
}

/** Whether a letter beyond ASCII ends before an index. */
function letterBefore(buffer: Buffer, at: number): boolean {
  let start = at - 1
  while (start > at - LONGEST_CHARACTER && ((buffer[start] ?? 0) & 0xc0) === 0x80) start--
  return letterAt(buffer.subarray(0, at), start)
}

const MAX_TEXT = 120
// In a longer line, how many bytes before the name are shown.
const BEFORE = 40

/** The line around an index, or a part of a long one. */
function lineAround(buffer: Buffer, at: number, length: number): string {
  const first = Math.max(0, at - MAX_TEXT)
  const before = buffer.subarray(first, at).lastIndexOf(LINE_FEED)
  const lineStart = before === -1 ? undefined : first + before + 1
  let start = lineStart ?? (first === 0 ? 0 : at - BEFORE)
  if (at - start > MAX_TEXT - BEFORE) start = at - BEFORE
  // Not farther, because a long line may have many names.
  const last = Math.min(length, at + MAX_TEXT + 1)
  const next = buffer.subarray(0, last).indexOf(LINE_FEED, at)
  const lineEnd = next === -1 ? last : next
  let end = Math.min(lineEnd, start + MAX_TEXT)
  // Not within a character of UTF-8.
  while (start < at && ((buffer[start] ?? 0) & 0xc0) === 0x80) start++
  while (end < lineEnd && end > at && ((buffer[end] ?? 0) & 0xc0) === 0x80) end--
  const bytes = buffer.subarray(start, end)
  const text = isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1')
  const shown = text.replace(/\s+/g, ' ').trim()
  return end < lineEnd ? `${shown}…` : shown
}
