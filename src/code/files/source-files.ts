import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { fileReason, isAbsent, systemCode } from '../../errors.ts'
import { join } from '../../paths.ts'
import { realPath } from '../../repository.ts'
import { type GitOptions, listWorkTree, pathReason, workTreeOf } from './git.ts'
import { matchGlob, shownPaths, wantedGlobs, withoutExcluded } from './globs.ts'
import { createPause } from './pause.ts'
import { linkTarget, statsAt } from './tracked-links.ts'
import { orderBy } from '../../output/order.ts'
import type { Progress, Task } from '../../output/progress.ts'

/** A file whose content is not known. */
export interface UnreadFile {
  /** From the working directory, with `/`. */
  file: string
  /** In a few words. */
  reason: string
}

export const byFile = orderBy<{ file: string }>(({ file }) => file)

/** A file to read. */
export interface SourceFile {
  /** From the working directory, with `/`. */
  file: string
  location: string
  /** Whether git may have left it out of the work tree. */
  isSparse: boolean
  /** The work tree of its repository; empty without one. */
  repository: string
}

/** The files that paths and globs select. */
export interface SelectedFiles {
  /** In the order of the paths. */
  files: readonly SourceFile[]
  /** Submodules that are not there, and folders that could not be read. */
  unread: readonly UnreadFile[]
  /** Paths and globs that match nothing. */
  unmatched: string[]
  /** How many files are left out by globs that begin with `!`. */
  excluded: number
  /** Folders without a repository, in which no file is ignored. */
  plainFolders: string[]
  /** Folders with repositories that the one around them does not track. Their files are not selected. */
  otherRepositories: string[]
}

export interface SelectionOptions extends GitOptions {
  cwd: string
  progress: Progress
}

interface LinkedFile extends SourceFile {
  isLinked: boolean
}

/** A file or an unread place below a folder. */
interface Entry {
  /** Ends with a slash if it is a folder. */
  path: string
  isSparse: boolean
  isLink?: boolean
  /** Where it is, if links lead to it. */
  location?: string
  /** Set for what cannot be read. */
  unread?: string
  /** Whether it is the folder of a repository that the one around it does not track. */
  isOtherRepository?: boolean
  /** The work tree that it is in. */
  top?: string
}

function isSymbolicLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    // Reading what is there reports the reason.
    return false
  }
}

// More files behind links than a repository has: folders with links to each other have any number of paths.
const MAX_LINKED = 200_000
// More files than are looked at to follow the links of a repository.
const MAX_LOOKED_AT = 100_000_000

/** Lists what is in folders: as git shows it or, without a repository, everything. */
class Lister {
  readonly plainFolders: string[] = []
  readonly #options: GitOptions
  readonly #pause: () => Promise<void> | undefined
  readonly #repositories = new Map<string, Promise<Entry[]>>()
  /** Whether a link has replaced a folder of a work tree, by its path. */
  readonly #replaced = new Map<string, boolean>()
  /** What is in the folders that links lead to, by their paths; nothing while they are listed. */
  readonly #behind = new Map<string, readonly Entry[]>()
  /** How many files links lead to, and how many were looked at for that. */
  #linked = 0
  #lookedAt = 0

  constructor(options: GitOptions) {
    this.#options = options
    this.#pause = createPause(options.signal)
  }

