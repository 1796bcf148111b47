import type { Define } from '../context.ts'
import { failureOf } from '../errors.ts'
import type { Host } from '../host.ts'
import { withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { printRows } from '../output/rows.ts'
import { displayPath } from '../paths.ts'
import { type Profile, readConfiguration } from './configuration.ts'
import { checkAddress, chosenName } from './endpoint.ts'
import { profileKey } from './key.ts'

/** A profile as the list shows it. */
interface ListedProfile {
  name: string
  /** Undefined if it is invalid. */
  baseUrl: string | undefined
  /** Where its key comes from, for example `apiKeyEnv STAGING_KEY`. */
  apiKey: string | undefined
  file: string
  /** Why a command uses this profile by default. */
  default: string | undefined
}

function fieldsFor(host: Host): readonly RowField<ListedProfile>[] {
  return [
    {
      title: '  Profile',
      value: (row) => `${row.default === undefined ? ' ' : '*'} ${row.name}`,
      kind: 'key',
      style: (row) => (row.default === undefined ? undefined : 'bold'),
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
    failureOf(error)
    return undefined
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
      const configurations = await readConfiguration(context)
      const chosen = chosenName(context, configurations)
      const rows = [...configurations.profiles.values()].map((profile) => ({
        name: profile.name,
        baseUrl: shownAddress(profile),
        apiKey: profileKey(profile)?.from,
        file: profile.path,
        default: chosen?.value === profile.name ? chosen.from : undefined,
      }))
      const nothing = 'No profiles. Add one with flagadm profile add.'
      if (isJson) out.json(rows)
      else printRows('table', { rows, fields: fieldsFor(host), nothing }, out)
    })
}
