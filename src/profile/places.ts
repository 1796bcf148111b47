import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Host } from '../host.ts'

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

/** The working directory and its parents up to the repository root; only itself outside a repository. */
export function projectDirectories(cwd: string): string[] {
  const directories: string[] = []
  for (let directory = cwd; ; directory = dirname(directory)) {
    directories.push(directory)
    if (existsSync(join(directory, '.git'))) return directories
    if (dirname(directory) === directory) return [cwd]
  }
}

/** The folder of the user's configuration. A relative XDG_CONFIG_HOME is ignored, since it may be in a repository. */
export function userDirectory({ env, home }: Host): string | undefined {
  const { XDG_CONFIG_HOME: configured = '' } = env
  if (isAbsolute(configured)) return join(configured, 'flagadm')
  return home === undefined ? undefined : join(home, '.config', 'flagadm')
}
