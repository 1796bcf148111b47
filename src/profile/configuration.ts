import { existsSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, parse } from 'node:path'
import type { Context } from '../command/context.ts'
import { fileReason, FlagadmError, isAbsent, refuse } from '../errors.ts'
import type { Host } from '../host.ts'
import { displayPath, join, pathInHome, resolve } from '../paths.ts'
import { isInRepository, projectFolders, repositoryRoot } from '../repository.ts'
import type { Configuration, ProfileFields } from './configuration-schema.ts'

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

export interface Source {
  /** `flag` is an option of the command line; for a file, who is responsible for it. */
  kind: 'flag' | 'environment' | 'user' | 'project' | 'sandbox' | 'default'
  /** As shown to the user: the option, the variable or the short path of the file. */
  from: string
  path?: string
  /** The path of the field in the file; empty for all of it. */
  field?: readonly string[]
}

export interface Sourced<Value> extends Source {
  value: Value
}

/** The value of an option, otherwise of a variable. An empty variable counts as unset. */
export function optionOrVariable(
  option: string,
  value: string | undefined,
  variable: string,
  env: Host['env'],
): Sourced<string> | undefined {
  if (value !== undefined) return { value, kind: 'flag', from: option }
  const fromEnv = env[variable]
  return fromEnv ? { value: fromEnv, kind: 'environment', from: variable } : undefined
}

export function isFile({ kind }: Source): boolean {
  return kind === 'user' || kind === 'project'
}

interface ConfigurationFile extends Source {
  kind: 'user' | 'project'
  path: string
  stats: Stats
  configuration: Configuration
}

export interface Profile extends Pick<ConfigurationFile, 'kind' | 'from' | 'path'> {
  name: string
  field: readonly string[]
  fields: ProfileFields
}

export function sourceOf({ kind, from, path, field }: Profile, name: string): Source {
  return { kind, from, path, field: [...field, name] }
}

/** The configuration of a run, the nearest file first. */
export interface Configurations {
  files: ConfigurationFile[]
  profiles: Map<string, Profile>
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

/** The folder of the user's configuration. A relative XDG_CONFIG_HOME is ignored, because it may be in a repository. */
function userFolder({ env, home }: Host): string | undefined {
  const { XDG_CONFIG_HOME: configured } = env
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'flagadm')
  return home === undefined ? undefined : join(home, '.config', 'flagadm')
}

/** The parts of a context that reading needs; warns only with messages. */
type Reading = Pick<Context, 'host' | 'options'> & Partial<Pick<Context, 'messages'>>

/**
 * Checks who controls a file, by its POSIX mode bits and owner: refuses the user's profiles if others can
 * write them, and warns about a key that others can read.
 */
function checkAccess(file: ConfigurationFile, { host: { uid }, messages }: Reading): void {
  const { kind, path, stats } = file
  const profiles = profilesOf(file)
  if (uid === undefined || profiles.length === 0) return
  if (kind === 'user' && stats.isFile()) {
    if (stats.mode & 0o002) refuse(`${path} is writable by everyone`, `run: chmod o-w '${path}'`)
    // Root may do anything in any case.
    if (stats.uid !== uid && stats.uid !== 0) {
      const hint = `check its content, then run: chown ${uid} '${path}'`
      refuse(`${path} belongs to another user`, hint)
    }
  }
  if (!(stats.mode & 0o044) || profiles.every(({ fields }) => fields.apiKey === undefined)) return
  const advice = `run chmod 600 '${path}'`
  messages?.warn(`${path} contains an API key and others can read it: ${advice}`)
}

interface Search {
  kind: ConfigurationFile['kind']
  paths: readonly string[]
  /** Whether the user has named the file, which then may be a pipe. */
  isNamed: boolean
}

/** Refuses a file that was found if reading it may wait, or if a repository leads to a file of its user. */
function checkFound(path: string, { kind, isNamed }: Search, stats: Stats): void {
  if (isNamed) return
  const hint = 'remove it, or name it with --config'
  if (!stats.isFile()) refuse(`${path} is not a regular file`, hint)
  if (kind === 'user' || isInRepository(path, repositoryRoot(dirname(path)))) return
  refuse(`${path} is a link out of the repository`, hint)
}

/** Reads the first configuration file of a search that exists and is not empty. */
async function readFirst(search: Search, run: Reading): Promise<ConfigurationFile[]> {
  const { kind, paths } = search
  for (const path of paths) {
    try {
      const stats = statSync(path)
      if (stats.isDirectory()) continue
      checkFound(path, search, stats)
      // Loaded only if there is a file, because the packages that it needs are large.
      const { readContent } = await import('./content.ts')
      const configuration = await readContent(path, stats)
      if (!configuration) continue
      const file = { kind, from: displayPath(path, run.host), path, stats, configuration }
      checkAccess(file, run)
      return [file]
    } catch (error) {
      if (error instanceof FlagadmError) throw error
      if (isAbsent(error)) continue
      refuse(`${path}: cannot be read: ${fileReason(error)}`, 'check its permissions')
    }
  }
  return []
}

