import { FlagadmError } from '../errors.ts'
import type { Context } from '../context.ts'
import { checkAddress } from './address.ts'
import { type Choice, chooseProfile, givenName } from './choice.ts'
import { checkKey, type Key, pathBeside, profileKey, readKeyFile } from './key.ts'
import { type Configurations, describeProfile, type Profile, sourceOf } from './profiles.ts'
import { isFile, optionOrVariable, type Source, type Sourced } from './source.ts'

/** The address that a run would use, and the profile that was chosen, if any. */
interface Destination {
  address: Sourced<string>
  choice: Choice | undefined
}

/** The address and the key that a run would use. */
export interface Endpoint extends Destination {
  key: Key | undefined
  /** Why the key is not sent to the address; undefined if it may be. */
  keyRefusal: FlagadmError | undefined
  /** The profile, if the address is its own, regardless of the source of the address. */
  addressProfile: Profile | undefined
  caFile: string | undefined
}

/** The address from the option or the environment. A profile chosen with -p overrides the environment. */
function givenAddress({ options, host }: Context): Sourced<string> | undefined {
  const variables = options.profile === undefined ? host.env : {}
  return optionOrVariable('--base-url', options.baseUrl, 'FLAGADM_BASE_URL', variables)
}

/** The key file from the option, or the key from the environment. */
function givenKey({ options, host }: Context): Sourced<string> | undefined {
  return optionOrVariable('--api-key-file', options.apiKeyFile, 'FLAGADM_API_KEY', host.env)
}

function noAddress({ profiles }: Configurations): FlagadmError {
  const [first] = profiles.keys()
  if (first !== undefined) {
    const userProfile = [...profiles.values()].find(({ trust }) => trust === 'user')
    const permanent = userProfile
      ? `make one the default, for example: flagadm profile use ${userProfile.name}`
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
 * Chooses the profile and the address: option, then environment, then profile.
 * @throws a configuration error if the address is missing or malformed
 */
function resolveDestination(context: Context, configurations: Configurations): Destination {
  const direct = givenAddress(context)
  // An address and a key that are both given need no profile.
  const isComplete = direct && givenKey(context) && !givenName(context)
  const choice = isComplete ? undefined : chooseProfile(context, configurations)
  const { allowHttp } = context.options
  if (direct) {
    const value = checkAddress(direct.value, direct.source.name, allowHttp)
    return { address: { ...direct, value }, choice }
  }
  if (!choice) throw noAddress(configurations)
  const { profile } = choice
  const { baseUrl, allowHttp: isAllowed } = profile.fields
  const value = checkAddress(baseUrl, describeProfile(profile), allowHttp || isAllowed)
  return { address: { value, source: sourceOf(profile, 'baseUrl') }, choice }
}

/** The key from the option, the environment or the profile. A profile chosen with -p precedes the environment. */
function keyOf(context: Context, choice: Choice | undefined): Key | undefined {
  const given = givenKey(context)
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
function keyRefusalOf(
  { address, choice }: Destination,
  key: Source,
  addressProfile: Profile | undefined,
): FlagadmError | undefined {
  const nameOf = (source: Source) =>
    choice && isFile(source) ? describeProfile(choice.profile) : source.name
  const refusal = (hint: string) =>
    new FlagadmError(
      'configuration',
      `the API key from ${nameOf(key)} is not sent to ${address.value} (from ${nameOf(address.source)})`,
      { hint },
    )
  if (address.source.kind === 'project' && key.kind !== 'project') {
    return refusal(
      'set FLAGADM_BASE_URL as well as FLAGADM_API_KEY, ' +
        'or move the profile to your user configuration (~/.config/flagadm/config.yaml)',
    )
  }
  if (!choice) return undefined
  const { profile, source, byUser } = choice
  if (isFile(key)) {
    if (addressProfile) return undefined
    const ways = source.kind === 'flag' ? '--api-key-file' : 'FLAGADM_API_KEY or --api-key-file'
    return refusal(`specify the key of that address with ${ways}, or use ${profile.fields.baseUrl}`)
  }
  if (byUser) return undefined
  return refusal(
    `the profile was chosen by ${source.name}; choose it yourself with -p ${profile.name}`,
  )
}

/**
 * Resolves where to send requests and with which key: option, then environment, then configuration.
 * A profile chosen with -p counts as an option. No key is read.
 * @throws a configuration error if the address is missing or malformed
 */
export function resolveEndpoint(context: Context, configurations: Configurations): Endpoint {
  const destination = resolveDestination(context, configurations)
  const { address, choice } = destination
  const profile = choice?.profile
  const isOwn =
    profile &&
    checkAddress(profile.fields.baseUrl, describeProfile(profile), true) === address.value
  const addressProfile = isOwn ? profile : undefined
  const key = keyOf(context, choice)
  const caFile = addressProfile?.fields.caFile
  return {
    ...destination,
    key,
    keyRefusal: key && keyRefusalOf(destination, key.source, addressProfile),
    addressProfile,
    caFile:
      addressProfile && caFile !== undefined
        ? pathBeside(addressProfile.file, caFile, context.host)
        : undefined,
  }
}
