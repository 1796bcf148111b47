import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileReason, isAbsent, systemCode } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { join, withSlashes } from '../paths.ts'
import { type GitOptions, type GitPath, type ListedFile, listWorkTree, workTreeOf } from './git.ts'
import { type Glob, matchGlob, shownPaths, wantedGlobs, withoutExcluded } from './globs.ts'
import { createPause } from './pause.ts'
import { byCodeUnit } from '../output/order.ts'

/** A file whose content is not known. */
export interface UnreadFile {
  /** From the working directory, with `/`. */
  file: string
  /** In a few words. */
  reason: string
}

export function byFile(a: { file: string }, b: { file: string }): number {
  return byCodeUnit(a.file, b.file)
}

/** A file to read. */
export interface SourceFile {
  /** From the working directory, with `/`. */
  file: string
  location: string | Buffer
  /** Whether git may have left it out of the work tree. */
  isSparse: boolean
}

/** The files that paths and globs select. */
export interface Selection {
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
}

export interface SelectionOptions extends GitOptions {
  cwd: string
}

/** A file or an unread place below a folder. */
interface Entry extends GitPath {
  isSparse: boolean
  /** Set for what cannot be read. */
  unread?: string
}

/** The real path of something that may not exist. */
export function realPath(path: string): string {
  try {
    return withSlashes(realpathSync.native(path))
  } catch (error) {
    if (!isAbsent(error)) return path
    const above = dirname(path)
    return above === path ? path : join(realPath(above), basename(path))
  }
}

/** The folder that contains all of some paths. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths
  let folder = first
  for (const path of others) while (!isIn(path, folder)) folder = dirname(folder)
  while (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) folder = dirname(folder)
  return folder
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** A path of git below a folder of it. */
function below(folder: string, { path, bytes }: GitPath): GitPath {
  if (folder === '') return bytes ? { path, bytes } : { path }
  const shown = `${folder}/${path}`
  return bytes
    ? { path: shown, bytes: Buffer.concat([Buffer.from(`${folder}/`), bytes]) }
    : { path: shown }
}

/** Lists what is in folders: as git shows it or, without a repository, everything. */
class Lister {
  readonly plainFolders: string[] = []
  readonly #options: GitOptions
  readonly #pause: () => Promise<void> | undefined
  readonly #repositories = new Map<string, Promise<ListedFile[]>>()

  constructor(options: GitOptions) {
    this.#options = options
    this.#pause = createPause(options.signal)
  }

