import { dirname, isAbsolute } from 'node:path'
import { FlagadmError } from '../../errors.ts'
import { join, pathInside } from '../../paths.ts'
import { realPath } from '../../repository.ts'
import { byFile, type SelectedFiles, type SelectionOptions } from './source-files.ts'
import {
  changedPaths,
  checkWorkTree,
  type CommittedFile,
  findMergeBase,
  type GivenRevision,
  listCommit,
  listIndex,
  readContents,
  readHead,
  workTreeOf,
} from './git.ts'
import { matchGlob, shownPaths, wantedGlobs, withoutExcluded } from './globs.ts'

// Longer texts are not paths.
const MAX_PATH = 4_096

/** A file of an old revision. */
export interface RevisionFile {
  /** From the working directory, with `/`. */
  file: string
  /** Of its content. */
  id: string
}

/** The files of an old revision that paths and globs select. */
export interface RevisionSelection extends Omit<SelectedFiles, 'files'> {
  /** The work tree of the repository. */
  top: string
  commit: string
  files: readonly RevisionFile[]
  /** The links among its files. */
  links: ReadonlySet<string>
}

/** The files of git's index that paths and globs select. */
export type IndexSelection = Omit<RevisionSelection, 'commit'>

/**
 * The repository, and the places in it that paths and globs are about.
 * @param option the one that asks for it, for errors
 * @throws a `usage` error outside a repository
 */
async function searchesIn(option: string, globs: readonly string[], options: SelectionOptions) {
  const { cwd } = options
  const top = workTreeOf(realPath(cwd))
  if (top === undefined) {
    const hint = 'run it in a git repository'
    throw new FlagadmError('usage', `${option}: ${cwd} is not in a git repository`, { hint })
  }
  await checkWorkTree(top, options)
  const searches = wantedGlobs(globs, cwd).map((glob) => {
    const inside = pathInside(realPath(glob.base), top)
    if (inside !== undefined) return { glob, inside }
    // Its files would look as if they had never existed.
    throw new FlagadmError('usage', `--scan ${glob.glob}: not in the repository ${top}`, {
      hint: `with ${option}, scan only files in that repository`,
    })
  })
  return { top, searches, paths: searches.map(({ inside }) => inside) }
}

/**
 * Selects the files that paths and globs match at the merge base of a revision and the checked-out branch.
 * @throws a `usage` error outside a repository, for an unknown revision, and without a common commit
 */
export async function selectRevision(
  revision: GivenRevision,
  globs: readonly string[],
  options: SelectionOptions,
): Promise<RevisionSelection> {
  const where = await searchesIn(revision.option, globs, options)
  const commit = await findMergeBase(where.top, revision, options)
  const all = await listCommit(where.top, commit, where.paths, options)
  return { ...(await selectFrom(all, where, globs, options)), commit }
}

/**
 * Selects the files of git's index that paths and globs match, and those of the checked-out commit; undefined before the
 * first commit.
 * @throws a `usage` error outside a repository
 */
export async function selectStaged(
  option: string,
  globs: readonly string[],
  options: SelectionOptions,
): Promise<{ index: IndexSelection; head: RevisionSelection | undefined }> {
  const where = await searchesIn(option, globs, options)
  const { top, paths } = where
  const index = await selectFrom(await listIndex(top, paths, options), where, globs, options)
  const { commit } = (await readHead(top, options)) ?? {}
  if (commit === undefined) return { index, head: undefined }
  const all = await listCommit(top, commit, paths, options)
  return { index, head: { ...(await selectFrom(all, where, globs, options)), commit } }
}

/** Selects files by paths and globs. */
async function selectFrom(
  all: readonly CommittedFile[],
  { top, searches, paths }: Awaited<ReturnType<typeof searchesIn>>,
  globs: readonly string[],
  options: SelectionOptions,
): Promise<IndexSelection> {
  const { cwd } = options
  const shown = shownPaths(top, realPath(cwd))
  const selected = new Map<string, CommittedFile & RevisionFile>()
  const unmatched = new Set(searches.map(({ glob }) => glob.glob))
  for (const { glob, inside } of searches) {
    const prefix = inside === '' ? '' : `${inside}/`
    const below = all.filter(({ path }) => path === inside || path.startsWith(prefix))
    const matched = matchGlob(glob, below, ({ path }) => path.slice(prefix.length))
    // Files of submodules may match.
    for (const entry of [...matched, ...below.filter(({ isSubmodule }) => isSubmodule)]) {
      const file = shown(entry.path)
      selected.set(file, { file, ...entry })
    }
    if (matched.length > 0) unmatched.delete(glob.glob)
  }
  const remaining = withoutExcluded(globs, [...selected.values()], cwd).toSorted(byFile)
  const reasons = await unreadReasons(top, [...selected.values()], paths, options)
  return {
    top,
    links: new Set(remaining.filter(({ isLink }) => isLink).map(({ file }) => file)),
    files: remaining.filter(({ path, isLink }) => !isLink && !reasons.has(path)),
    unread: remaining.flatMap(({ file, path }) => {
      const reason = reasons.get(path)
      return reason === undefined ? [] : { file, reason }
    }),
    unmatched: [...unmatched],
    excluded: selected.size - remaining.length,
    plainFolders: [],
    otherRepositories: [],
  }
}

/** The files that differ between an old revision and git's index, from the working directory. */
export async function changedFiles(
  { top, commit }: RevisionSelection,
  options: SelectionOptions,
): Promise<Set<string>> {
  const paths = await changedPaths(top, commit, options)
  return new Set(paths.map(shownPaths(top, realPath(options.cwd))))
}

/**
 * Why files of a commit cannot be read, by path: also links, except those to what is read itself.
 * @param folders those whose files are read
 */
async function unreadReasons(
  top: string,
  files: readonly CommittedFile[],
  folders: readonly string[],
  options: SelectionOptions,
): Promise<Map<string, string>> {
  const paths = new Set(files.map(({ path }) => path))
  const isRead = (path: string) =>
    paths.has(path) || folders.some((folder) => pathInside(`/${path}`, `/${folder}`) !== undefined)
  const links = files.filter(({ isLink }) => isLink)
  const ids = links.map(({ id }) => id)
  const targets = ids.map(() => '')
  for await (const [index, piece] of readContents(top, ids, options)) {
    const text = `${targets[index] ?? ''}${piece.toString()}`
    targets[index] = text.slice(0, MAX_PATH)
  }
  const reasons = new Map<string, string>()
  for (const { path, unread } of files) if (unread !== undefined) reasons.set(path, unread)
  for (const [index, { path }] of links.entries()) {
    const target = targets[index] ?? ''
    const inside = join(dirname(path), target)
    const isOutside = isAbsolute(target) || inside.startsWith('..')
    if (isOutside || !isRead(inside)) reasons.set(path, 'a link')
  }
  return reasons
}
