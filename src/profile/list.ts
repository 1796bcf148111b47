import type { Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { printRows } from '../output/rows.ts'
import { displayPath } from '../paths.ts'
import { type Profile, readCheckedConfiguration, sourceText } from './configuration.ts'
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

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return command
    .description(
      withExamples(command.summary(), 'flagadm profile list', 'flagadm profile list --json'),
    )
    .action(async () => {
      const { host, out } = context
      const isJson = format() === 'json'
      const configurations = await readCheckedConfiguration(context)
      const { profiles } = configurations
      const chosen = chosenName(context, configurations)
      const rows = [...profiles.values()].map((profile): ListedProfile => {
        const { name, file } = profile
        const reason = chosen?.value === name ? sourceText(chosen.source, host) : undefined
        const apiKey = profileKey(profile)?.origin
        return { name, baseUrl: shownAddress(profile), apiKey, file, default: reason }
      })
      const nothing = 'No profiles. Add one with flagadm profile add.'
      if (isJson) out.json(rows)
      else printRows('table', { rows, fields: fieldsFor(host), nothing }, out)
    })
}
