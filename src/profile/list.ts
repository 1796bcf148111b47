import { loadAll } from './connection.ts'
import type { Context } from '../context.ts'
import { formats } from '../output/formats.ts'
import { jsonReport } from '../output/json.ts'
import { profilesText } from './report/profiles.ts'
import { defaultProfile, listProfiles } from './listing.ts'
import { shortPath } from './origin.ts'

const SANDBOX = 'sandbox'

/** Lists the profiles of the user's and the project's configuration. */
export async function showProfiles(context: Context): Promise<void> {
  const { host, inputs, messages, options, printer } = context
  const format = context.format(formats.profiles)
  const configurations = await loadAll(context)
  const profiles = listProfiles(configurations, options, host, inputs)
  const chosen = defaultProfile(configurations, options, host)
  if (format === 'json') await context.write(jsonReport(profiles, printer))
  else if (profiles.length > 0) {
    const shown = (file: string) => shortPath(file, host)
    await context.write(profilesText(profiles, shown, printer))
  } else messages.note('no profile is configured; add one with flagadm profile add')
  if (host.env.FLAGADM_BASE_URL && options.profile === undefined) {
    messages.note('FLAGADM_BASE_URL takes precedence over the address of the default profile')
  }
  if (chosen && chosen.name !== SANDBOX && !configurations.profiles.has(chosen.name)) {
    messages.warn(`the default profile '${chosen.name}' (${chosen.reason}) does not exist`)
  }
}
