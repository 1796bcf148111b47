import { existsSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, parse } from 'node:path'
import type { Context } from '../context.ts'
import { fileReason, FlagadmError, isAbsent, refuseFile } from '../errors.ts'
import type { Host } from '../host.ts'
import { displayPath, join, pathInHome, resolve } from '../paths.ts'
import type { Configuration, ProfileFields } from './schema.ts'

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

/** Where a value comes from. */
export interface Source {
  /** `flag` is an option of the command line; for a file, who is responsible for it. */
  kind: 'flag' | 'environment' | 'user' | 'project' | 'sandbox' | 'default'
  /** The option, the variable or the path of the file. */
  name: string
}

/** A value and its source. */
export interface Sourced<Value> {
  value: Value
  source: Source
}

/** The value of an option, otherwise of a variable. An empty variable counts as unset. */
export function optionOrVariable(
  option: string,
  value: string | undefined,
  variable: string,
  env: Host['env'],
): Sourced<string> | undefined {
  if (value !== undefined) return { value, source: { kind: 'flag', name: option } }
  const fromEnv = env[variable]
  return fromEnv ? { value: fromEnv, source: { kind: 'environment', name: variable } } : undefined
}

/** Whether a value comes from a configuration file. */
export function isFile({ kind }: Source): boolean {
  return kind === 'user' || kind === 'project'
}

/** The source as shown to the user: a short path, or the option or variable as it is. */
export function sourceText(source: Source, host: Host): string {
  return isFile(source) ? displayPath(source.name, host) : source.name
}

/** A configuration file that has been read. */
interface ConfigurationFile {
  path: string
  /** Who is responsible for it: the user, or the authors of the repository. */
  trust: 'user' | 'project'
  stats: Stats
  configuration: Configuration
}

/** A profile of a configuration file. */
export interface Profile extends Pick<ConfigurationFile, 'trust'> {
  name: string
  file: string
  fields: ProfileFields
  /** Whether its fields are at the top level of the file. */
  isTop: boolean
}

/** The configuration of a run, the nearest file first. */
export interface Configurations {
  files: ConfigurationFile[]
  profiles: Map<string, Profile>
}

/** A profile and its file, for errors. */
export function describeProfile({ file, name }: Profile): string {
  return `profile '${name}' in ${file}`
}

/** The source of a profile's fields. */
export function sourceOf({ trust, file }: Profile): Source {
  return { kind: trust, name: file }
}

/** Resolves a path in a configuration file: `~/` is the home directory, other paths are relative to the file. */
export function pathBeside(file: string, path: string, { home }: Host): string {
  const inHome = pathInHome(path)
  if (home !== undefined && inHome !== undefined) return join(home, inHome)
  return resolve(dirname(file), path)
}

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
function userFolder({ env, home }: Host): string | undefined {
  const { XDG_CONFIG_HOME: configured } = env
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'flagadm')
  return home === undefined ? undefined : join(home, '.config', 'flagadm')
}

/** @throws a configuration error */
export function refuse(what: string, hint: string): never {
  throw new FlagadmError('configuration', what, { hint })
}

/** Refuses a file of the user with profiles that others control, by its POSIX mode bits and owner. */
function refuseOthersFile({ path, stats, configuration }: ConfigurationFile, uid: number): void {
  const { baseUrl, profiles } = configuration
  if (!stats.isFile() || (baseUrl === undefined && profiles === undefined)) return
  if (stats.mode & 0o002) refuse(`${path} is writable by everyone`, `run: chmod o-w '${path}'`)
  // Root may do anything in any case.
  if (stats.uid === uid || stats.uid === 0) return
  refuse(`${path} belongs to another user`, `check its content, then run: chown ${uid} '${path}'`)
}

/** Reads a configuration file; undefined if it does not exist or is empty. */
async function readFile(
  path: string,
  trust: ConfigurationFile['trust'],
  host: Host,
): Promise<ConfigurationFile | undefined> {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) return undefined
    // Loaded only if there is a file, because the packages that it needs are large.
    const { readContent } = await import('./content.ts')
    const configuration = await readContent(path, stats)
    if (!configuration) return undefined
    const file = { path, trust, stats, configuration }
    if (trust === 'user' && host.uid !== undefined) refuseOthersFile(file, host.uid)
    return file
  } catch (error) {
    if (error instanceof FlagadmError) throw error
    if (isAbsent(error)) return undefined
    return refuseFile(path, `cannot be read: ${fileReason(error)}`, 'check its permissions')
  }
}

/** The first configuration file in these folders. */
async function findFile(
  folders: readonly string[],
  places: readonly string[],
  trust: ConfigurationFile['trust'],
  host: Host,
): Promise<ConfigurationFile | undefined> {
  for (const path of folders.flatMap((folder) => places.map((place) => join(folder, place)))) {
    const file = await readFile(path, trust, host)
    if (file) return file
  }
  return undefined
}

