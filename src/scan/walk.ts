import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from '../paths.ts'
import { isIgnored, type OnUnusable, type Rules, rulesBelow, rulesInside } from './gitignore.ts'

/** Directories that are never scanned. */
export const SKIPPED_FOLDERS: readonly string[] = ['.git', 'node_modules']

/** The results of a walk, by their paths below the directory where it began. */
interface Walk {
  /** Lets other events happen now and then. Throws when the user interrupts. */
  pause(): Promise<void>
  files: string[]
  /** Paths that are not scanned; a directory ends in `/`. */
  skipped: Map<string, 'ignored' | 'link'>
  onUnreadable(path: string, error: unknown): void
  onUnusable: OnUnusable
}

/** A directory on the walk. */
interface Folder {
  directory: string
  /** Its path below the directory where the walk began: empty, or ending in `/`. */
  path: string
  /** The inherited rules. */
  rules: Rules
  /** How many levels of directories below it to enter. */
  depth: number
}

/**
 * Walks a directory in no particular order, without ignored files and directories. Does not follow
 * symbolic links.
 */
export async function walkFiles(folder: Folder, walk: Walk): Promise<void> {
  await walk.pause()
  const reading = readdir(folder.directory, { withFileTypes: true })
  const entries = await reading.catch((error): Dirent[] => {
    walk.onUnreadable(folder.path, error)
    return []
  })
  const names = entries.map(({ name }) => name)
  const rules = await rulesInside(folder.rules, folder.directory, names, walk.onUnusable)
  const inner: Folder[] = []
  for (const entry of entries) {
    await walk.pause()
    const { name } = entry
    const isDirectory = entry.isDirectory()
    const path = folder.path + name
    if (entry.isSymbolicLink()) walk.skipped.set(path, 'link')
    const isWanted = isDirectory ? folder.depth > 0 : entry.isFile()
    if (!isWanted || SKIPPED_FOLDERS.includes(name)) continue
    const shown = isDirectory ? `${path}/` : path
    if (isIgnored(rules, name, isDirectory)) walk.skipped.set(shown, 'ignored')
    else if (!isDirectory) walk.files.push(path)
    else {
      const directory = join(folder.directory, name)
      const depth = folder.depth - 1
      inner.push({ directory, path: shown, rules: rulesBelow(rules, name), depth })
    }
  }
  await Promise.all(inner.map((below) => walkFiles(below, walk)))
}
