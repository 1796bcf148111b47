import { stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import {
  type ConfigurationFile,
  findProjectFile,
  findUserFile,
  readNamedFile,
  type Trust,
} from './files.ts'
import type { Configuration, ProfileFields } from './schema.ts'

/** A profile of a configuration file. */
export interface Profile {
  name: string
  file: string
  trust: Trust
  fields: ProfileFields
}

/** All configuration of a run; the nearer file comes first. */
export interface Configurations {
  files: ConfigurationFile[]
  profiles: Map<string, Profile>
}

const keyFields = ['apiKey', 'apiKeyEnv', 'apiKeyFile', 'apiKeyCommand'] as const
const outsideFields = ['apiKeyEnv', 'apiKeyFile', 'apiKeyCommand', 'caFile'] as const

function refuse(what: string, hint: string): never {
  throw new FlagadmError('configuration', what, { hint })
}

/** A single-profile file has the fields of its profile, which is called `default`, at the top level. */
function topLevelProfile(configuration: Configuration, path: string): ProfileFields | undefined {
  const { baseUrl, apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand, caFile, allowHttp } = configuration
  const fields = { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand, caFile, allowHttp }
  if (baseUrl !== undefined) return { baseUrl, ...fields }
  const stray = Object.entries(fields).find(([, value]) => value !== undefined)
  if (stray) refuse(`${path}: ${stray[0]} stands without a baseUrl`, 'put a baseUrl beside it')
  return undefined
}

function profilesOf({ path, trust, configuration }: ConfigurationFile): Profile[] {
  const named = new Map(Object.entries(configuration.profiles ?? {}))
  const single = topLevelProfile(configuration, path)
  if (single) {
    if (named.has('default')) {
      refuse(
        `${path}: two profiles are called default`,
        'move the one at the top level to profiles',
      )
    }
    named.set('default', single)
  }
  if (named.has('sandbox')) {
    refuse(`${path}: the profile name sandbox is reserved`, 'give the profile another name')
  }
  for (const [name, fields] of named) {
    const keys = keyFields.filter((field) => fields[field] !== undefined)
    if (keys.length > 1) {
      refuse(`${path}: profile '${name}' has ${keys.join(' and ')}`, 'give one of them')
    }
  }
  return [...named].map(([name, fields]) => ({ name, file: path, trust, fields }))
}

function mergeProfiles(files: readonly ConfigurationFile[]): Map<string, Profile> {
  const profiles = new Map<string, Profile>()
  for (const profile of files.flatMap(profilesOf)) {
    const other = profiles.get(profile.name)
    if (other) {
      refuse(
        `profile '${profile.name}' stands in ${other.file} and in ${profile.file}`,
        'rename one of them',
      )
    }
    profiles.set(profile.name, profile)
  }
  return profiles
}

/** The folder of the user's configuration; a relative one would be a folder of whoever's repository. */
function userDirectory({ env, home }: Host): string | undefined {
  const { XDG_CONFIG_HOME: configured = '' } = env
  if (isAbsolute(configured)) return join(configured, 'flagadm')
  return home === undefined ? undefined : join(home, '.config', 'flagadm')
}

/**
 * Loads the project's and the user's configuration, or the one file that was named.
 * @throws a configuration error for a file that cannot be read, is malformed or is refused
 */
export async function loadConfigurations(
  host: Host,
  namedFile: string | undefined,
): Promise<Configurations> {
  const found =
    namedFile === undefined
      ? [await findProjectFile(host.cwd), await findUserFile(userDirectory(host))]
      : [await readNamedFile(resolve(host.cwd, namedFile))]
  const files = found.filter((file) => file !== undefined)
  return { files, profiles: mergeProfiles(files) }
}

/** An inert default from the nearest file that has it. */
export function configured<Name extends 'profile' | 'naming' | 'timeout' | 'retries'>(
  { files }: Configurations,
  name: Name,
): { value: NonNullable<Configuration[Name]>; file: string } | undefined {
  for (const { path, configuration } of files) {
    const value = configuration[name]
    if (value !== undefined) return { value, file: path }
  }
  return undefined
}

/** The profile of a run: the named one, else the configured default, else the one called `default`. */
export function chooseProfile(
  configurations: Configurations,
  named: string | undefined,
): Profile | undefined {
  const { files, profiles } = configurations
  const user = files.find(({ trust }) => trust === 'user')?.configuration
  const name = named ?? configured(configurations, 'profile')?.value ?? user?.defaultProfile
  const profile = profiles.get(name ?? 'default')
  if (!profile && name !== undefined) {
    const known = [...profiles.keys()].join(', ')
    refuse(`no profile is called '${name}'`, known ? `known: ${known}` : 'no profile is configured')
  }
  if (profile) refuseOutsideFields(profile)
  return profile
}

/** A project's file must not reach outside itself for a key. */
function refuseOutsideFields({ name, file, trust, fields }: Profile): void {
  const outside = outsideFields.find((field) => fields[field] !== undefined)
  if (trust === 'project' && outside) {
    refuse(
      `${file}: ${outside} of profile '${name}' is refused in a project's file`,
      'move the profile to your user configuration (~/.config/flagadm/config.yaml)',
    )
  }
}

function holdsLiteralKey({ configuration }: ConfigurationFile): boolean {
  const profiles = Object.values(configuration.profiles ?? {})
  return [configuration, ...profiles].some(({ apiKey }) => apiKey !== undefined)
}

/** A warning for each file that holds a key and that others can read (POSIX mode bits). */
export async function exposedFiles({ files }: Configurations): Promise<string[]> {
  const warnings: string[] = []
  for (const file of files.filter(holdsLiteralKey)) {
    const { mode } = await stat(file.path)
    if (platform() !== 'win32' && mode & 0o044) {
      warnings.push(`${file.path} holds an API key and others can read it: chmod 600 it`)
    }
  }
  return warnings
}