  /** Whether a link has replaced a folder of a work tree, or one above it: git lists what its index has. */
  #isReplaced(top: string, folder: string): boolean {
    if (folder === '.') return false
    const path = `${top}/${folder}`
    const before = this.#replaced.get(path)
    if (before !== undefined) return before
    const isReplaced = this.#isReplaced(top, dirname(folder)) || isSymbolicLink(path)
    this.#replaced.set(path, isReplaced)
    return isReplaced
  }

  /** The files in a work tree, with those of submodules, by their paths from its root. */
  inWorkTree(top: string): Promise<Entry[]> {
    const listed = this.#repositories.get(top) ?? this.#listed(top)
    this.#repositories.set(top, listed)
    return listed
  }

  async #listed(top: string): Promise<Entry[]> {
    const entries: Entry[] = []
    for (const file of await listWorkTree(top, this.#options)) {
      const folder = file.repository === undefined ? dirname(file.path) : file.path
      if (this.#isReplaced(top, folder)) {
        entries.push({ ...file, unread: 'its folder is a link' })
        continue
      }
      if (file.repository === undefined) {
        entries.push({ ...file, top })
        continue
      }
      if (file.repository === 'other') {
        entries.push({ path: file.path, isSparse: false, isOtherRepository: true })
        continue
      }
      const inner = join(top, file.path)
      // After `git submodule deinit`, git would answer for the repository around the empty folder.
      if (existsSync(join(inner, '.git'))) {
        for (const entry of await this.inWorkTree(inner)) {
          entries.push({ ...entry, path: `${file.path}/${entry.path}`, top })
        }
      } else {
        entries.push({ ...file, path: `${file.path}/`, unread: 'submodule' })
      }
    }
    return entries
  }

  /** All files in a folder, except for those of repositories in it that these do not show, and `node_modules`. */
  async inFolder(folder: string): Promise<Entry[]> {
    await this.#pause()
    if (existsSync(join(folder, '.git'))) return this.inWorkTree(folder)
    const entries: Entry[] = []
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = entry.name
        const reason = pathReason(path)
        if (entry.isSymbolicLink()) entries.push({ path, isSparse: false, unread: 'a link' })
        if (entry.isFile() || reason.unread) entries.push({ path, isSparse: false, ...reason })
        if (!entry.isDirectory() || reason.unread || path === 'node_modules') continue
        for (const entry of await this.inFolder(join(folder, path))) {
          entries.push({ ...entry, path: `${path}/${entry.path}` })
        }
      }
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      if (!isAbsent(error)) entries.push({ path: '', isSparse: false, unread: fileReason(error) })
    }
    return entries
  }

  /** What is at a path in a work tree, by paths from there. Links are not followed. */
  async #inPath(real: string, top: string): Promise<Entry[]> {
    const prefix = real.slice(top.length).replace(/^\//, '')
    return (await this.inWorkTree(top)).flatMap((entry): Entry[] => {
      if (prefix === '') return [entry]
      if (entry.path === prefix) return [{ ...entry, path: '' }]
      const isInside = entry.path.startsWith(`${prefix}/`)
      return isInside ? [{ ...entry, path: entry.path.slice(prefix.length + 1) }] : []
    })
  }

  /** What is at a path: in its repository or, without one, in its folder. By paths from there. */
  async at(real: string, base: string): Promise<Entry[]> {
    const top = workTreeOf(real)
    if (top !== undefined) {
      this.#behind.set(real, [])
      const entries = await this.#followed(await this.#inPath(real, top), real, top)
      this.#behind.delete(real)
      return entries
    }
    if (!statsAt(real)?.isDirectory()) return []
    this.plainFolders.push(base)
    return this.inFolder(real)
  }

  /** The entries in a folder of a work tree with what their links lead to; files may be in it several times. */
  async #followed(entries: readonly Entry[], folder: string, top: string): Promise<Entry[]> {
    const all: Entry[] = []
    for (const entry of entries) {
      const { path } = entry
      const target = entry.isLink ? linkTarget(join(folder, path), top) : undefined
      if (!target) {
        all.push(entry)
        continue
      }
      const { location, isFolder, unread } = target
      const behind = isFolder && !unread ? await this.#inLinked(location, top) : []
      this.#linked += behind.length
      const isTooMuch = this.#linked > MAX_LINKED || this.#lookedAt > MAX_LOOKED_AT
      const reason = unread ?? (isTooMuch ? 'too many links' : undefined)
      if (reason) all.push({ ...entry, path: isFolder ? `${path}/` : path, unread: reason })
      else if (!isFolder) all.push({ ...entry, location })
      else for (const entry of behind) all.push({ ...entry, path: `${path}/${entry.path}` })
    }
    return all
  }

  /** What is in a folder that a link leads to: as git shows it, or everything in an ignored one. */
  async #inLinked(folder: string, top: string): Promise<readonly Entry[]> {
    const before = this.#behind.get(folder)
    if (before) return before
    // Links in it that lead back add nothing.
    this.#behind.set(folder, [])
    const repository = workTreeOf(folder) ?? top
    const shown = await this.#inPath(folder, repository)
    const entries = shown.length > 0 ? shown : await this.inFolder(folder)
    this.#lookedAt += entries.length + (await this.inWorkTree(repository)).length
    const followed = await this.#followed(entries, folder, top)
    const behind = followed.map((entry) => ({
      ...entry,
      location: entry.location ?? join(folder, entry.path),
    }))
    this.#behind.set(folder, behind)
    return behind
  }
}

