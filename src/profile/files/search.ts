import { existsSync, type Stats, statSync } from 'node:fs'
import { join } from '../../paths.ts'
import type { Host } from '../../host.ts'
import { fileReason, FlagadmError, isAbsent, refuseFile } from '../../errors.ts'
import { projectFolders, projectPlaces, userFolder, userPlaces } from './places.ts'
import type { Configuration } from './schema.ts'

/** Who is responsible for a file: the user, or the authors of the repository. */
export type Trust = 'user' | 'project'

/** A configuration file that has been read. */
export interface ConfigurationFile {
  path: string
  trust: Trust
  stats: Stats
  configuration: Configuration
}

/**
 * Reads a configuration file; undefined if it does not exist or is empty.
 * @param isPipeAllowed whether to read a pipe or device, which may never end
 */
export async function readFile(
  path: string,
  trust: Trust,
  isPipeAllowed = false,
): Promise<ConfigurationFile | undefined> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats || stats.isDirectory()) return undefined
    if (!stats.isFile() && !isPipeAllowed) {
      refuseFile(path, 'not a regular file', 'remove it, or read it with --config')
    }
    const { checkData, loadFile } = await import('./content.ts')
    const data = await loadFile(path, stats)
    return data == null ? undefined : { path, trust, stats, configuration: checkData(path, data) }
  } catch (error) {
    if (error instanceof FlagadmError) throw error
    if (isAbsent(error)) return undefined
    return refuseFile(path, `cannot be read: ${fileReason(error)}`, 'check its permissions')
  }
}

async function firstFile(
  trust: Trust,
  folder: string,
  places: readonly string[],
): Promise<ConfigurationFile | undefined> {
  for (const place of places) {
    const file = await readFile(join(folder, place), trust)
    if (file) return file
  }
  return undefined
}

/** The user's configuration file: `config.{yaml,yml,json}` in the user's folder. */
export async function findUserFile(host: Host): Promise<ConfigurationFile | undefined> {
  const folder = userFolder(host)
  // The home directory may be unreadable, as in a container that runs as another user.
  if (folder === undefined || !existsSync(folder)) return undefined
  return firstFile('user', folder, userPlaces)
}

/** The nearest configuration file of a project. */
export async function findProjectFile(cwd: string): Promise<ConfigurationFile | undefined> {
  for (const folder of projectFolders(cwd)) {
    const file = await firstFile('project', folder, projectPlaces)
    if (file) return file
  }
  return undefined
}

/** The file that --config specifies. It is trusted like the user's own. */
export async function readNamedFile(path: string): Promise<ConfigurationFile> {
  const file = await readFile(path, 'user', true)
  if (file) return file
  const what = existsSync(path) ? 'contains no configuration' : 'no such file'
  return refuseFile(path, what, 'check the path')
}
