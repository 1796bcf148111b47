import { interrupted } from '../errors.ts'
import { NameIndex } from './composed.ts'
import {
  byFile,
  readFile,
  type SelectedFiles,
  selectFiles,
  type SelectionOptions,
  type UnreadFile,
} from './source-files.ts'
import { readContents } from './git.ts'
import { isDocumentation } from './lexer/file-names.ts'
import { createPause } from './pause.ts'
import type { FilePosition } from './positions.ts'
import { selectRevision } from './revision.ts'
import { NameTargets, TextScanner } from './text-scanner.ts'

/** A place of a name in a text. */
export interface CodePlace extends FilePosition {
  /** The line, or the part of a long one that has the name. */
  text: string
}

/** Where a known name is. */
interface FoundName {
  /** In the order of the files, then of the text. At most some hundred thousand over all names. */
  places: CodePlace[]
  /** The first place where a text is composed that may be the name, as `'checkout-' + x` or `"%s.enabled"`. */
  composed: CodePlace | undefined
}

/** Where known names are in some files. */
export interface FoundNames extends Omit<SelectedFiles, 'files'> {
  /** By name, in the given order; a name that is nowhere has no places. */
  names: ReadonlyMap<string, FoundName>
  /** How many files were searched. */
  files: number
}

// Each place takes some hundred bytes.
const MAX_PLACES = 200_000

/** Collects the places of names. */
class Places {
  readonly names: Map<string, FoundName>
  #count = 0

  constructor(names: Iterable<string>) {
    this.names = new Map(Array.from(names, (name) => [name, { places: [], composed: undefined }]))
  }

  add(name: string, isComposed: boolean, place: CodePlace): void {
    const found = this.names.get(name)
    if (!found) return
    if (isComposed) {
      found.composed ??= place
      return
    }
    if (this.#count === MAX_PLACES && found.places.length > 0) return
    found.places.push(place)
    this.#count++
  }
}

function scannerOf(names: readonly string[]): TextScanner {
  return new TextScanner(new NameTargets(names), new NameIndex(names))
}

/**
 * Finds known names in the files that paths and globs select: every occurrence that is not part of a longer name,
 * whatever the language, encoding and size of the file.
 *
 * A name without places is not in the code only if nothing is `unread`, and no text may be it (`composed`);
 * otherwise that is unclear.
 *
 * @param names legal names of flags
 * @throws `interrupted` when the signal aborts; a `usage` error for a glob that cannot be matched, and if git is
 * missing or refuses
 */
export async function searchFiles(
  names: readonly string[],
  globs: readonly string[],
  options: SelectionOptions,
): Promise<FoundNames> {
  const { files, ...selection } = await selectFiles(globs, options)
  const found = new Places(names)
  const scanner = scannerOf(names)
  const unread: UnreadFile[] = [...selection.unread]
  const pause = createPause(options.signal)
  for (const source of files) {
    const { file } = source
    const reason = await readFile(source, async (read) => {
      scanner.begin(!isDocumentation(file), ({ name, isComposed, ...place }) =>
        found.add(name, isComposed, { file, ...place }),
      )
      for (;;) {
        const { from, to } = scanner.room
        const count = read(scanner.buffer, from, to)
        if (count === 0) return scanner.end()
        scanner.added(count)
        await pause()
      }
    })
    if (reason !== undefined) unread.push({ file, reason })
  }
  if (options.signal.aborted) throw interrupted()
  return { ...selection, names: found.names, unread: unread.sort(byFile), files: files.length }
}

/**
 * Finds known names as `searchFiles` does, in the merge base of a revision and the checked-out branch. Reads git's
 * objects and leaves the work tree alone.
 * @param revision as git knows it: a branch, a tag, an id
 * @throws also a `usage` error outside a repository, for an unknown revision, and without a common commit
 */
export async function searchRevision(
  names: readonly string[],
  revision: string,
  globs: readonly string[],
  options: SelectionOptions,
): Promise<FoundNames> {
  const { top, files, ...selection } = await selectRevision(revision, globs, options)
  const found = new Places(names)
  const scanner = scannerOf(names)
  const unread: UnreadFile[] = [...selection.unread]
  const ids = files.map(({ id }) => id)
  const pause = createPause(options.signal)
  let current = -1
  for await (const [index, piece] of readContents(top, ids, options)) {
    const { file = '' } = files[index] ?? {}
    if (index !== current) {
      current = index
      scanner.begin(!isDocumentation(file), ({ name, isComposed, ...place }) =>
        found.add(name, isComposed, { file, ...place }),
      )
    }
    for (let at = 0; at < piece.length; ) {
      const { from, to } = scanner.room
      const count = piece.copy(scanner.buffer, from, at, at + to - from)
      scanner.added(count)
      at += count
    }
    if (piece.length === 0) {
      const reason = scanner.end()
      if (reason !== undefined) unread.push({ file, reason })
    }
    await pause()
  }
  return { ...selection, names: found.names, unread: unread.sort(byFile), files: files.length }
}
