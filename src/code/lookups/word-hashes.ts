/** Bytes of words: letters, digits, `_` and those of characters beyond ASCII. */
const IS_WORD = new Uint8Array(256).fill(1, 128)
for (let code = 0; code < 128; code++) if (/\w/.test(String.fromCharCode(code))) IS_WORD[code] = 1

export const HASHES = 1 << 18

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
  /** Which words may be known, by a hash of the word. */
  readonly #hashes = new Uint8Array(HASHES)

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const bytes = Buffer.from(word.replace(/^[$@]+|[?!$]+$/g, ''))
      const stem = bytes.toString('latin1')
      this.#words.set(stem, [...(this.#words.get(stem) ?? []), word])
      this.#hashes[slotOf(bytes.reduce(nextHash, 0))] = 1
    }
  }

  /** The words that a text has, not as parts of longer ones. */
  wordsIn(bytes: Buffer): ReadonlySet<string> {
    const hashes = this.#hashes
    const { length } = bytes
    const found = new Set<string>()
    let hash = 0
    let start = 0
    for (let at = 0; at <= length; at++) {
      // The end of the text ends a word, too.
      const code = at < length ? (bytes[at] ?? 0) : 0
      if (IS_WORD[code] === 1) {
        hash = nextHash(hash, code)
        continue
      }
      if (hash !== 0 && hashes[slotOf(hash)] === 1) {
        const known = this.#words.get(bytes.toString('latin1', start, at)) ?? []
        for (const word of known) found.add(word)
      }
      hash = 0
      start = at + 1
    }
    return found
  }
}
