import { HASHES, nextHash, slotOf } from '../files/word-filter.ts'

/** A table of the bytes of some characters. */
export function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const WORDS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
/** Letters, digits, `_` and `-`: a name next to one of them is part of a longer one. */
export const IS_WORD = tableOf(WORDS)

export function isWord(code: number | undefined): boolean {
  return code !== undefined && IS_WORD[code] === 1
}

// More characters than a legal name has.
export const LONGEST_NAME = 100

/** A known name. */
export interface Target {
  name: string
  bytes: Buffer
  /** How many bytes are before its first word. */
  before: number
}

/** Known names, prepared to be found in texts. */
export class NameTargets {
  /** By their first words: the longest runs of word characters. */
  readonly byWord = new Map<string, Target[]>()
  /** Names without any word character. */
  readonly odd: Target[] = []
  /** Which words may be in `byWord`, by a hash of the word. */
  readonly filter = new Uint8Array(HASHES)

  constructor(names: Iterable<string>) {
    for (const name of new Set(names)) {
      const { 0: word, index: before } = /[\w-]+/.exec(name) ?? { 0: '', index: 0 }
      const target = { name, bytes: Buffer.from(name, 'latin1'), before }
      if (word === '') {
        this.odd.push(target)
        continue
      }
      this.byWord.set(word, [...(this.byWord.get(word) ?? []), target])
      this.filter[slotOf(Buffer.from(word, 'latin1').reduce(nextHash, 0))] = 1
    }
  }
}