  /** The files in a folder of a work tree, with those of repositories in it, by their paths from the folder. */
  async inWorkTree(top: string, folder: string): Promise<Entry[]> {
    const listed = this.#repositories.get(folder) ?? listWorkTree(top, folder, this.#options)
    this.#repositories.set(folder, listed)
    const entries: Entry[] = []
    for (const file of await listed) {
      if (!file.isRepository) {
        entries.push(file)
        continue
      }
      const inner = join(folder, file.path)
      // After `git submodule deinit`, git would answer for the repository around the empty folder.
      if (existsSync(join(inner, '.git'))) {
        for (const one of await this.inWorkTree(inner, inner)) {
          entries.push({ ...one, ...below(file.path, one) })
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
    if (existsSync(join(folder, '.git'))) return this.inWorkTree(folder, folder)
    const entries: Entry[] = []
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = entry.name
        if (path.includes('\ufffd') && !existsSync(join(folder, path))) {
          const unread = 'its name is not UTF-8'
          entries.push({ path: entry.isDirectory() ? `${path}/` : path, isSparse: false, unread })
          continue
        }
        if (entry.isFile()) entries.push({ path, isSparse: false })
        if (!entry.isDirectory() || path === 'node_modules') continue
        for (const one of await this.inFolder(join(folder, path))) {
          entries.push({ ...one, ...below(path, one) })
        }
      }
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      if (!isAbsent(error)) entries.push({ path: '', isSparse: false, unread: fileReason(error) })
    }
    return entries
  }
}

/** A glob, with the real path of its base. */
interface Search extends Glob {
  real: string
}

/** What some globs with the same repository match, by glob. */
async function entriesOf(
  searches: readonly Search[],
  top: string | undefined,
  lister: Lister,
): Promise<Map<Search, readonly Entry[]>> {
  const found = new Map<Search, readonly Entry[]>()
  const folder = commonFolder(searches.map(({ real }) => real))
  const all = top === undefined ? [] : await lister.inWorkTree(top, folder)
  for (const search of searches) {
    const { real } = search
    if (top === undefined) {
      const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory()
      if (isFolder) lister.plainFolders.push(search.base)
      found.set(search, isFolder ? await lister.inFolder(real) : [])
      continue
    }
    const prefix = real.slice(folder.length).replace(/^\//, '')
    const inside = all.flatMap((entry): Entry[] => {
      if (prefix === '') return [entry]
      if (entry.path === prefix) return [{ ...entry, path: '' }]
      if (!entry.path.startsWith(`${prefix}/`)) return []
      const bytes = entry.bytes?.subarray(Buffer.byteLength(prefix) + 1)
      return [{ ...entry, path: entry.path.slice(prefix.length + 1), ...(bytes && { bytes }) }]
    })
    found.set(search, inside)
  }
  return found
}

function isRegularFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * Selects the files that paths and globs match: of those that git shows or, without a repository, of all. A
 * file whose path is given is selected even if git ignores it. A glob that begins with `!` excludes files.
 * @throws a `usage` error for a glob that cannot be matched, and if git is missing or refuses
 */
export async function selectFiles(
  globs: readonly string[],
  options: SelectionOptions,
): Promise<Selection> {
  const { cwd } = options
  const lister = new Lister(options)
  const searches = wantedGlobs(globs, cwd).map((glob) => ({ ...glob, real: realPath(glob.base) }))
  const files = new Map<string, SourceFile>()
  const unread = new Map<string, UnreadFile>()
  const unmatched = new Set(searches.map(({ glob }) => glob))
  for (const [top, group] of groupBy(searches, ({ real }) => workTreeOf(real))) {
    for (const [search, entries] of await entriesOf(group, top, lister)) {
      const { base, real, glob, test } = search
      const shown = shownPaths(base, cwd)
      const matched = matchGlob(search, entries, ({ path }) => path)
      for (const { path, bytes, isSparse, unread: reason } of matched) {
        const file = shown(path)
        if (reason !== undefined) unread.set(file, { file: file || '.', reason })
        else {
          const location = bytes
            ? Buffer.concat([Buffer.from(`${real}/`), bytes])
            : path === ''
              ? real
              : `${real}/${path}`
          files.set(file, { file, location, isSparse })
        }
        unmatched.delete(glob)
      }
      if (!test && isRegularFile(real)) {
        const file = shown('')
        files.set(file, files.get(file) ?? { file, location: real, isSparse: false })
        unmatched.delete(glob)
      }
    }
  }
  const left = withoutExcluded(globs, [...files.values()], cwd)
  return {
    files: left.toSorted(byFile),
    unread: withoutExcluded(globs, [...unread.values()], cwd),
    unmatched: [...unmatched],
    excluded: files.size - left.length,
    plainFolders: lister.plainFolders,
  }
}

// A pipe that replaced the file must not block, and a link must not lead elsewhere.
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * Reads a file synchronously, which takes a fifth of the time of asynchronous reads.
 * @param take gets a function that reads the next bytes into a buffer and returns their number; 0 at the end
 * @returns why the file cannot be read; nothing for one that was read, or is no longer there
 */
export async function readFile(
  { location, isSparse }: SourceFile,
  take: (read: (buffer: Buffer, from: number, to: number) => number) => Promise<string | undefined>,
): Promise<string | undefined> {
  let file: number | undefined
  try {
    file = openSync(location, READ)
    const descriptor = file
    if (!fstatSync(descriptor).isFile()) return 'not a file'
    return await take((buffer, from, to) => readSync(descriptor, buffer, from, to - from, null))
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined || code.startsWith('ERR_')) throw error
    if (isAbsent(error)) return isSparse ? 'not checked out' : undefined
    return code === 'ELOOP' ? undefined : fileReason(error)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
