import { existsSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
// The public `cosmiconfig()` and `cosmiconfigSync()` first search the working directory for options:
// they execute `.config/config.js` and apply `.config/config.json`, and no option turns that off.
import { Explorer } from 'cosmiconfig/dist/Explorer.js'
import { fileReason, FlagadmError, systemCode } from '../errors.ts'
import { parseDocument, withoutSchema } from '../input/document.ts'
import { MAX_BYTES, readWithin } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import { checkShape } from '../input/shape.ts'
import { projectDirectories, projectPlaces, userPlaces } from './places.ts'
import { rootOf } from './root.ts'
import { type Configuration, configurationSchema } from './schema.ts'

/** Who is responsible for a file: the user, or the authors of the repository. */
export type Trust = 'user' | 'project'

export interface ConfigurationFile {
  path: string
  trust: Trust
  stats: Stats
  configuration: Configuration
}

function refuse(path: string, what: string, hint: string): never {
  throw new FlagadmError('configuration', `${path}: ${what}`, { hint })
}

async function loadData(path: string, text: string): Promise<unknown> {
  const data = await parseDocument(text, path, 'configuration')
  const imports = [data, isObject(data) ? data.flagadm : undefined]
  // Cosmiconfig would merge another file into this one, which could combine its address with this key.
  if (imports.some((part) => isObject(part) && Object.hasOwn(part, '$import'))) {
    refuse(path, '$import is refused', 'write all fields into one file')
  }
  return data
}

function refuseCode(path: string): never {
  refuse(path, 'configuration is data, not code', 'use a .yaml, .yml or .json file')
}

/** An explorer that only loads files, so it needs no options for searching. */
function createExplorer(): Explorer {
  return new Explorer({
    moduleName: 'flagadm',
    searchPlaces: projectPlaces,
    loaders: {
      noExt: loadData,
      '.json': loadData,
      '.yaml': loadData,
      '.yml': loadData,
      default: refuseCode,
    },
    transform: (result) => result,
  })
}

const absent = new Set<string | undefined>(['ENOENT', 'ENOTDIR'])

interface FileData {
  data: unknown
  stats: Stats
}

/**
 * The data in a file; undefined if the file does not exist or is empty.
 * @param loadSpecial what to do with a pipe or device
 */
async function readData(
  explorer: Explorer,
  path: string,
  loadSpecial: (path: string) => Promise<unknown>,
): Promise<FileData | undefined> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return undefined
    const load = stats.isFile() ? loadRegular(explorer, path, stats) : loadSpecial(path)
    const data = await load
    return data == null ? undefined : { data, stats }
  } catch (error) {
    if (error instanceof FlagadmError) throw error
    if (absent.has(systemCode(error))) return undefined
    return refuse(path, `cannot be read: ${fileReason(error)}`, 'check its permissions')
  }
}

async function loadRegular(explorer: Explorer, path: string, { size }: Stats): Promise<unknown> {
  if (size > MAX_BYTES) {
    refuse(path, `larger than ${MAX_BYTES / 1024 / 1024} MiB`, 'make it smaller')
  }
  return (await explorer.load(path))?.config
}

/** Refuses a pipe that the user did not specify, since reading it may never end. */
async function refuseSpecial(path: string): Promise<never> {
  return refuse(path, 'not a regular file', 'remove it, or read it with --config')
}

async function loadPipe(path: string): Promise<unknown> {
  const bytes = await readWithin(path, path, 'configuration')
  return loadData(path, new TextDecoder().decode(bytes))
}

function checkData(path: string, data: unknown): Configuration {
  const { data: configuration, problem } = checkShape(configurationSchema, withoutSchema(data))
  if (!problem) return configuration
  const where = problem.path ? `${path}: ${problem.path}` : path
  return refuse(where, problem.message, 'flagadm help environment lists the fields')
}

function checked(path: string, trust: Trust, { data, stats }: FileData): ConfigurationFile {
  return { path, trust, stats, configuration: checkData(path, data) }
}

/**
 * Checks the text of a configuration file that is about to be written.
 * @throws a configuration error if it is malformed
 */
export async function checkText(path: string, text: string): Promise<Configuration> {
  const data = await loadData(path, text)
  const root = rootOf(path).reduce<unknown>(
    (part, field) => (isObject(part) ? part[field] : undefined),
    data,
  )
  return checkData(path, root)
}

async function firstFile(
  explorer: Explorer,
  trust: Trust,
  directory: string,
  places: readonly string[],
): Promise<ConfigurationFile | undefined> {
  for (const place of places) {
    const path = join(directory, place)
    const found = await readData(explorer, path, refuseSpecial)
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
  return firstFile(createExplorer(), 'user', directory, userPlaces)
}

/**
 * The nearest configuration file from the working directory up to the repository root. Outside a
 * repository, only the working directory is searched.
 */
export async function findProjectFile(cwd: string): Promise<ConfigurationFile | undefined> {
  const explorer = createExplorer()
  for (const directory of projectDirectories(cwd)) {
    const file = await firstFile(explorer, 'project', directory, projectPlaces)
    if (file) return file
  }
  return undefined
}

/** The file that --config specifies. It is trusted like the user's own. */
export async function readNamedFile(path: string): Promise<ConfigurationFile> {
  const found = await readData(createExplorer(), path, loadPipe)
  if (!found) {
    refuse(path, existsSync(path) ? 'contains no configuration' : 'no such file', 'check the path')
  }
  return checked(path, 'user', found)
}
