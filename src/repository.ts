import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { join } from './paths.ts'

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
