import { FlagadmError } from '../errors.ts'
import type { Context } from '../context.ts'
import type { Host } from '../host.ts'
import { checkAddress } from './address.ts'
import {
  type Choice,
  chooseProfile,
  type Given,
  givenProfile,
  type Source,
  type Sourced,
} from './choice.ts'
import { checkKey, pathBeside, profileKey, readKeyFile, type UnreadKey } from './key.ts'
import { type Configurations, describeProfile, type Profile } from './profiles.ts'

interface Key extends UnreadKey {
  source: Source
}

/** The address and the key that a run would use, and the profile they come from, if any. */
export interface Endpoint {
  address: Sourced<string>
  key: Key | undefined
  /** Why the key is not sent to the address. */
  refusal: FlagadmError | undefined
  choice?: Choice
  caFile?: string
}

function profileSource(profile: Profile): Source {
  return { kind: profile.trust, name: describeProfile(profile) }
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

/** The address from the option or the environment. A profile chosen with -p overrides the environment. */
function givenAddress({ options, host }: Given): Sourced<string> | undefined {
  const variables = options.profile === undefined ? host.env : {}
  return optionOrVariable('--base-url', options.baseUrl, 'FLAGADM_BASE_URL', variables)
}

/** The profile to use; undefined if address and key are given and a profile is not. */
function choiceOf(run: Given, configurations: Configurations): Choice | undefined {
  const hasKey = run.options.apiKeyFile !== undefined || Boolean(run.host.env.FLAGADM_API_KEY)
  if (!givenProfile(run) && hasKey && givenAddress(run)) return undefined
  return chooseProfile(run, configurations)
}

/** Whether an address equals the profile's own, regardless of its source. */
export function isOwnAddress(profile: Profile, address: Sourced<string>): boolean {
  return checkAddress(profile.fields.baseUrl, describeProfile(profile), true) === address.value
}

function noAddress({ profiles }: Configurations): FlagadmError {
  const [first] = profiles.keys()
  if (first !== undefined) {
    const own = [...profiles.values()].find(({ trust }) => trust === 'user')
    const permanent = own
      ? `make one the default, for example: flagadm profile use ${own.name}`
      : 'set defaultProfile in ~/.config/flagadm/config.yaml'
    return new FlagadmError('configuration', 'there are several profiles and no default', {
      hint: `choose one of ${[...profiles.keys()].join(', ')} with -p, for example -p ${first}, or ${permanent}`,
    })
  }
  return new FlagadmError('configuration', 'no service is configured', {
    hint:
      'set FLAGADM_BASE_URL and FLAGADM_API_KEY, add a profile with flagadm profile add, ' +
      'or try it with --profile sandbox',
  })
}

/**
 * Resolves the address: option, then environment, then profile.
 * @throws a configuration error if it is missing or malformed
 */
export function resolveAddress(
  run: Given,
  configurations: Configurations,
  choice = choiceOf(run, configurations),
): Sourced<string> {
  const direct = givenAddress(run)
  const allowHttp = run.options.allowHttp === true
  if (direct) {
    return { ...direct, value: checkAddress(direct.value, direct.source.name, allowHttp) }
  }
  if (!choice) throw noAddress(configurations)
  const { profile } = choice
  const source = profileSource(profile)
  const allowed = allowHttp || profile.fields.allowHttp === true
  return { value: checkAddress(profile.fields.baseUrl, source.name, allowed), source }
}

function environmentKey({ env }: Host): Key | undefined {
  const { FLAGADM_API_KEY: key } = env
  if (!key) return undefined
  const source: Source = { kind: 'environment', name: 'FLAGADM_API_KEY' }
  return { source, kind: source.name, read: async () => checkKey(key, source.name) }
}

/** The key from the option, the environment or the profile. A profile chosen with -p precedes the environment. */
function keyOf(
  { options: { apiKeyFile }, host, inputs }: Context,
  choice: Choice | undefined,
): Key | undefined {
  if (apiKeyFile !== undefined) {
    const source: Source = { kind: 'flag', name: '--api-key-file' }
    const read = () => readKeyFile(apiKeyFile, source.name, inputs)
    return { source, kind: source.name, read }
  }
  const own = choice && profileKey(choice.profile, host, inputs)
  const fromProfile = own && { ...own, source: profileSource(choice.profile) }
  const fromEnvironment = environmentKey(host)
  return choice?.source.kind === 'flag'
    ? (fromProfile ?? fromEnvironment)
    : (fromEnvironment ?? fromProfile)
}

/** The error for a key that was configured for another address; undefined if it may be sent. */
function foreignAddress(
  address: Sourced<string>,
  key: Source,
  choice: Choice | undefined,
): FlagadmError | undefined {
  const refusal = (hint: string) =>
    new FlagadmError(
      'configuration',
      `the API key from ${key.name} is not sent to ${address.value} (from ${address.source.name})`,
      { hint },
    )
  const isForeign = key.kind === 'flag' || key.kind === 'environment'
  if (address.source.kind === 'project' && key.kind !== 'project') {
    return refusal(
      'set FLAGADM_BASE_URL as well as FLAGADM_API_KEY, ' +
        'or move the profile to your user configuration (~/.config/flagadm/config.yaml)',
    )
  }
  if (isForeign && choice && !choice.byUser) {
    const { profile, source } = choice
    return refusal(
      `the profile was chosen by ${source.name}; choose it yourself with -p ${profile.name}`,
    )
  }
  if (!isForeign && choice && !isOwnAddress(choice.profile, address)) {
    const { profile, source } = choice
    const ways = source.kind === 'flag' ? '--api-key-file' : 'FLAGADM_API_KEY or --api-key-file'
    return refusal(`specify the key of that address with ${ways}, or use ${profile.fields.baseUrl}`)
  }
  return undefined
}

/**
 * Resolves where to send requests and with which key: option, then environment, then configuration.
 * A profile chosen with -p counts as an option.
 * @throws a configuration error if the address is missing or malformed
 */
export function resolveEndpoint(context: Context, configurations: Configurations): Endpoint {
  const choice = choiceOf(context, configurations)
  const address = resolveAddress(context, configurations, choice)
  const key = keyOf(context, choice)
  const own = choice && isOwnAddress(choice.profile, address) ? choice.profile : undefined
  const caFile = own?.fields.caFile
  return {
    address,
    key,
    refusal: key && foreignAddress(address, key.source, choice),
    ...(choice && { choice }),
    ...(own && caFile !== undefined && { caFile: pathBeside(own.file, caFile, context.host) }),
  }
}

/**
 * The endpoint of a run that talks to the service.
 * @throws a configuration error if there is no key, or it does not belong to the address
 */
export function requireKey(endpoint: Endpoint): Endpoint & { key: Key } {
  const { key, refusal, address } = endpoint
  if (!key) {
    throw new FlagadmError('configuration', `no API key for ${address.value}`, {
      hint: 'set FLAGADM_API_KEY, use --api-key-file, or add apiKeyEnv to the profile',
    })
  }
  if (refusal) throw refusal
  return { ...endpoint, key }
}
