/**
 * Remembers which words files may contain, so that few files are read again for a word that turns up
 * later.
 */
export interface WordIndex {
  /**
   * Adds a file and returns the initial words that it contains.
   * @param hasMarks whether words may end in `?`
   */
  add(file: number, bytes: Uint8Array, hasMarks: boolean): ReadonlySet<string>
  /** Whether a file may contain all of some words. It rarely reports a file that does not. */
  mayContainAll(file: number, hashes: readonly number[]): boolean
}

// Bits of a Bloom filter for each byte of a file, and bits that are set for each word.
const BITS = 0.5
const PROBES = 4
const MIN_BITS = 256
// How many of the last words of a file to remember.
const SEEN = 2048

// Bytes beyond ASCII are parts of words.
const isWord = new Uint8Array(256)
for (let code = 0; code < 256; code++) {
  isWord[code] = code > 127 || /\w/.test(String.fromCharCode(code)) ? 1 : 0
}

const SEED = 0x811c9dc5 | 0
const PRIME = 0x01000193

const QUESTION_MARK = 0x3f

const encoder = new TextEncoder()

/** The hash of a word, which may end in `?`. */
export function hashOf(word: string): number {
  let hash = SEED
  for (const byte of encoder.encode(word)) hash = Math.imul(hash ^ byte, PRIME)
  return mix(hash)
}

/** The hashes of the words in a text. */
export function hashesIn(text: string): number[] {
  return (text.match(/[\w$\u0080-\uffff]+/g) ?? []).map(hashOf)
}

function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (once ^ (once >>> 13)) >>> 0
}

/** @param start the byte where the filter begins */
function setBit(filters: Uint8Array, start: number, bit: number): void {
  const at = start + (bit >> 3)
  filters[at] = (filters[at] ?? 0) | (1 << (bit & 7))
}

function hasBit(filters: Uint8Array, start: number, bit: number): boolean {
  return ((filters[start + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0
}

// Most words are not in this table, so they are not looked up in the map.
const TABLE_BITS = 1 << 16

/** @param initial words that are known before any file is read */
export function createWordIndex(initial: readonly string[]): WordIndex {
  const filters = createFilters()
  const seen = new Int32Array(SEEN)
  const words = new Map(initial.map((word) => [hashOf(word), word]))
  const table = new Uint8Array(TABLE_BITS >> 3)
  for (const hash of words.keys()) setBit(table, 0, hash & (TABLE_BITS - 1))
  return {
    add(file, bytes, hasMarks) {
      const { length } = bytes
      const addTo = filters.create(file, length)
      const found = new Set<string>()
      seen.fill(0)
      const addWord = (hash: number) => {
        // Most words of a file are repetitions.
        const slot = hash & (SEEN - 1)
        if (seen[slot] === hash) return
        seen[slot] = hash
        const mixed = mix(hash)
        addTo(mixed)
        if (!hasBit(table, 0, mixed & (TABLE_BITS - 1))) return
        const word = words.get(mixed)
        if (word !== undefined) found.add(word)
      }
      let hash = SEED
      for (let index = 0; index <= length; index++) {
        const byte = index < length ? (bytes[index] ?? 0) : 0
        if (isWord[byte] === 1) {
          hash = Math.imul(hash ^ byte, PRIME)
        } else if (hash !== SEED) {
          addWord(hash)
          if (hasMarks && byte === QUESTION_MARK) addWord(Math.imul(hash ^ byte, PRIME))
          hash = SEED
        }
      }
      return found
    },
    mayContainAll(file, hashes) {
      return hashes.every((hash) => filters.has(file, hash))
    },
  }
}

/** Bloom filters of files, in one buffer, because small buffers take more memory than their bytes. */
function createFilters() {
  let filters = new Uint8Array(1024 * 1024)
  let end = 0
  const starts: number[] = []
  const masks: number[] = []
  return {
    /** Creates the filter of a file with some bytes; returns a function that adds a hash to it. */
    create(file: number, length: number): (hash: number) => void {
      const bits = Math.max(MIN_BITS, 2 ** Math.ceil(Math.log2(length * BITS + 1)))
      const [start, mask] = [end, bits - 1]
      end += bits >> 3
      while (end > filters.length) filters = doubled(filters)
      const target = filters
      starts[file] = start
      masks[file] = mask
      return (hash) => {
        const step = (hash >>> 16) | 1
        for (let probe = 0, at = hash; probe < PROBES; probe++, at += step) {
          setBit(target, start, at & mask)
        }
      }
    },
    /** Whether a file has a filter with a hash. */
    has(file: number, hash: number): boolean {
      const [start, mask] = [starts[file], masks[file]]
      if (start === undefined || mask === undefined) return false
      const step = (hash >>> 16) | 1
      for (let probe = 0, at = hash; probe < PROBES; probe++, at += step) {
        if (!hasBit(filters, start, at & mask)) return false
      }
      return true
    },
  }
}

function doubled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2)
  larger.set(bytes)
  return larger
}

// Few words share their length and their first and last character.
const slotOf = (text: string, start: number, end: number) =>
  (31 * text.charCodeAt(start) + 7 * text.charCodeAt(end - 1) + end - start) & 0xfff

/** A quick test for some words: true for each of them, and false for most other parts of a text. */
export function createWordFilter(
  words: Iterable<string>,
): (text: string, start: number, end: number) => boolean {
  const slots = new Uint8Array(0x1000)
  for (const word of words) slots[slotOf(word, 0, word.length)] = 1
  return (text, start, end) => slots[slotOf(text, start, end)] === 1
}