/** The files, each once: a link to a file that is selected itself adds none. */
function withoutRepeated(files: readonly LinkedFile[]): SourceFile[] {
  const locations = new Set(
    files.filter(({ isLinked }) => !isLinked).map(({ location }) => location),
  )
  return files.filter(({ isLinked, location }) => {
    if (!isLinked) return true
    const isNew = !locations.has(location)
    locations.add(location)
    return isNew
  })
}

/**
 * Selects the files that paths and globs match: of those that git shows or, without a repository, of all. A
 * file whose path is given is selected even if git ignores it. A glob that begins with `!` excludes files.
 * @throws a `usage` error for a glob that cannot be matched, and if git is missing or refuses
 */
export async function selectFiles(
  globs: readonly string[],
  options: SelectionOptions,
): Promise<SelectedFiles> {
  const { cwd } = options
  const lister = new Lister(options)
  const searches = wantedGlobs(globs, cwd)
  const files = new Map<string, LinkedFile>()
  const unread = new Map<string, UnreadFile>()
  const others = new Map<string, { file: string }>()
  const unmatched = new Set(searches.map(({ glob }) => glob))
  for (const search of searches) {
    const { base, glob, test } = search
    const real = realPath(base)
    const shown = shownPaths(base, cwd)
    const entries = await lister.at(real, base)
    const matched = matchGlob(search, entries, ({ path }) => path)
    if (matched.some(({ isOtherRepository }) => !isOtherRepository)) unmatched.delete(glob)
    // Files in it may match.
    const folders = entries.filter((entry) => entry.unread && /^$|\/$/.test(entry.path))
    for (const entry of new Set([...matched, ...folders])) {
      const { path, isSparse, unread: reason, location, top = '' } = entry
      const file = shown(path)
      if (entry.isOtherRepository) others.set(file, { file })
      else if (reason !== undefined) unread.set(file, { file: file || '.', reason })
      else {
        const plain = path === '' ? real : `${real}/${path}`
        const isLinked = location !== undefined
        files.set(file, { file, location: location ?? plain, isSparse, isLinked, repository: top })
      }
    }
    if (!test && statsAt(real)?.isFile()) {
      const file = shown('')
      const plainFile = { file, location: real, isSparse: false, isLinked: false, repository: '' }
      files.set(file, files.get(file) ?? plainFile)
      unmatched.delete(glob)
    }
  }
  const selected = withoutRepeated([...files.values()].toSorted(byFile))
  const remaining = withoutExcluded(globs, selected, cwd)
  return {
    files: remaining,
    unread: withoutExcluded(globs, [...unread.values()], cwd),
    unmatched: [...unmatched],
    excluded: selected.length - remaining.length,
    plainFolders: lister.plainFolders,
    otherRepositories: withoutExcluded(globs, [...others.values()], cwd).map(({ file }) => file),
  }
}

/** The search of some files, for progress. */
export function searching({ length }: readonly unknown[]): Task {
  return { verb: 'Searching', noun: 'file', total: length }
}

/** The reason for a tracked file that is not in the work tree. */
export const DELETED = 'deleted'

// A pipe that replaced the file must not block, and a link that is not tracked is not followed.
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * Reads a file synchronously, which takes a fifth of the time of asynchronous reads.
 * @param take gets a function that reads the next bytes into a buffer and returns their number; 0 at the end
 * @returns why the file cannot be read; nothing for one that was read
 */
export async function readFile(
  { location, isSparse }: SourceFile,
  take: (read: (buffer: Buffer, from: number, to: number) => number) => Promise<string | undefined>,
): Promise<string | undefined> {
  let file: number | undefined
  try {
    file = openSync(location, READ)
    const descriptor = file
    const status = fstatSync(descriptor)
    if (!status.isFile()) return 'not a file'
    let length = 0
    return await take((buffer, from, to) => {
      // Another read would only find the end.
      if (length > 0 && length === status.size) return 0
      const count = readSync(descriptor, buffer, from, to - from, null)
      length += count
      return count
    })
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined || code.startsWith('ERR_')) throw error
    if (isAbsent(error)) return isSparse ? 'not checked out' : DELETED
    return code === 'ELOOP' ? 'a link' : fileReason(error)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
