import { lstatSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { resolve } from '../../paths.ts'
import { isInRepository, realPath } from '../../repository.ts'
import { unreadableReason } from './contents.ts'

/** What a tracked link leads to. */
interface LinkTarget {
  isFolder: boolean
  /** Where it is, without links in its path. */
  location: string
  /** Why it is not read, if so. */
  unread?: string
}

// Longer texts are not paths.
const MAX_PATH = 4_096

/** What is at a path; undefined for nothing, and for a path that leads nowhere or that no file can have. */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** The path that a link leads to. Without `core.symlinks`, git writes a file with that path; another file has replaced the link. */
function pathOfLink(path: string): { text: string; isLink: boolean } | undefined {
  try {
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) return { text: readlinkSync(path), isLink: true }
    const isPath = stats.isFile() && stats.size <= MAX_PATH
    return isPath ? { text: readFileSync(path, 'utf8'), isLink: false } : undefined
  } catch {
    // Reading what is there reports the reason.
    return undefined
  }
}

/**
 * What a tracked link leads to: only what is in the work tree of its repository is read.
 * @returns undefined for a link that is gone, or that a file has replaced
 */
export function linkTarget(path: string, top: string): LinkTarget | undefined {
  const link = pathOfLink(path)
  if (!link) return undefined
  const { text, isLink } = link
  const target = resolve(dirname(path), text)
  const stats = statsAt(target)
  if (!stats && !isLink) return undefined
  const location = realPath(target)
  const isFolder = stats?.isDirectory() === true
  if (stats && isInRepository(location, top)) return { isFolder, location }
  const where = stats ? 'a link out of the repository' : 'a link to nothing'
  return { isFolder, location, unread: unreadableReason(Buffer.from(text)) ?? where }
}