const keyFields = ['apiKey', 'apiKeyEnv', 'apiKeyFile', 'apiKeyCommand'] as const

/**
 * The profiles in a file. The one at the top level is called `default`.
 * @throws a configuration error for key fields at the top level without an address
 */
export function profilesOf({
  path,
  trust,
  configuration,
}: Omit<ConfigurationFile, 'stats'>): Profile[] {
  const { baseUrl, profiles = {} } = configuration
  const { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand } = configuration
  const { caFile, allowHttp, concurrency } = configuration
  const fields = { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand, caFile, allowHttp, concurrency }
  const stray = Object.entries(fields).find(([, value]) => value !== undefined)
  if (stray && baseUrl === undefined) refuse(`${path}: ${stray[0]} requires baseUrl`, 'add baseUrl')
  const named = Object.entries(profiles).map(([name, own]) => {
    return { name, file: path, trust, fields: own, isTop: false }
  })
  const all =
    baseUrl === undefined
      ? named
      : [
          { name: 'default', file: path, trust, fields: { baseUrl, ...fields }, isTop: true },
          ...named,
        ]
  for (const { name, fields: own } of all) {
    const keys = keyFields.filter((field) => own[field] !== undefined)
    if (keys.length < 2) continue
    refuse(`${path}: profile '${name}' has ${keys.join(' and ')}`, 'keep only one of them')
  }
  return all
}

/**
 * Reads the project's and the user's configuration, or only the file given with --config, which is trusted
 * like the user's own.
 * @throws a configuration error for a file that cannot be read, is malformed or is refused
 */
export async function readConfiguration({
  host,
  options,
}: {
  host: Host
  options: Pick<Context['options'], 'config'>
}): Promise<Configurations> {
  const named = optionOrVariable('--config', options.config, 'FLAGADM_CONFIG', host.env)
  const found: (ConfigurationFile | undefined)[] = []
  if (named) {
    const path = resolve(host.cwd, named.value)
    const file = await readFile(path, 'user', host)
    const what = existsSync(path) ? 'contains no configuration' : 'no such file'
    found.push(file ?? refuseFile(path, what, 'check the path'))
  } else {
    const folder = userFolder(host)
    // The home directory may be unreadable, as in a container that runs as another user.
    const own = folder !== undefined && existsSync(folder) ? [folder] : []
    found.push(await findFile(projectFolders(host.cwd), projectPlaces, 'project', host))
    found.push(await findFile(own, userPlaces, 'user', host))
  }
  const files = found.filter((file) => file !== undefined)
  const profiles = new Map<string, Profile>()
  for (const profile of files.flatMap(profilesOf)) {
    const other = profiles.get(profile.name)
    if (other) {
      refuse(
        `profile '${profile.name}' is defined in both ${other.file} and ${profile.file}`,
        'rename one of them',
      )
    }
    profiles.set(profile.name, profile)
  }
  return { files, profiles }
}

/** Reads the configuration as `readConfiguration` does, and warns about keys that others can read. */
export async function readCheckedConfiguration(
  run: Pick<Context, 'host' | 'options' | 'messages'>,
): Promise<Configurations> {
  const configurations = await readConfiguration(run)
  for (const { path, stats, configuration } of configurations.files) {
    const profiles = [configuration, ...Object.values(configuration.profiles ?? {})]
    const hasKey = profiles.some(({ apiKey }) => apiKey !== undefined)
    if (run.host.uid === undefined || !hasKey || !(stats.mode & 0o044)) continue
    const advice = `run chmod 600 '${path}'`
    run.messages.warn(`${path} contains an API key and others can read it: ${advice}`)
  }
  return configurations
}

/** The user's part of a configuration. */
export function ownPart({ files, profiles }: Configurations): Configurations {
  return {
    files: files.filter(({ trust }) => trust === 'user'),
    profiles: new Map([...profiles].filter(([, { trust }]) => trust === 'user')),
  }
}

type Default = 'profile' | 'defaultProfile' | 'naming' | 'scan' | 'timeout' | 'retries'

/** A default from the nearest file that has it. */
export function configured<Name extends Default>(
  { files }: Configurations,
  name: Name,
): Sourced<NonNullable<Configuration[Name]>> | undefined {
  for (const { path, trust, configuration } of files) {
    const value = configuration[name]
    if (value !== undefined) return { value, source: { kind: trust, name: path } }
  }
  return undefined
}

/** The user's configuration file, or the file given with --config; it may not exist yet. */
export function editableFile({ files }: Configurations, host: Host): string {
  const file = files.find(({ trust }) => trust === 'user')
  const folder = userFolder(host)
  if (file) return file.path
  if (folder !== undefined) return join(folder, 'config.yaml')
  return refuse('no home directory for the configuration file', 'set HOME or XDG_CONFIG_HOME')
}
