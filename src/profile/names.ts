import { FlagadmError } from '../errors.ts'
import type { Context } from '../context.ts'
import { isReservedName } from '../paths.ts'
import { NAME_HINT, PROFILE_NAME } from './schema.ts'
import { type Configurations, ownPart, type Profile } from './configuration.ts'
import { unknownProfile } from './endpoint.ts'

// The schema ignores the first two, which every object inherits.
const reserved = ['constructor', 'prototype', 'sandbox']

/**
 * Checks the name of a new profile.
 * @throws a usage error for one that is malformed or reserved, a configuration error for one that exists
 */
export function checkNewName(name: string, { profiles }: Configurations): string {
  if (!PROFILE_NAME.test(name)) {
    throw new FlagadmError('usage', `invalid profile name '${name}'`, { hint: NAME_HINT })
  }
  if (reserved.includes(name) || isReservedName(name)) {
    throw new FlagadmError('usage', `the profile name '${name}' is reserved`, {
      hint: 'choose another name',
    })
  }
  const other = profiles.get(name)
  if (!other) return name
  throw new FlagadmError('configuration', `profile '${name}' already exists in ${other.file}`, {
    hint: 'choose another name, or remove that profile first',
  })
}

/**
 * A profile of the user's configuration, to change it.
 * @throws a configuration error for an unknown one and for one of a project
 */
export function ownProfile(name: string, configurations: Configurations): Profile {
  const profile = configurations.profiles.get(name)
  if (profile?.trust === 'user') return profile
  if (profile) {
    throw new FlagadmError(
      'configuration',
      `profile '${name}' is defined in ${profile.file}, which belongs to the project`,
      { hint: `edit that file, or use the profile with -p ${name}` },
    )
  }
  throw unknownProfile(name, [...ownPart(configurations).profiles.keys()])
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
