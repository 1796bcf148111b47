import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from '../input/files.ts'
import { checkAddress } from './address.ts'
import { chosenName, type ConnectionOptions } from './choice.ts'
import { profileKey } from './key.ts'
import { shortPath } from './origin.ts'
import type { Configurations, Profile } from './profiles.ts'
import { describeProfile } from './resolve.ts'

/** A profile as `profile list` shows it. */
export interface ListedProfile {
  name: string
  /** The address; undefined if it is invalid. */
  baseUrl: string | undefined
  /** Where its key comes from, for example `apiKeyEnv STAGING_KEY`; undefined if it has none. */
  apiKey: string | undefined
  file: string
  /** Why a command uses this profile by default; undefined if it does not. */
  default: string | undefined
}

const implied = { name: 'it is called default', only: 'it is the only profile' }

/** The profile that a command uses by default and the reason; undefined if there is none. */
export function defaultProfile(
  configurations: Configurations,
  options: ConnectionOptions,
  host: Host,
): { name: string; reason: string } | undefined {
  const chosen = chosenName(configurations, options, host)
  if (!chosen) return undefined
  const { name, source, reason } = chosen
  if (reason === undefined) return { name, reason: source.name }
  if (reason === 'name' || reason === 'only') return { name, reason: implied[reason] }
  return { name, reason: `${reason} in ${shortPath(source.name, host)}` }
}

// An invalid address may contain a password, so it is not shown.
function addressOf({ fields }: Profile): string | undefined {
  try {
    return checkAddress(fields.baseUrl, 'baseUrl', true)
  } catch (error) {
    if (error instanceof FlagadmError) return undefined
    throw error
  }
}

/** All profiles, in the order of their files. */
export function listProfiles(
  configurations: Configurations,
  options: ConnectionOptions,
  host: Host,
  inputs: Inputs,
): ListedProfile[] {
  const chosen = defaultProfile(configurations, options, host)
  return [...configurations.profiles.values()].map((profile) => {
    const { name, file, fields } = profile
    return {
      name,
      baseUrl: addressOf(profile),
      apiKey: profileKey(fields, describeProfile(profile), file, host, inputs)?.kind,
      file,
      default: chosen?.name === name ? chosen.reason : undefined,
    }
  })
}
