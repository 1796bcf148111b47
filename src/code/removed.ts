import type { SelectionOptions, UnreadFile } from './source-files.ts'
import { findLookupsInRevision, type LookupOptions } from './lookups/find.ts'
import type { Unresolved } from './lookups/results.ts'
import { searchFiles, searchRevision, type FoundNames, type CodePlace } from './search.ts'

/** Names that the code had at an old revision and no longer has. */
export interface RemovedNames {
  /** Where they were. */
  removed: ReadonlyMap<string, readonly CodePlace[]>
  /** Where the names of the old revision are now, and what could not be read, as in `searchFiles`. */
  now: FoundNames
  before: {
    /** Paths and globs that match nothing there, as after a folder was renamed. */
    unmatched: readonly string[]
    unread: readonly UnreadFile[]
    /** Lookups there that could not be read; empty if the names were given. */
    unresolved: readonly Unresolved[]
    /** How many lookups there were. */
    lookups: number
  }
}

/**
 * Finds names that were in the merge base of a revision and the checked-out branch, and are nowhere in the work tree.
 * @param names known names; undefined for those that lookups used in the old revision
 * @throws as `searchFiles`, and a `usage` error outside a repository, for an unknown revision, and without a common
 * commit
 */
export async function findRemoved(
  names: readonly string[] | undefined,
  revision: string,
  globs: readonly string[],
  options: LookupOptions,
): Promise<RemovedNames> {
  const { old, ...before } = names
    ? await knownBefore(names, revision, globs, options)
    : await lookedUpBefore(revision, globs, options)
  const now = await searchFiles([...old.keys()], globs, options)
  const removed = [...old].filter(([name]) => now.names.get(name)?.places.length === 0)
  return { removed: new Map(removed), now, before }
}

async function knownBefore(
  names: readonly string[],
  revision: string,
  globs: readonly string[],
  options: SelectionOptions,
) {
  const { names: found, ...before } = await searchRevision(names, revision, globs, options)
  const old = new Map<string, CodePlace[]>()
  for (const [name, { places }] of found) if (places.length > 0) old.set(name, places)
  return { old, ...before, unresolved: [], lookups: 0 }
}

async function lookedUpBefore(revision: string, globs: readonly string[], options: LookupOptions) {
  const { references, ...before } = await findLookupsInRevision(revision, globs, options)
  const old = new Map<string, CodePlace[]>()
  for (const { name, file, line, column, text } of references) {
    old.set(name, [...(old.get(name) ?? []), { file, line, column, text }])
  }
  return { old, ...before }
}
