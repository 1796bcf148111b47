import { createHash } from 'node:crypto'
import type { RevisionFile } from './revision.ts'
import { WordIndex } from './word-filter.ts'

/** The id that git gives to a content. @param length the length of the ids of the repository, which depends on the hash */
function contentId(bytes: Buffer, length: number): string {
  const hash = createHash(length === 40 ? 'sha1' : 'sha256')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Which files of a work tree have the content of an old revision, and what they show, so that they are not read again. */
export class UnchangedFiles {
  /** The words of each file. */
  readonly words = new WordIndex()
  /** Files without known calls and matches, and those that were searched for an SDK and use none. */
  readonly withoutCalls = new Set<string>()
  readonly withoutSdk = new Set<string>()
  /** The ids of the contents in the old revision, of files that were not compared yet. */
  readonly #ids: Map<string, string>
  readonly #same = new Set<string>()

  /** @param old the files of the old revision */
  constructor(old: readonly RevisionFile[] = []) {
    this.#ids = new Map(old.map(({ file, id }) => [file, id]))
  }

  /** Compares the content of a file of the work tree. */
  compare(file: string, bytes: Buffer): void {
    const id = this.#ids.get(file)
    if (id === undefined) return
    this.#ids.delete(file)
    if (contentId(bytes, id.length) === id) this.#same.add(file)
  }

  has(file: string): boolean {
    return this.#same.has(file)
  }
}
