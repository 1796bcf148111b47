import { createHash } from 'node:crypto'
import type { RevisionFile } from '../files/revision.ts'
import { WordIndex } from '../files/word-filter.ts'

/** The id that git gives to a content. @param length the length of the ids of the repository, which depends on the hash */
function contentId(bytes: Buffer, length: number): string {
  const hash = createHash(length === 40 ? 'sha1' : 'sha256')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/**
 * What a scan of the work tree shows of its files, so that a scan of an old revision need not read those that are the
 * same there.
 */
export class ScanMemory {
  /** The words of files. */
  readonly words = new WordIndex()
  /** Files without anything that may call a known function, or that a custom pattern matches. */
  readonly withoutCalls = new Set<string>()
  /** Files that were searched for the name of an SDK, and do not have it. */
  readonly withoutSdk = new Set<string>()
  /** The ids of the contents in the old revision, of files that were not compared yet. */
  readonly #ids: Map<string, string>
  readonly #same = new Set<string>()

  /** @param old the files of the old revision */
  constructor(old: readonly RevisionFile[] = []) {
    this.#ids = new Map(old.map(({ file, id }) => [file, id]))
  }

  /** Compares the content of a file of the work tree with that in the old revision. */
  compare(file: string, bytes: Buffer): void {
    const id = this.#ids.get(file)
    if (id === undefined) return
    this.#ids.delete(file)
    if (contentId(bytes, id.length) === id) this.#same.add(file)
  }

  /** Whether a file has the same content in the work tree and in the old revision. */
  isSame(file: string): boolean {
    return this.#same.has(file)
  }
}
