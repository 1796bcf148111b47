import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { resolve } from '../paths.ts'
import {
  type ConfigurationFile,
  findProjectFile,
  findUserFile,
  readFile,
  readNamedFile,
  type Trust,
} from './files/search.ts'
import type { Configuration, ProfileFields } from './files/schema.ts'
import { optionOrVariable, type Source, type Sourced } from './source.ts'

/** A profile of a configuration file. */
export interface Profile {
  name: string
  file: string
  trust: Trust
  fields: ProfileFields
  /** The path of its fields in the file; empty for a profile at the top level. */
  path: readonly string[]
}

/** A profile and its file, for errors. */
export function describeProfile({ file, name }: Profile): string {
  return `profile '${name}' in ${file}`
}

/** The source of a profile's field. */
export function sourceOf({ trust, file, path }: Profile, field: string): Source {
  return { kind: trust, name: file, field: [...path, field] }
}

/** The configuration of a run, the nearest file first. */
export interface Configurations {
  files: ConfigurationFile[]
  profiles: Map<string, Profile>
}

/** The user's part of a configuration. */
export function ownPart({ files, profiles }: Configurations): Configurations {
  return {
    files: files.filter(({ trust }) => trust === 'user'),
    profiles: new Map([...profiles].filter(([, { trust }]) => trust === 'user')),
  }
}

const keyFields = ['apiKey', 'apiKeyEnv', 'apiKeyFile', 'apiKeyCommand'] as const

function refuse(what: string, hint: string): never {
  throw new FlagadmError('configuration', what, { hint })
}

/** The profile at the top level of a file; its name is `default`. */
function topLevelProfile(configuration: Configuration, path: string): ProfileFields | undefined {
  const { baseUrl, apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand } = configuration
  const { caFile, allowHttp, concurrency } = configuration
  const fields = { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand, caFile, allowHttp, concurrency }
  if (baseUrl !== undefined) return { baseUrl, ...fields }
  const stray = Object.entries(fields).find(([, value]) => value !== undefined)
  if (stray) refuse(`${path}: ${stray[0]} requires baseUrl`, 'add baseUrl')
  return undefined
}

type FileContent = Pick<ConfigurationFile, 'path' | 'trust' | 'configuration'>

/**
 * The profiles in a file.
 * @throws a configuration error for a profile that is refused
 */
export function profilesOf({ path, trust, configuration }: FileContent): Profile[] {
  const named = new Map(Object.entries(configuration.profiles ?? {}))
  const single = topLevelProfile(configuration, path)
  if (single) {
    if (named.has('default')) {
      refuse(
        `${path}: profile 'default' is defined twice`,
        'rename the one under profiles, or move the one at the top level there',
      )
    }
    named.set('default', single)
  }
  if (named.has('sandbox')) {
    refuse(`${path}: the profile name 'sandbox' is reserved`, 'rename the profile')
  }
  for (const [name, fields] of named) {
    const keys = keyFields.filter((field) => fields[field] !== undefined)
    if (keys.length > 1) {
      refuse(`${path}: profile '${name}' has ${keys.join(' and ')}`, 'keep only one of them')
    }
  }
  if (trust === 'project' && configuration.trustedProjects) {
    refuse(
      `${path}: trustedProjects is refused in a project's file`,
      'move it to your user configuration (~/.config/flagadm/config.yaml)',
    )
  }
  return [...named].map(([name, fields]) => ({
    name,
    file: path,
    trust,
    fields,
    path: fields === single ? [] : ['profiles', name],
  }))
}

function mergeProfiles(files: readonly ConfigurationFile[]): Map<string, Profile> {
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
  return profiles
}

/** The profiles that completion offers: those of all files that can be read. */
export async function readableProfiles(
  host: Host,
  namedFile: string | undefined,
): Promise<Profile[]> {
  const found =
    namedFile === undefined
      ? [findProjectFile(host.cwd), findUserFile(host)]
      : [readFile(resolve(host.cwd, namedFile), 'user')]
  const profiles = found.map((file) =>
    file.then((read) => (read ? profilesOf(read) : [])).catch(() => []),
  )
  return (await Promise.all(profiles)).flat()
}

/**
 * Reads the project's and the user's configuration, or only the file given with --config.
 * @throws a configuration error for a file that cannot be read, is malformed or is refused
 */
export async function readConfiguration({ host, options }: Context): Promise<Configurations> {
  const named = optionOrVariable('--config', options.config, 'FLAGADM_CONFIG', host.env)
  const found = named
    ? [await readNamedFile(resolve(host.cwd, named.value))]
    : [await findProjectFile(host.cwd), await findUserFile(host)]
  const files = found.filter((file) => file !== undefined)
  return { files, profiles: mergeProfiles(files) }
}

const ROOT = 0

function hasLiteralKey({ configuration }: ConfigurationFile): boolean {
  const profiles = Object.values(configuration.profiles ?? {})
  return [configuration, ...profiles].some(({ apiKey }) => apiKey !== undefined)
}

/** Whether the file decides where requests go or which commands run. */
function isSensitive({ configuration }: ConfigurationFile): boolean {
  const { baseUrl, apiKeyCommand, profiles } = configuration
  return [baseUrl, apiKeyCommand, profiles].some((field) => field !== undefined)
}

function refuseOthersFile(file: ConfigurationFile, user: number): void {
  const { path, stats } = file
  if (!isSensitive(file) || !stats.isFile()) return
  if (stats.mode & 0o002) {
    refuse(`${path} is writable by everyone`, `run: chmod o-w '${path}'`)
  }
  if (stats.uid !== user && stats.uid !== ROOT) {
    refuse(
      `${path} belongs to another user`,
      `check its content, then run: chown ${user} '${path}'`,
    )
  }
}

function warningsOf(file: ConfigurationFile): string[] {
  const { path, stats } = file
  const warnings: string[] = []
  if (hasLiteralKey(file) && stats.mode & 0o044) {
    warnings.push(`${path} contains an API key and others can read it: run chmod 600 '${path}'`)
  }
  if (isSensitive(file) && stats.mode & 0o020) {
    warnings.push(`${path} is writable by its group: run chmod g-w '${path}'`)
  }
  return warnings
}

/**
 * Reads the configuration of a run and checks who can read and change its files, by their POSIX mode bits
 * and owners. Warns about files that others can read or the group can write.
 * @throws a configuration error for a file that others control, and those of `readConfiguration`
 */
export async function readCheckedConfiguration(context: Context): Promise<Configurations> {
  const { host, messages } = context
  const configurations = await readConfiguration(context)
  const { uid } = host
  if (uid === undefined) return configurations
  const { files } = configurations
  for (const file of files) refuseOthersFile(file, uid)
  for (const warning of files.flatMap(warningsOf)) messages.warn(warning)
  return configurations
}

type Default = 'profile' | 'defaultProfile' | 'naming' | 'scan' | 'timeout' | 'retries'

/** A default from the nearest file that has it. */
export function configured<Name extends Default>(
  { files }: Configurations,
  name: Name,
): Sourced<NonNullable<Configuration[Name]>> | undefined {
  for (const { path, trust, configuration } of files) {
    const value = configuration[name]
    if (value !== undefined) return { value, source: { kind: trust, name: path, field: [name] } }
  }
  return undefined
}
