import { FlagadmError } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { isReservedName } from '../paths.ts'
import { NAME_HINT, PROFILE_NAME } from './files/schema.ts'
import { type Configurations, ownPart, type Profile } from './profiles.ts'

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
    hint: 'choose another name, or remove or rename that profile first',
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
 * The error for a profile that is not among the known ones.
 * @param valid the names that can be used in its place
 */
export function unknownProfile(
  name: string,
  known: readonly string[],
  valid = known,
): FlagadmError {
  const meant = closest(name, valid)
  const all =
    known.length > 0
      ? `choose one of ${known.join(', ')}`
      : 'no profile is configured; add one with flagadm profile add'
  return new FlagadmError('configuration', `unknown profile '${name}'`, {
    hint: meant === undefined ? all : `did you mean '${meant}'?`,
  })
}
