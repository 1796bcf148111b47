import { existsSync } from 'node:fs'
import { dirname, isAbsolute, parse } from 'node:path'
import { join } from '../../paths.ts'
import type { Host } from '../../host.ts'

export const userPlaces = ['config.yaml', 'config.yml', 'config.json']
export const projectPlaces = [
  '.flagadmrc',
  '.flagadmrc.json',
  '.flagadmrc.yaml',
  '.flagadmrc.yml',
  'flagadm.config.json',
  'flagadm.config.yaml',
  'flagadm.config.yml',
  'package.json',
]

/** The path of the configuration within a file: for cosmiconfig, `package.json` and `package.yaml` have a field for it. */
export function rootOf(file: string): readonly string[] {
  return parse(file).name === 'package' ? ['flagadm'] : []
}

/**
 * Where to look for a project's file: in the working directory and its parents up to the repository root;
 * outside a repository, only in the working directory.
 */
export function projectFolders(cwd: string): string[] {
  const folders: string[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (dirname(folder) === folder) return [cwd]
  }
}

/** The folder of the user's configuration. A relative XDG_CONFIG_HOME is ignored, because it may be in a repository. */
export function userFolder({ env, home }: Host): string | undefined {
  const { XDG_CONFIG_HOME: configured } = env
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'flagadm')
  return home === undefined ? undefined : join(home, '.config', 'flagadm')
}
