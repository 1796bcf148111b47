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

/** Whether a path is in the work tree of a repository, after links are resolved, and not in the `.git` of one. */
export function isInRepository(path: string, root: string): boolean {
  const inside = pathInside(realPath(path), realPath(root))
  return inside !== undefined && !inside.toLowerCase().split('/').includes('.git')
}
