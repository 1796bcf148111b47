import type { Context } from '../old/context.ts'
import { formats } from '../old/output/formats.ts'
import { jsonReport } from '../old/output/json.ts'
import { type ListedProfile, profilesText } from './report/profiles.ts'
import { FlagadmError } from '../errors.ts'
import {
  type Configurations,
  isFile,
  type Profile,
  readCheckedConfiguration,
  sourceText,
} from './configuration.ts'
import { checkAddress, chosenName } from './endpoint.ts'
import { profileKey } from './key.ts'

const impliedReasons = { name: 'it is called default', only: 'it is the only profile' }

/** The profile that a command uses by default and the reason; undefined if there is none. */
function defaultProfile(
  context: Context,
  configurations: Configurations,
): { name: string; reason: string } | undefined {
  const chosen = chosenName(context, configurations)
  if (!chosen) return undefined
  const { value: name, source, implied } = chosen
  if (implied) return { name, reason: impliedReasons[implied] }
  const place = sourceText(source, context.host)
  return { name, reason: isFile(source) ? `${source.field} in ${place}` : place }
}

// An invalid address may contain a password, so it is not shown.
function shownAddress({ fields }: Profile): string | undefined {
  try {
    return checkAddress(fields.baseUrl, 'baseUrl', true)
  } catch (error) {
    if (error instanceof FlagadmError) return undefined
    throw error
  }
}

/** Lists the profiles of the user's and the project's configuration, in the order of their files. */
export async function showProfiles(context: Context): Promise<void> {
  const { host, messages, options, printer } = context
  const format = context.format(formats.textOrJson)
  const configurations = await readCheckedConfiguration(context)
  const chosen = defaultProfile(context, configurations)
  const profiles = [...configurations.profiles.values()].map((profile): ListedProfile => {
    const { name, file } = profile
    const reason = chosen?.name === name ? chosen.reason : undefined
    const apiKey = profileKey(profile)?.origin
    return { name, baseUrl: shownAddress(profile), apiKey, file, default: reason }
  })
  if (format === 'json') await context.write(jsonReport(profiles, printer))
  else if (profiles.length > 0) await context.write(profilesText(profiles, host, printer))
  else messages.note('no profile is configured; add one with flagadm profile add')
  if (host.env.FLAGADM_BASE_URL && options.profile === undefined) {
    messages.note('FLAGADM_BASE_URL takes precedence over the address of the default profile')
  }
  if (chosen && chosen.name !== 'sandbox' && !configurations.profiles.has(chosen.name)) {
    messages.warn(`the default profile '${chosen.name}' (${chosen.reason}) does not exist`)
  }
}
