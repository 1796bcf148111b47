import type { Context } from '../command/context.ts'
import { FlagadmError, refuse } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { listed } from '../output/incomplete.ts'
import {
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT,
  isLoopback,
  MAX_RETRIES,
  parseDuration,
} from '../input/values.ts'
import {
  type Configurations,
  configured,
  defaultName,
  isFile,
  optionOrVariable,
  pathBeside,
  type Profile,
  type Source,
  type Sourced,
  sourceOf,
} from './configuration.ts'
import { checkKey, hostVariable, type Key, KEY_VARIABLE, profileKey, readKeyFile } from './key.ts'

// A host with a domain, which no API key looks like.
const HOST = /^(?=[^/]*[a-z])[a-z\d-]+(\.[a-z][a-z\d-]*)+(:\d{1,5})?(\/[\w./-]*)?$/i
const API_SUFFIX = /\/api(\/(admin|client))?\/?$/

/** An address without the path of the API at its end. */
export function withoutApiPath(address: string): string {
  return address.trim().replace(API_SUFFIX, '')
}

/**
 * Checks the address of a service (`base_url` of the specification) and returns it without a
 * trailing slash.
 * @param from where the address was given, for errors
 * @throws a configuration error if the address is malformed or unsafe for a key
 */
export function checkAddress(text: string, from: string, allowHttp: boolean | undefined): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The text is not shown, because it may be an API key given by mistake.
  if (!url || !/^https?:$/.test(url.protocol)) {
    const host = HOST.test(text) ? text : 'flags.example.com'
    const hint = `write it in full, for example https://${host}`
    return refuse(`${from}: not an http or https address`, hint)
  }
  const plain = `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
  if (url.username || url.password || /[?#]/.test(text)) {
    const what = 'an address must not contain a user name, password, query or fragment'
    refuse(`${from}: ${what}`, `use ${plain}`)
  }
  if (API_SUFFIX.test(url.pathname)) {
    refuse(`${from}: ${plain} already contains the path of the API`, `use ${withoutApiPath(plain)}`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp) {
    refuse(
      `${from}: ${plain} would send the API key unencrypted`,
      'use https, or --allow-http (allowHttp: true in the profile) in a network you trust',
    )
  }
  return plain
}

/** The name of the profile of a run, which may be unknown; undefined if none is chosen. */
export function chosenName(
  { options, host }: Context,
  configurations: Configurations,
): Sourced<string> | undefined {
  return (
    optionOrVariable('--profile', options.profile, 'FLAGADM_PROFILE', host.env) ??
    defaultName(configurations)
  )
}

export function unknownProfile(name: string, names: readonly string[]): FlagadmError {
  const all = [...names, 'sandbox']
  const meant = closest(name, all)
  const hint = meant ? `did you mean '${meant}'?` : `the profiles are: ${listed(all)}`
  return new FlagadmError('configuration', `unknown profile '${name}'`, { hint })
}

const outsideFields = ['apiKeyEnv', 'apiKeyFile', 'apiKeyCommand', 'caFile'] as const

/** The profile that a run has chosen. In a project's file, it must not use a key from outside the file. */
function findProfile(
  { value: name, from, kind }: Sourced<string>,
  { profiles }: Configurations,
): Profile {
  if (name === 'sandbox' && isFile({ kind, from })) {
    refuse(
      `${from}: the profile 'sandbox' cannot be chosen in a file`,
      'use -p sandbox, or set FLAGADM_PROFILE to sandbox',
    )
  }
  const profile = profiles.get(name)
  if (!profile) throw unknownProfile(name, [...profiles.keys()])
  const outside = outsideFields.find((field) => profile.fields[field] !== undefined)
  if (profile.kind === 'user' || !outside) return profile
  return refuse(
    `${profile.path}: ${outside} of profile '${name}' is refused in a project's file`,
    'move the profile to your user configuration (~/.config/flagadm/config.yaml)',
  )
}

/** The address, the key and the limits that a run would use. */
export interface Endpoint extends ReturnType<typeof limitsOf> {
  configurations: Configurations
  address: Sourced<string>
  /** The service as shown to the user: `production, https://flags.example.com`, or only the address. */
  target: string
  profile?: Profile | undefined
  chosenBy?: Source | undefined
  key?: Key | undefined
  /** Why the key is not sent to the address; undefined if it may be. */
  keyRefusal?: FlagadmError | undefined
  caFile?: string | undefined
  now?: () => number
}

/** The error for a key that was configured for another address; undefined if it may be sent. */
function keyRefusalOf(
  { address, profile, chosenBy, key }: Endpoint,
  isOwnAddress: boolean,
): FlagadmError | undefined {
  if (!key || !profile || key.from === hostVariable(address.value)) return undefined
  const isByProject = [profile.kind, chosenBy?.kind].includes('project') && isFile(address)
  // The key of a profile goes only to its address, and to an address of a project goes only the key beside it.
  if (isFile(key) ? isOwnAddress : !isByProject) return undefined
  const what = `the API key from ${key.from} is not sent to ${address.value} (from ${address.from})`
  const both =
    'specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY'
  const variable = hostVariable(address.value)
  const hint = variable === undefined ? both : `${both}; or set ${variable}, for this host alone`
  return new FlagadmError('configuration', what, { hint })
}

/**
 * Resolves where to send requests and with which key: option, then environment, then configuration.
 * A profile chosen with -p counts as an option. No key is read.
 * @throws a configuration error if the address is missing or malformed
 */
