import { FlagadmError } from '../errors.ts'
import { join, pathInside, relativePath } from '../paths.ts'
import {
  type Content,
  contentOf,
  findReferences,
  MAX_FILE_BYTES,
  type References,
} from './files.ts'
import { findMergeBase, findRepository, type GitOptions, listFiles, readContents } from './git.ts'
import { selectPaths } from './globs.ts'
import { patternOf } from './patterns.ts'
import type { ScanConfiguration } from './references.ts'

/** Refuses globs outside the repository, whose files would look as if they had never existed. */
function checkGlobs(globs: readonly string[], cwd: string, root: string): void {
  for (const glob of globs.filter((one) => !one.startsWith('!'))) {
    const { directory } = patternOf(glob, cwd)
    if (pathInside(directory, root) !== undefined) continue
    throw new FlagadmError('usage', `--scan ${glob}: not in the repository ${root}`, {
      hint: 'with --removed-since, scan only files in that repository',
    })
  }
}

/**
 * Finds the flag names in the source files that globs match at the merge base of a revision and the
 * checked-out branch. Reads with git and leaves the working tree alone. Skips the same files as
 * `scanFiles`; `.gitignore` files are those of the working tree.
 * @param revision as git knows it: a branch, a tag, an id
 * @returns also the globs that match no file
 * @throws a `usage` error outside a repository, for an unknown revision, and without a common commit
 */
export async function scanRevision(
  revision: string,
  globs: readonly string[],
  options: GitOptions & ScanConfiguration,
): Promise<References & { unmatched: string[] }> {
  const { root, cwd } = await findRepository(options)
  checkGlobs(globs, cwd, root)
  const commit = await findMergeBase(revision, options)
  const listed = await listFiles(commit, options)
  const ids = new Map(Array.from(listed, ([path, id]) => [relativePath(join(root, path), cwd), id]))
  const paths = Array.from(listed.keys(), (path) => join(root, path))
  const { files, unmatched } = await selectPaths(globs, paths, cwd, options.signal)
  async function* read(wanted: readonly string[]): AsyncGenerator<Content> {
    const blobs = wanted.map((path) => ids.get(path) ?? '')
    for await (const content of readContents(blobs, MAX_FILE_BYTES, options)) {
      yield content ? contentOf(content) : { reason: 'too large' }
    }
  }
  const found = await findReferences(files, read, options)
  return { ...found, unmatched }
}
