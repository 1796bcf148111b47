/** Bytes of words: letters, digits, `_` and those of characters beyond ASCII. */
const IS_WORD = new Uint8Array(256).fill(1, 128)
for (let code = 0; code < 128; code++) if (/\w/.test(String.fromCharCode(code))) IS_WORD[code] = 1

export const HASHES = 1 << 18
const BRACKET = 0x28
const QUESTION_MARK = 0x3f

/** The hash of some word bytes after those of another hash. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0
}

export function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (HASHES - 1)
}

/** Some words, prepared to be found in texts. Marks such as `$` and `?` at their ends do not count. */
export class WordFilter {
  readonly #words = new Map<string, string[]>()
  /** Which words may be known, by the slot of the word. */
  readonly #slots = new Uint8Array(HASHES)

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const bytes = Buffer.from(word.replace(/^[$@]+|[?!$]+$/g, ''))
      const stem = bytes.toString('latin1')
      this.#words.set(stem, [...(this.#words.get(stem) ?? []), word])
      this.#slots[slotOf(bytes.reduce(nextHash, 0))] = 1
    }
  }

  /** Whether a word with a slot may be known. */
  hasSlot(slot: number): boolean {
    return this.#slots[slot] === 1
  }

  /**
   * The words that a text has, not as parts of longer ones.
   * @param index gets the slots of all words
   * @param visitCall gets the hashes and places of words before a bracket
   */
  wordsIn(
    bytes: Buffer,
    index?: WordIndex,
    visitCall?: (hash: number, start: number, end: number) => void,
  ): ReadonlySet<string> {
    const slots = this.#slots
    const { length } = bytes
    const words = new Set<string>()
    for (let at = 0; at < length; at++) {
      const start = at
      let hash = 0
      let code = bytes[at] ?? 0
      while (IS_WORD[code] === 1) {
        hash = nextHash(hash, code)
        at++
        code = at < length ? (bytes[at] ?? 0) : 0
      }
      if (at === start) continue
      const slot = slotOf(hash)
      index?.add(slot)
      const end = code === QUESTION_MARK ? at + 1 : at
      if (bytes[end] === BRACKET) visitCall?.(hash, start, end)
      if (slots[slot] === 1) this.#addKnown(bytes.toString('latin1', start, at), words)
    }
    return words
  }

  #addKnown(stem: string, words: Set<string>): void {
    for (const word of this.#words.get(stem) ?? []) words.add(word)
  }
}

/** Which words files may have, so that those without a word need not be read again. */
export class WordIndex {
  /** Where the slots of a file are. */
  readonly #files = new Map<string, { from: number; to: number }>()
  /** The slots of all files, one after the other. */
  #slots = new Uint32Array()
  #from = 0
  #to = 0
  /** The number of the file that a slot was last seen in. Bytes, because these stay in the processor's cache. */
  readonly #seen = new Uint8Array(HASHES)
  #number = 0

  /** Begins a file with some bytes. */
  begin(length: number): void {
    this.#reserve(Math.ceil(length / 2))
    if (this.#number === 255) {
      this.#seen.fill(0)
      this.#number = 0
    }
    this.#number++
    this.#from = this.#to
  }

  /** Makes room for a number of slots. */
  #reserve(count: number): void {
    if (this.#to + count <= this.#slots.length) return
    const larger = new Uint32Array(2 * (this.#to + count))
    larger.set(this.#slots)
    this.#slots = larger
  }

  add(slot: number): void {
    if (this.#seen[slot] === this.#number) return
    this.#seen[slot] = this.#number
    this.#slots[this.#to] = slot
    this.#to++
  }

  /** Ends a file. */
  end(file: string): void {
    this.#files.set(file, { from: this.#from, to: this.#to })
  }

  /** Whether a file may have a word of a filter. */
  mayHave(file: string, filter: WordFilter): boolean {
    const place = this.#files.get(file)
    if (!place) return true
    for (let at = place.from; at < place.to; at++) {
      if (filter.hasSlot(this.#slots[at] ?? 0)) return true
    }
    return false
  }
}