export function resolveEndpoint(run: Context, configurations: Configurations): Endpoint {
  const { host, options } = run
  const { allowHttp, apiKeyFile, baseUrl } = options
  const isOption = options.profile !== undefined
  const env = isOption ? {} : host.env
  const givenBaseUrl = optionOrVariable('--base-url', baseUrl, 'FLAGADM_BASE_URL', env)
  const givenKey = optionOrVariable('--api-key-file', apiKeyFile, KEY_VARIABLE, host.env)
  const givenAddress = givenBaseUrl && {
    ...givenBaseUrl,
    value: checkAddress(givenBaseUrl.value, givenBaseUrl.from, allowHttp),
  }
  // An address and a key that are both given need no profile.
  const isComplete =
    givenAddress &&
    keyFor(givenAddress.value, givenKey, host) &&
    !isOption &&
    !host.env.FLAGADM_PROFILE
  const chosenBy = isComplete ? undefined : chosenName(run, configurations)
  const profile = chosenBy && findProfile(chosenBy, configurations)
  const isAllowed = givenBaseUrl !== undefined || allowHttp || profile?.fields.allowHttp
  const ownAddress = profile && {
    ...sourceOf(profile, 'baseUrl'),
    value: checkAddress(profile.fields.baseUrl, `profile '${profile.name}'`, isAllowed),
  }
  const address = givenAddress ?? ownAddress
  if (!address) return refuseWithoutAddress(configurations)
  const ownProfile = ownAddress?.value === address.value ? profile : undefined
  const ownKey = profile && profileKey(profile)
  const chosenKey = keyFor(address.value, givenKey, host)
  const isOverridden = isOption && ownKey && chosenKey?.kind === 'environment'
  const endpoint: Endpoint = {
    ...limitsOf(run, configurations),
    configurations,
    address,
    target: ownProfile ? `${ownProfile.name}, ${address.value}` : address.value,
    profile,
    chosenBy,
    key: chosenKey && !isOverridden ? keyOf(chosenKey) : ownKey,
    caFile:
      ownProfile?.fields.caFile && pathBeside(ownProfile.path, ownProfile.fields.caFile, host),
  }
  return { ...endpoint, keyRefusal: keyRefusalOf(endpoint, ownProfile !== undefined) }
}

/** The key of the option, otherwise that of the environment for this host, otherwise that for any. */
function keyFor(
  address: string,
  givenKey: Sourced<string> | undefined,
  { env }: Context['host'],
): Sourced<string> | undefined {
  const variable = hostVariable(address)
  if (givenKey?.kind === 'flag' || variable === undefined) return givenKey
  const value = env[variable]
  return value ? { value, kind: 'environment', from: variable } : givenKey
}

function keyOf({ value, kind, from }: Sourced<string>): Key {
  const read: Key['read'] = async ({ inputs }) =>
    kind === 'flag' ? readKeyFile(value, from, inputs) : checkKey(value, from)
  return { kind, from, read }
}

function refuseWithoutAddress({ profiles }: Configurations): never {
  if (profiles.size > 0) {
    const names = listed([...profiles.keys()])
    refuse('there are several profiles and no default', `choose one with -p: ${names}`)
  }
  throw new FlagadmError('configuration', 'no service is configured', {
    hint: 'set FLAGADM_BASE_URL and FLAGADM_API_KEY, try it with -p sandbox, or add a profile:',
    command: ['flagadm', 'profile', 'add'],
  })
}

/** The error for a write to a service that a project's file chose among the user's; undefined if it is allowed. */
export function writeRefusal({ profile, chosenBy }: Endpoint): FlagadmError | undefined {
  if (chosenBy?.kind !== 'project' || profile?.kind !== 'user') return undefined
  const what = `profile '${profile.name}' was chosen by ${chosenBy.from}, so it can only be used for reading`
  return new FlagadmError('configuration', what, {
    hint: `choose it yourself with -p ${profile.name}`,
  })
}

const limits = {
  timeout: {
    fallback: DEFAULT_TIMEOUT,
    parse: parseDuration,
    most: 86_400_000,
    expected: 'use a duration of up to 24h, such as 10, 90s or 2h',
  },
  retries: {
    fallback: DEFAULT_RETRIES,
    parse: (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined),
    most: MAX_RETRIES,
    expected: `use a whole number from 0 to ${MAX_RETRIES}`,
  },
}

/**
 * The effective value of a limit as text and as a number (a deadline in milliseconds), and its source.
 * @throws a usage or configuration error for an invalid one
 */
function limitOf(
  { host, options }: Context,
  configurations: Configurations,
  name: keyof typeof limits,
): Sourced<string> & { number: number } {
  const { fallback, parse, most, expected } = limits[name]
  const variable = `FLAGADM_${name.toUpperCase()}`
  const limit = optionOrVariable(`--${name}`, options[name], variable, host.env) ??
    configured(configurations, name) ?? { value: fallback, kind: 'default', from: 'default' }
  const { kind, from } = limit
  const value = `${limit.value}`
  const number = parse(value) ?? Number.NaN
  if (number <= most) return { ...limit, value, number }
  const what = `${isFile(limit) ? `${from}: ${name}` : from}: invalid value '${value}'`
  throw new FlagadmError(kind === 'flag' ? 'usage' : 'configuration', what, { hint: expected })
}

export function limitsOf(run: Context, configurations: Configurations) {
  return {
    timeout: limitOf(run, configurations, 'timeout'),
    retries: limitOf(run, configurations, 'retries'),
  }
}
