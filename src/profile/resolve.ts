import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from '../input/files.ts'
import { checkAddress } from './address.ts'
import { checkKey, pathBeside, profileKey, type ReadKey, readKeyFile } from './key.ts'
import { type Configurations, chooseProfile, type Profile } from './profiles.ts'

/** Where a value came from; `name` is what the user would look for (`--base-url`, a file's field). */
export interface Source {
  kind: 'flag' | 'environment' | 'user' | 'project' | 'default' | 'sandbox'
  name: string
}

export interface Sourced<Value> {
  value: Value
  source: Source
}

/** What the command line says about the service. */
export interface ConnectionOptions {
  profile?: string | undefined
  baseUrl?: string | undefined
  apiKeyFile?: string | undefined
  allowHttp?: boolean | undefined
}

/** Where to send requests and with which key. */
export interface Connection {
  address: Sourced<string>
  apiKey: Sourced<string>
  caFile?: string
}

function fieldName({ file, name }: Profile): string {
  return `profile '${name}' in ${file}`
}

/** A value of the command line, else of the environment; an empty variable counts as unset. */
export function given(
  option: string,
  value: string | undefined,
  variable: string,
  env: Host['env'],
): Sourced<string> | undefined {
  if (value !== undefined) return { value, source: { kind: 'flag', name: option } }
  const fromEnv = env[variable]
  return fromEnv ? { value: fromEnv, source: { kind: 'environment', name: variable } } : undefined
}

function givenAddress({ baseUrl }: ConnectionOptions, { env }: Host): Sourced<string> | undefined {
  return given('--base-url', baseUrl, 'FLAGADM_BASE_URL', env)
}

/** The profile to take values from: none when it was not asked for and everything is given directly. */
function profileOf(
  configurations: Configurations,
  options: ConnectionOptions,
  host: Host,
): Profile | undefined {
  const { FLAGADM_PROFILE, FLAGADM_API_KEY } = host.env
  const named = options.profile ?? (FLAGADM_PROFILE || undefined)
  const hasKey = options.apiKeyFile !== undefined || Boolean(FLAGADM_API_KEY)
  if (named === undefined && hasKey && givenAddress(options, host)) return undefined
  return chooseProfile(configurations, named)
}

/** Whether an address is the one of the profile, wherever it was given. */
function isOwnAddress(profile: Profile, address: Sourced<string>): boolean {
  return checkAddress(profile.fields.baseUrl, fieldName(profile), true) === address.value
}

function addressOf(
  profile: Profile | undefined,
  options: ConnectionOptions,
  host: Host,
): Sourced<string> {
  const direct = givenAddress(options, host)
  const allowHttp = options.allowHttp === true
  if (direct) {
    return { ...direct, value: checkAddress(direct.value, direct.source.name, allowHttp) }
  }
  if (!profile) {
    throw new FlagadmError('configuration', 'no service is configured', {
      hint:
        'set FLAGADM_BASE_URL and FLAGADM_API_KEY, write a profile ' +
        '(flagadm help environment shows where), or try it with --profile sandbox',
    })
  }
  const source: Source = { kind: profile.trust, name: fieldName(profile) }
  const allowed = allowHttp || profile.fields.allowHttp === true
  return { value: checkAddress(profile.fields.baseUrl, source.name, allowed), source }
}

/** The address alone: all that a dry run needs. */
export function resolveAddress(
  configurations: Configurations,
  options: ConnectionOptions,
  host: Host,
): Sourced<string> {
  return addressOf(profileOf(configurations, options, host), options, host)
}

/** A key belongs to the address that it was configured with. */
function refuseForeignAddress(address: Sourced<string>, key: Source, profile?: Profile): void {
  const refuse = (hint: string): never => {
    throw new FlagadmError(
      'configuration',
      `the API key from ${key.name} is not sent to ${address.value} (from ${address.source.name})`,
      { hint },
    )
  }
  if (address.source.kind === 'project' && key.kind !== 'project') {
    refuse(
      'set FLAGADM_BASE_URL beside FLAGADM_API_KEY, ' +
        'or move the profile to your user configuration (~/.config/flagadm/config.yaml)',
    )
  }
  const fromProfile = key.kind === 'user' || key.kind === 'project'
  if (fromProfile && profile && !isOwnAddress(profile, address)) {
    const { baseUrl } = profile.fields
    refuse(`give the key of that address with FLAGADM_API_KEY or --api-key-file, or use ${baseUrl}`)
  }
}

/** A key that is not read yet, so that no command runs for a refused address. */
interface Key {
  source: Source
  read: ReadKey
}

function keyOf(
  profile: Profile | undefined,
  { apiKeyFile }: ConnectionOptions,
  host: Host,
  inputs: Inputs,
): Key | undefined {
  if (apiKeyFile !== undefined) {
    const source: Source = { kind: 'flag', name: '--api-key-file' }
    return { source, read: () => readKeyFile(apiKeyFile, source.name, inputs) }
  }
  const { FLAGADM_API_KEY: fromEnv } = host.env
  if (fromEnv) {
    const source: Source = { kind: 'environment', name: 'FLAGADM_API_KEY' }
    return { source, read: async () => checkKey(fromEnv, source.name) }
  }
  if (!profile) return undefined
  const source: Source = { kind: profile.trust, name: fieldName(profile) }
  const read = profileKey(profile.fields, source.name, profile.file, host, inputs)
  return read && { source, read }
}

/**
 * Resolves where to send requests and with which key: command line, then environment, then
 * configuration.
 * @throws a configuration error when either is missing, malformed, or they do not belong together
 */
export async function resolveConnection(
  configurations: Configurations,
  options: ConnectionOptions,
  host: Host,
  inputs: Inputs,
): Promise<Connection> {
  const profile = profileOf(configurations, options, host)
  const address = addressOf(profile, options, host)
  const key = keyOf(profile, options, host, inputs)
  if (!key) {
    throw new FlagadmError('configuration', `no API key for ${address.value}`, {
      hint: 'set FLAGADM_API_KEY, give --api-key-file, or put apiKey into the profile',
    })
  }
  refuseForeignAddress(address, key.source, profile)
  const caFile = profile && isOwnAddress(profile, address) ? profile.fields.caFile : undefined
  return {
    address,
    apiKey: { value: await key.read(), source: key.source },
    ...(profile && caFile !== undefined && { caFile: pathBeside(profile.file, caFile, host) }),
  }
}
