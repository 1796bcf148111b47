import { FlagadmError, interrupted } from '../errors.ts'
import { join, pathInside, relativePath } from '../paths.ts'
import { type FlagUse, MAX_FILE_BYTES, scanText, textIn } from './files.ts'
import { findCommit, findRepository, type GitOptions, listFiles, readContents } from './git.ts'
import { selectPaths } from './globs.ts'
import { createMatcher } from './match.ts'
import { patternOf } from './patterns.ts'

interface RevisionScan {
  /** In the order of the files' paths (code units), then of the text. */
  uses: FlagUse[]
  /** Globs that match no file. */
  unmatched: string[]
}

interface RevisionOptions extends GitOptions {
  /** Custom patterns that `checkMatch` accepts. */
  patterns?: readonly string[]
}

/** Refuses globs outside the repository, whose files would look as if they had never existed. */
function checkPlaces(globs: readonly string[], cwd: string, root: string): void {
  for (const glob of globs.filter((one) => !one.startsWith('!'))) {
    const { directory } = patternOf(glob, cwd)
    if (pathInside(directory, root) !== undefined) continue
    throw new FlagadmError('usage', `--scan ${glob}: not in the repository ${root}`, {
      hint: 'with --removed-since, scan only files in that repository',
    })
  }
}

/**
 * Finds the flag names in the source files that globs match in a commit of the repository around the
 * working directory. Reads with git and leaves the working tree alone. Skips the same files as
 * `scanFiles`; `.gitignore` files are those of the working tree.
 * @param revision as git knows it: a branch, a tag, an id
 * @throws a `usage` error outside a repository, and for an unknown revision
 */
export async function scanRevision(
  revision: string,
  globs: readonly string[],
  options: RevisionOptions,
): Promise<RevisionScan> {
  const { signal, patterns = [] } = options
  const { root, cwd } = await findRepository(options)
  checkPlaces(globs, cwd, root)
  const commit = await findCommit(revision, options)
  const listed = await listFiles(commit, options)
  const ids = new Map(Array.from(listed, ([path, id]) => [join(root, path), id]))
  const { files, unmatched } = await selectPaths(globs, [...ids.keys()], cwd, signal)
  const matcher = patterns.length > 0 ? createMatcher(patterns, signal) : undefined
  const uses: FlagUse[] = []
  try {
    const wanted = files.map((path) => ids.get(path) ?? '')
    let index = 0
    for await (const content of readContents(wanted, MAX_FILE_BYTES, options)) {
      const file = relativePath(files[index++] ?? '', cwd)
      const text = content && textIn(content)
      if (text !== undefined) uses.push(...(await scanText(file, text, matcher)).uses)
      if (signal.aborted) throw interrupted()
    }
  } finally {
    await matcher?.close()
  }
  return { uses, unmatched }
}
