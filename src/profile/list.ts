import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { printRows } from '../output/rows.ts'
import { displayPath } from '../paths.ts'
import {
  type Configurations,
  isFile,
  type Profile,
  readCheckedConfiguration,
  sourceText,
} from './configuration.ts'
import { checkAddress, chosenName } from './endpoint.ts'
import { profileKey } from './key.ts'

/** A profile as the list shows it. */
interface ListedProfile extends Pick<Profile, 'name' | 'file'> {
  /** Undefined if it is invalid. */
  baseUrl: string | undefined
  /** Where its key comes from, for example `apiKeyEnv STAGING_KEY`. */
  apiKey: string | undefined
  /** Why a command uses this profile by default. */
  default: string | undefined
}

function fieldsFor(host: Host): readonly RowField<ListedProfile>[] {
  const isDefault = ({ default: reason }: ListedProfile) => reason !== undefined
  return [
    {
      title: '  Profile',
      value: (row) => `${isDefault(row) ? '*' : ' '} ${row.name}`,
      kind: 'key',
      style: (row) => (isDefault(row) ? 'bold' : undefined),
    },
    { title: 'Address', value: ({ baseUrl }) => baseUrl ?? 'invalid', kind: 'key' },
    { title: 'API key', value: ({ apiKey }) => apiKey ?? 'none', kind: 'name' },
    { title: 'File', value: ({ file }) => displayPath(file, host), kind: 'name', isOptional: true },
    { title: 'Default', value: (row) => row.default ?? '', kind: 'name', isOptional: true },
  ]
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

/** The profile that a command uses by default and the reason; undefined if there is none. */
function defaultProfile(
  context: Context,
  configurations: Configurations,
): { name: string; reason: string } | undefined {
  const chosen = chosenName(context, configurations)
  if (!chosen) return undefined
  const { value: name, source, implied } = chosen
  if (implied) {
    return { name, reason: implied === 'name' ? 'it is called default' : 'it is the only profile' }
  }
  const place = sourceText(source, context.host)
  return { name, reason: isFile(source) ? `${source.field} in ${place}` : place }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return command
    .description(
      withExamples(command.summary(), 'flagadm profile list', 'flagadm profile list --json'),
    )
    .action(async () => {
      const { host, messages, options, out } = context
      const isJson = format() === 'json'
      const configurations = await readCheckedConfiguration(context)
      const { profiles } = configurations
      const chosen = defaultProfile(context, configurations)
      const rows = [...profiles.values()].map((profile): ListedProfile => {
        const { name, file } = profile
        const reason = chosen?.name === name ? chosen.reason : undefined
        const apiKey = profileKey(profile)?.origin
        return { name, baseUrl: shownAddress(profile), apiKey, file, default: reason }
      })
      const nothing = 'No profiles. Add one with flagadm profile add.'
      if (isJson) out.json(rows)
      else printRows('table', { rows, fields: fieldsFor(host), nothing }, out)
      if (host.env.FLAGADM_BASE_URL && options.profile === undefined) {
        messages.note('FLAGADM_BASE_URL takes precedence over the address of the default profile')
      }
      if (chosen && chosen.name !== 'sandbox' && !profiles.has(chosen.name)) {
        messages.warn(`the default profile '${chosen.name}' (${chosen.reason}) does not exist`)
      }
    })
}