/** The profiles in a file. The one at the top level is called `default`. */
function profilesOf({ kind, from, path, configuration }: ConfigurationFile): Profile[] {
  const { baseUrl, profiles = {} } = configuration
  const file = { kind, from, path }
  const top = baseUrl !== undefined && { ...configuration, baseUrl }
  const named = Object.entries(profiles)
  return [
    ...(top ? [{ ...file, name: 'default', field: [], fields: top }] : []),
    ...named.map(([name, fields]) => ({ ...file, name, field: ['profiles', name], fields })),
  ]
}

/**
 * Reads the project's and the user's configuration, or only the file given with --config, which is trusted
 * like the user's own.
 * @throws a configuration error for a file that cannot be read, is malformed or is refused
 */
export async function readConfiguration(run: Reading): Promise<Configurations> {
  const { host, options } = run
  const named = optionOrVariable('--config', options.config, 'FLAGADM_CONFIG', host.env)
  const files: ConfigurationFile[] = []
  if (named) {
    const path = resolve(host.cwd, named.value)
    files.push(...(await readFirst({ kind: 'user', paths: [path], isNamed: true }, run)))
    const what = existsSync(path) ? 'contains no configuration' : 'no such file'
    const place = named.kind === 'environment' ? `${named.from}: ${path}` : path
    if (files.length === 0) refuse(`${place}: ${what}`, 'check the path')
  } else {
    const folder = userFolder(host)
    // The home directory may be unreadable, as in a container that runs as another user.
    const userFolders = folder !== undefined && existsSync(folder) ? [folder] : []
    const pathsIn = (folders: string[], places: string[]) =>
      folders.flatMap((parent) => places.map((place) => join(parent, place)))
    const searches: Search[] = [
      {
        kind: 'project',
        paths: pathsIn(projectFolders(host.cwd), projectPlaces),
        isNamed: false,
      },
      {
        kind: 'user',
        paths: pathsIn(userFolders, userPlaces),
        isNamed: false,
      },
    ]
    for (const search of searches) files.push(...(await readFirst(search, run)))
  }
  const profiles = new Map<string, Profile>()
  for (const profile of files.flatMap(profilesOf)) {
    const { name, path } = profile
    const other = profiles.get(name)
    const what = `profile '${name}' is defined in both ${other?.path} and ${path}`
    if (other) refuse(what, 'rename one of them')
    profiles.set(name, profile)
  }
  return { files, profiles }
}

/** A field of the nearest file that has it. */
export function configured<Name extends keyof Configuration>(
  { files }: Configurations,
  name: Name,
): (Sourced<NonNullable<Configuration[Name]>> & { path: string }) | undefined {
  for (const { kind, from, path, configuration } of files) {
    const value = configuration[name]
    if (value !== undefined) return { value, kind, from, path, field: [name] }
  }
  return undefined
}

/**
 * Checks a path from a configuration file: the file of a repository may only name what is in that repository, so that a clone
 * reads no file of its user.
 * @param source the field with the path
 * @throws a configuration error for a path outside
 */
export function checkConfiguredPath(
  { kind, path: file, field = [] }: Source & { path: string },
  path: string,
): void {
  if (kind !== 'project' || isInRepository(path, repositoryRoot(dirname(file)))) return
  refuse(
    `${file}: ${field.join('.')}: ${path} is not in the repository`,
    "a repository's file may only name files of that repository; name others on the command line",
  )
}

/** The name of the default profile, which may be unknown; undefined if none is chosen. */
export function defaultName(all: Configurations): Sourced<string> | undefined {
  const { profiles } = all
  const [single, ...others] = profiles.values()
  const profile = profiles.get('default') ?? (others.length === 0 ? single : undefined)
  // `profile` is the choice of a project for all its users, `defaultProfile` that of one user.
  return (
    configured(all, 'profile') ??
    configured(ownPart(all), 'defaultProfile') ??
    (profile && { ...profile, value: profile.name })
  )
}

export function ownPart({ files, profiles }: Configurations): Configurations {
  return {
    files: files.filter(({ kind }) => kind === 'user'),
    profiles: new Map([...profiles].filter(([, { kind }]) => kind === 'user')),
  }
}

/** The user's configuration file, or the file given with --config; it may not exist yet. */
export function editableFile({ files }: Configurations, host: Host): string {
  const file = files.find(({ kind }) => kind === 'user')
  const folder = userFolder(host)
  if (file) return file.path
  if (folder !== undefined) return join(folder, 'config.yaml')
  return refuse('no home directory for the configuration file', 'set HOME or XDG_CONFIG_HOME')
}
