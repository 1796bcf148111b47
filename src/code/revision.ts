import { FlagadmError } from '../errors.ts'
import { join, pathInside, relativePath } from '../paths.ts'
import { realPath } from '../repository.ts'
import { byFile, type SelectedFiles, type SelectionOptions } from './source-files.ts'
import { checkWorkTree, findMergeBase, listCommit, workTreeOf } from './git.ts'
import { matchGlob, wantedGlobs, withoutExcluded } from './globs.ts'

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
  files: readonly RevisionFile[]
}

/**
 * Selects the files that paths and globs match at the merge base of a revision and the checked-out branch.
 * @throws a `usage` error outside a repository, for an unknown revision, and without a common commit
 */
export async function selectRevision(
  revision: string,
  globs: readonly string[],
  options: SelectionOptions,
): Promise<RevisionSelection> {
  const { cwd } = options
  const top = workTreeOf(realPath(cwd))
  if (top === undefined) {
    const hint = 'run it in a git repository'
    throw new FlagadmError('usage', `--removed-since: ${cwd} is not in a git repository`, { hint })
  }
  await checkWorkTree(top, options)
  const searches = wantedGlobs(globs, cwd).map((glob) => {
    const inside = pathInside(realPath(glob.base), top)
    if (inside !== undefined) return { glob, inside }
    // Its files would look as if they had never existed.
    throw new FlagadmError('usage', `--scan ${glob.glob}: not in the repository ${top}`, {
      hint: 'with --removed-since, scan only files in that repository',
    })
  })
  const commit = await findMergeBase(top, revision, options)
  const paths = searches.map(({ inside }) => inside)
  const all = await listCommit(top, commit, paths, options)
  const here = realPath(cwd)
  const selected = new Map<string, RevisionFile & { unread?: string }>()
  const unmatched = new Set(searches.map(({ glob }) => glob.glob))
  for (const { glob, inside } of searches) {
    const prefix = inside === '' ? '' : `${inside}/`
    const below = all.filter(({ path }) => path === inside || path.startsWith(prefix))
    const matched = matchGlob(glob, below, ({ path }) => path.slice(prefix.length))
    for (const { path, ...one } of matched) {
      const file = relativePath(join(top, path), here)
      selected.set(file, { file, ...one })
    }
    if (matched.length > 0) unmatched.delete(glob.glob)
  }
  const left = withoutExcluded(globs, [...selected.values()], cwd).toSorted(byFile)
  return {
    top,
    files: left.filter(({ unread }) => unread === undefined),
    unread: left.flatMap(({ file, unread }) =>
      unread === undefined ? [] : { file, reason: unread },
    ),
    unmatched: [...unmatched],
    excluded: selected.size - left.length,
    plainFolders: [],
    otherRepositories: [],
  }
}
