import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { closest } from '../input/spelling.ts'
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
  describeProfile,
  isFile,
  optionOrVariable,
  ownPart,
  pathBeside,
  type Profile,
  refuse,
  type Source,
  sourceOf,
  sourceText,
  type Sourced,
} from './configuration.ts'
import { checkKey, type Key, profileKey, readKeyFile } from './key.ts'

/** The parts of a run that decide on its service. */
type EndpointRun = Pick<Context, 'host' | 'options'>

const apiSuffix = /\/api(\/(admin|client))?\/?$/

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
    const hint = 'write it in full, for example https://flags.example.com'
    return refuse(`${from}: not an http or https address`, hint)
  }
  const plain = `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  if (url.username || url.password || /[?#]/.test(text)) {
    const what = 'an address must not contain a user name, password, query or fragment'
    refuse(`${from}: ${what}`, `use ${plain}`)
  }
  if (apiSuffix.test(url.pathname)) {
    const corrected = plain.replace(apiSuffix, '')
    refuse(`${from}: ${plain} already contains the path of the API`, `use ${corrected}`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp) {
    refuse(
      `${from}: ${plain} would send the API key unencrypted`,
      'use https, or --allow-http (allowHttp: true in the profile) in a network you trust',
    )
  }
  return plain
}

function nameFrom(configurations: Configurations): Sourced<string> | undefined {
  // `profile` is the choice of a project for all its users, `defaultProfile` that of one user.
  const chosen =
    configured(configurations, 'profile') ?? configured(ownPart(configurations), 'defaultProfile')
  const { profiles } = configurations
  const [single, ...others] = profiles.values()
  const profile = profiles.get('default') ?? (others.length === 0 ? single : undefined)
  return chosen ?? (profile && { value: profile.name, source: sourceOf(profile) })
}

/** The name of the default among the user's own profiles, regardless of the environment and the project. */
export function ownDefaultName(configurations: Configurations): string | undefined {
  return nameFrom(ownPart(configurations))?.value
}

function givenName({ options, host }: EndpointRun): Sourced<string> | undefined {
  return optionOrVariable('--profile', options.profile, 'FLAGADM_PROFILE', host.env)
}

/** The name of the profile of a run, which may be unknown; undefined if none is chosen. */
export function chosenName(run: EndpointRun, all: Configurations): Sourced<string> | undefined {
  return givenName(run) ?? nameFrom(all)
}

/** The error for a profile that is not among the known ones. */
export function unknownProfile(name: string, known: readonly string[]): FlagadmError {
  const meant = closest(name, [...known, 'sandbox'])
  const hint = meant ? `did you mean '${meant}'?` : 'flagadm profile list shows the profiles'
  return new FlagadmError('configuration', `unknown profile '${name}'`, { hint })
}

const outsideFields = ['apiKeyEnv', 'apiKeyFile', 'apiKeyCommand', 'caFile'] as const

/** A profile and what chose it. */
interface Choice {
  profile: Profile
  source: Source
}

/**
 * The profile of a run: from the option, the variable, the project or the user's default, otherwise
 * the profile `default` or the only one. Undefined if there is none or none is chosen.
 */
function chooseProfile(run: EndpointRun, configurations: Configurations): Choice | undefined {
  const chosen = chosenName(run, configurations)
  if (!chosen) return undefined
  const { value, source } = chosen
  const profile = configurations.profiles.get(value)
  if (!profile) throw unknownProfile(value, [...configurations.profiles.keys()])
  const { name, file, trust, fields } = profile
  // They would let a project's file use a key from outside the file.
  const outside = outsideFields.find((field) => fields[field] !== undefined)
  if (trust === 'project' && outside) {
    refuse(
      `${file}: ${outside} of profile '${name}' is refused in a project's file`,
      'move the profile to your user configuration (~/.config/flagadm/config.yaml)',
    )
  }
  return { profile, source }
}

/** The address and the key that a run would use. */
export interface Endpoint {
  address: Sourced<string>
  choice?: Choice | undefined
  key?: Key | undefined
  /** Why the key is not sent to the address; undefined if it may be. */
  keyRefusal?: FlagadmError | undefined
  /** The profile, if the address is its own, regardless of the source of the address. */
  addressProfile?: Profile | undefined
  caFile?: string | undefined
  /** The time of the embedded sandbox. */
  now?: () => number
}

/** The address from the option or the environment. A profile chosen with -p overrides the environment. */
function givenAddress({ options, host }: EndpointRun): Sourced<string> | undefined {
  const variables = options.profile === undefined ? host.env : {}
  return optionOrVariable('--base-url', options.baseUrl, 'FLAGADM_BASE_URL', variables)
}

/** The key file from the option, or the key from the environment. */
function givenKey({ options, host }: EndpointRun): Sourced<string> | undefined {
  return optionOrVariable('--api-key-file', options.apiKeyFile, 'FLAGADM_API_KEY', host.env)
}

function refuseWithoutAddress({ profiles }: Configurations): never {
  if (profiles.size > 0) {
    refuse('there are several profiles and no default', 'choose one with -p or flagadm profile use')
  }
  return refuse(
    'no service is configured',
    'set FLAGADM_BASE_URL and FLAGADM_API_KEY, add a profile with flagadm profile add, or try it with --profile sandbox',
  )
}

