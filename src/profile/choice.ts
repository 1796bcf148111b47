import { dirname } from 'node:path'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { isSameFile } from '../paths.ts'
import { pathBeside } from './key.ts'
import { unknownProfile } from './names.ts'
import { type Configurations, configured, ownPart, type Profile } from './profiles.ts'
import { optionOrVariable, type Source, type Sourced } from './source.ts'

/** A profile and what chose it. */
export interface Choice {
  profile: Profile
  source: Source
  /** Whether the user chose it: with an option, a variable or the user's own configuration. */
  byUser: boolean
}

/** The name of a profile and what chose it. */
interface Name extends Sourced<string> {
  /** Why a profile is the default that no field of a file chose: it is called `default`, or is the only one. */
  implied?: 'name' | 'only'
}

const outsideFields = ['apiKeyEnv', 'apiKeyFile', 'apiKeyCommand', 'caFile'] as const

/**
 * Whether `trustedProjects` lists the folder of a project's file. A project's file cannot contain
 * that field, or loading it would have failed.
 */
function isTrusted({ files }: Configurations, file: string, host: Host): boolean {
  const folder = dirname(file)
  return files.some(({ path, configuration }) =>
    configuration.trustedProjects
      ?.map((trusted) => pathBeside(path, trusted, host))
      .some((trusted) => isSameFile(trusted, folder)),
  )
}

function nameFrom(configurations: Configurations): Name | undefined {
  // `profile` is the choice of a project for all its users, `defaultProfile` that of one user.
  const chosen =
    configured(configurations, 'profile') ?? configured(ownPart(configurations), 'defaultProfile')
  if (chosen) return chosen
  const { profiles } = configurations
  const named = profiles.get('default')
  const [single, ...others] = profiles.values()
  const profile = named ?? (others.length === 0 ? single : undefined)
  if (!profile) return undefined
  const { name, trust, file } = profile
  return { value: name, source: { kind: trust, name: file }, implied: named ? 'name' : 'only' }
}

/** The name of the default among the user's own profiles, regardless of the environment and the project. */
export function ownDefaultName(configurations: Configurations): Name | undefined {
  return nameFrom(ownPart(configurations))
}

/** The name of the profile that the option or the variable chooses. */
export function givenName({ options, host }: Context): Name | undefined {
  return optionOrVariable('--profile', options.profile, 'FLAGADM_PROFILE', host.env)
}

/** The name of the profile of a run, which may be unknown; undefined if none is chosen. */
export function chosenName(context: Context, configurations: Configurations): Name | undefined {
  return givenName(context) ?? nameFrom(configurations)
}

/**
 * The profile of a run: from the option, the variable, the project or the user's default, otherwise
 * the profile `default` or the only one. Undefined if there is none or none is chosen.
 */
export function chooseProfile(
  context: Context,
  configurations: Configurations,
): Choice | undefined {
  const chosen = chosenName(context, configurations)
  if (!chosen) return undefined
  const { value: name, source } = chosen
  const profile = configurations.profiles.get(name)
  if (!profile) {
    const known = [...configurations.profiles.keys()]
    throw unknownProfile(name, known, [...known, 'sandbox'])
  }
  refuseOutsideFields(profile)
  return { profile, source, byUser: isByUser(configurations, profile, source, context.host) }
}

function isByUser(
  configurations: Configurations,
  profile: Profile,
  { kind, name }: Source,
  host: Host,
): boolean {
  if (kind === 'flag' || kind === 'environment') return true
  // The user's default may refer to a profile that the project defines.
  const files = kind === 'project' ? [name] : []
  if (profile.trust === 'project') files.push(profile.file)
  return files.every((file) => isTrusted(configurations, file, host))
}

/** Refuses fields that would let a project's file use a key from outside the file. */
function refuseOutsideFields({ name, file, trust, fields }: Profile): void {
  const outside = outsideFields.find((field) => fields[field] !== undefined)
  if (trust === 'project' && outside) {
    throw new FlagadmError(
      'configuration',
      `${file}: ${outside} of profile '${name}' is refused in a project's file`,
      { hint: 'move the profile to your user configuration (~/.config/flagadm/config.yaml)' },
    )
  }
}

/**
 * The context of a command that takes the profile as an argument, which counts as `--profile`.
 * @throws a usage error if both are given
 */
export function withProfile<Given extends Context>(
  context: Given,
  name: string | undefined,
): Given {
  if (name === undefined) return context
  if (context.options.profile !== undefined) {
    throw new FlagadmError('usage', '--profile cannot be combined with the name of a profile', {
      hint: 'leave out --profile',
    })
  }
  return { ...context, options: { ...context.options, profile: name } }
}
