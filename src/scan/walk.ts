import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isDirectoryIgnored,
  isFileIgnored,
  type Rules,
  rulesBelow,
  rulesInside,
} from './gitignore.ts'

/** What no walk looks at. */
export const SKIPPED: readonly string[] = ['.git', 'node_modules']

/** What a walk looks for, and who hears of what it meets. */
export interface Walk {
  signal: AbortSignal
  /** Whether a file is wanted, by its path under the directory where the walk began. */
  matches(path: string): boolean
  onFile(path: string): void
  onUnreadable(path: string, error: unknown): void
}

/** A directory on the walk. */
export interface Place {
  directory: string
  /** Its path under the directory where the walk began: empty, or ending in `/`. */
  path: string
  /** The rules that it gets from above. */
  rules: Rules
  /** How many levels of directories below it to enter. */
  depth: number
}

async function entriesOf({ directory, path }: Place, walk: Walk): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true })
  } catch (error) {
    walk.onUnreadable(path, error)
    return []
  }
}

/**
 * Walks down a directory, past ignored files and directories, never into those; symbolic links are
 * not followed. In no particular order. Ends early when the signal aborts.
 */
export async function walkFiles(place: Place, walk: Walk): Promise<void> {
  if (walk.signal.aborted) return
  const entries = await entriesOf(place, walk)
  const names = entries.map(({ name }) => name)
  const rules = await rulesInside(place.rules, place.directory, names)
  const inner: Promise<void>[] = []
  for (const entry of entries) {
    const { name } = entry
    const path = place.path + name
    if (SKIPPED.includes(name)) continue
    if (entry.isFile()) {
      if (walk.matches(path) && !isFileIgnored(rules, name)) walk.onFile(path)
    } else if (entry.isDirectory() && place.depth > 0 && !isDirectoryIgnored(rules, name)) {
      const directory = join(place.directory, name)
      const below = { rules: rulesBelow(rules, name), depth: place.depth - 1 }
      inner.push(walkFiles({ directory, path: `${path}/`, ...below }, walk))
    }
  }
  await Promise.all(inner)
}
