import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileReason, FlagadmError, isAbsent, refuseFile } from '../../errors.ts'
import { MAX_BYTES } from '../../input/files.ts'
import { isObject } from '../../input/json.ts'
import { projectDirectories, projectPlaces, userPlaces, rootOf } from './places.ts'
import type { Configuration } from './schema.ts'

/** Who is responsible for a file: the user, or the authors of the repository. */
export type Trust = 'user' | 'project'

export interface ConfigurationFile {
  path: string
  trust: Trust
  stats: Stats
  configuration: Configuration
}

/**
 * Whether a file is a package.json without configuration. Most projects have one, and loading
 * cosmiconfig for it takes 4 ms.
 */
function isOtherPackage(path: string): boolean {
  const fields = rootOf(path)
  if (fields.length === 0) return false
  try {
    const data: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(data) && ![...fields, '$import'].some((field) => Object.hasOwn(data, field))
  } catch {
    // Reading it again reports what is wrong with it.
    return false
  }
}

/** The data in a regular file; undefined if it has none. */
async function loadRegular(path: string, size: number): Promise<unknown> {
  if (size > MAX_BYTES) {
    refuseFile(path, `larger than ${MAX_BYTES / 1024 / 1024} MiB`, 'make it smaller')
  }
  if (isOtherPackage(path)) return undefined
  const { loadRegular: load } = await import('./content.ts')
  return load(path)
}

/** Refuses a pipe that the user did not specify, since reading it may never end. */
async function refuseSpecial(path: string): Promise<never> {
  return refuseFile(path, 'not a regular file', 'remove it, or read it with --config')
}

async function loadPipe(path: string): Promise<unknown> {
  const { loadPipe: load } = await import('./content.ts')
  return load(path)
}

interface FileData {
  data: unknown
  stats: Stats
}

/**
 * The data in a file; undefined if the file does not exist or is empty.
 * @param loadSpecial what to do with a pipe or device
 */
async function readData(
  path: string,
  loadSpecial: (path: string) => Promise<unknown>,
): Promise<FileData | undefined> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats || stats.isDirectory()) return undefined
    const data = await (stats.isFile() ? loadRegular(path, stats.size) : loadSpecial(path))
    return data == null ? undefined : { data, stats }
  } catch (error) {
    if (error instanceof FlagadmError) throw error
    if (isAbsent(error)) return undefined
    return refuseFile(path, `cannot be read: ${fileReason(error)}`, 'check its permissions')
  }
}

async function checked(
  path: string,
  trust: Trust,
  { data, stats }: FileData,
): Promise<ConfigurationFile> {
  const { checkData } = await import('./content.ts')
  return { path, trust, stats, configuration: checkData(path, data) }
}

async function firstFile(
  trust: Trust,
  directory: string,
  places: readonly string[],
): Promise<ConfigurationFile | undefined> {
  for (const place of places) {
    const path = join(directory, place)
    const found = await readData(path, refuseSpecial)
    if (found) return checked(path, trust, found)
  }
  return undefined
}

/** The user's configuration file: `config.{yaml,yml,json}` in the folder. */
export async function findUserFile(
  directory: string | undefined,
): Promise<ConfigurationFile | undefined> {
  // The home directory may be unreadable, as in a container that runs as another user.
  if (directory === undefined || !existsSync(directory)) return undefined
  return firstFile('user', directory, userPlaces)
}

/**
 * The nearest configuration file from the working directory up to the repository root. Outside a
 * repository, only the working directory is searched.
 */
export async function findProjectFile(cwd: string): Promise<ConfigurationFile | undefined> {
  for (const directory of projectDirectories(cwd)) {
    const file = await firstFile('project', directory, projectPlaces)
    if (file) return file
  }
  return undefined
}

/** The file that --config specifies. It is trusted like the user's own. */
export async function readNamedFile(path: string): Promise<ConfigurationFile> {
  const found = await readData(path, loadPipe)
  if (!found) {
    refuseFile(
      path,
      existsSync(path) ? 'contains no configuration' : 'no such file',
      'check the path',
    )
  }
  return checked(path, 'user', found)
}