/** The key from the option, the environment or the profile. A profile chosen with -p precedes the environment. */
function keyOf(run: EndpointRun, choice: Choice | undefined): Key | undefined {
  const given = givenKey(run)
  const fromProfile = choice && profileKey(choice.profile)
  const isOverridden = given?.source.kind === 'environment' && choice?.source.kind === 'flag'
  if (!given || (isOverridden && fromProfile)) return fromProfile
  const { value, source } = given
  const { kind, name } = source
  return {
    source,
    origin: name,
    read: async ({ inputs }) =>
      kind === 'flag' ? readKeyFile(value, name, inputs) : checkKey(value, name),
  }
}

/** The error for a key that was configured for another address; undefined if it may be sent. */
function keyRefusalOf({
  address,
  choice,
  key,
  addressProfile,
}: Endpoint): FlagadmError | undefined {
  if (!key || !choice) return undefined
  const { profile, source } = choice
  const isOwnKey = isFile(key.source)
  const isByProject = [profile.trust, source.kind].includes('project') && isFile(address.source)
  // The key of a profile goes only to its address, and to an address of a project goes only the key beside it.
  if (isOwnKey ? addressProfile : !isByProject) return undefined
  const nameOf = (one: Source) => (isFile(one) ? describeProfile(profile) : one.name)
  const what = `the API key from ${nameOf(key.source)} is not sent to ${address.value} (from ${nameOf(address.source)})`
  const hint =
    'specify both: --base-url and --api-key-file, or FLAGADM_BASE_URL and FLAGADM_API_KEY'
  return new FlagadmError('configuration', what, { hint })
}

/**
 * Resolves where to send requests and with which key: option, then environment, then configuration.
 * A profile chosen with -p counts as an option. No key is read.
 * @throws a configuration error if the address is missing or malformed
 */
export function resolveEndpoint(run: EndpointRun, configurations: Configurations): Endpoint {
  const { allowHttp } = run.options
  const given = givenAddress(run)
  // An address and a key that are both given need no profile.
  const isComplete = given && givenKey(run) && !givenName(run)
  const choice = isComplete ? undefined : chooseProfile(run, configurations)
  const profile = choice?.profile
  const ownAddress = (allowed: boolean | undefined) =>
    profile && checkAddress(profile.fields.baseUrl, describeProfile(profile), allowed)
  const source = given?.source ?? (profile && sourceOf(profile))
  const value = given
    ? checkAddress(given.value, given.source.name, allowHttp)
    : ownAddress(allowHttp || profile?.fields.allowHttp)
  if (value === undefined || !source) return refuseWithoutAddress(configurations)
  const addressProfile = ownAddress(true) === value ? profile : undefined
  const { file = '', fields: { caFile } = {} } = addressProfile ?? {}
  const endpoint = {
    address: { value, source },
    choice,
    key: keyOf(run, choice),
    addressProfile,
    caFile: caFile === undefined ? undefined : pathBeside(file, caFile, run.host),
  }
  return { ...endpoint, keyRefusal: keyRefusalOf(endpoint) }
}

/** The error for a write to a service that a project's file chose among the user's; undefined if it is allowed. */
export function writeRefusal({ choice }: Endpoint, host: Host): FlagadmError | undefined {
  if (choice?.source.kind !== 'project' || choice.profile.trust !== 'user') return undefined
  const { name } = choice.profile
  const what = `profile '${name}' was chosen by ${sourceText(choice.source, host)}, so it can only be used for reading`
  return new FlagadmError('configuration', what, { hint: `choose it yourself with -p ${name}` })
}

/** The service as shown to the user: `production, https://flags.example.com`, or only the address. */
export function targetText({ address: { value, source }, addressProfile }: Endpoint): string {
  if (source.kind === 'sandbox') return source.name
  return addressProfile ? `${addressProfile.name}, ${value}` : value
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
    parse: (text: string) => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined),
    most: MAX_RETRIES,
    expected: `use a whole number from 0 to ${MAX_RETRIES}`,
  },
}

/**
 * The effective value of a limit as text and as a number (a deadline in milliseconds), and its source.
 * @throws a usage or configuration error for an invalid one
 */
export function limitOf(
  { host, options }: EndpointRun,
  configurations: Configurations,
  name: keyof typeof limits,
): Sourced<string> & { number: number } {
  const { fallback, parse, most, expected } = limits[name]
  const variable = `FLAGADM_${name.toUpperCase()}`
  const { value: written, source } = optionOrVariable(
    `--${name}`,
    options[name],
    variable,
    host.env,
  ) ??
    configured(configurations, name) ?? {
      value: fallback,
      source: { kind: 'default', name: 'default' },
    }
  const value = `${written}`
  const number = parse(value)
  if (number !== undefined && number <= most) return { value, number, source }
  const from = isFile(source) ? `${source.name}: ${name}` : source.name
  const kind = source.kind === 'flag' ? 'usage' : 'configuration'
  throw new FlagadmError(kind, `${from}: invalid value '${value}'`, { hint: expected })
}
