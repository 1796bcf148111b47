import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isAbsent } from './errors.ts'
import { join, pathInside, withSlashes } from './paths.ts'

/** The folders from the working directory up to the root of its repository; outside of one, the working directory alone. */
export function projectFolders(cwd: string): string[] {
  const folders: string[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (dirname(folder) === folder) return [cwd]
  }
}

/** The root of the repository that a folder is in; outside of one, the folder itself. */
export function repositoryRoot(folder: string): string {
  return projectFolders(folder).at(-1) ?? folder
}

// No system has longer ones.
const MAX_PATH = 32_767

/** The real path of something that may not exist. */
export function realPath(path: string): string {
  const missing: string[] = []
  for (let existing = path; path.length <= MAX_PATH; existing = dirname(existing)) {
    try {
      return join(withSlashes(realpathSync.native(existing)), ...missing)
    } catch (error) {
      if (!isAbsent(error) || dirname(existing) === existing) break
      missing.unshift(basename(existing))
    }
  }
  return path
}

/** Whether a path is in the work tree of a repository, after links are resolved, and not in the `.git` of one. */
export function isInRepository(path: string, root: string): boolean {
  const inside = pathInside(realPath(path), realPath(root))
  return inside !== undefined && !inside.toLowerCase().split('/').includes('.git')
}
