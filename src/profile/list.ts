import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { failureOf } from '../errors.ts'
import type { Host } from '../host.ts'
import { field, type RowField } from '../output/fields.ts'
import { printRows } from '../output/print.ts'
import { displayPath } from '../paths.ts'
import { type Profile, readConfiguration, type Sourced } from './configuration.ts'
import { checkAddress, chosenName } from './endpoint.ts'
import { profileKey } from './key.ts'

// An invalid address may contain a password, so it is not shown.
function shownAddress({ fields }: Profile): string | undefined {
  try {
    return checkAddress(fields.baseUrl, 'baseUrl', true)
  } catch (error) {
    failureOf(error)
    return undefined
  }
}

/** A profile as the list shows it, with why a command uses it by default. */
function rowOf(profile: Profile, chosen: Sourced<string> | undefined) {
  return {
    name: profile.name,
    baseUrl: shownAddress(profile),
    apiKey: profileKey(profile)?.from,
    file: profile.path,
    default: chosen?.value === profile.name ? chosen.from : undefined,
  }
}

function fieldsFor(host: Host): readonly RowField<ReturnType<typeof rowOf>>[] {
  const pathOf = ({ file }: { file: string }) => displayPath(file, host)
  return [
    field.key(
      undefined,
      '  Profile',
      (row) => `${row.default === undefined ? ' ' : '*'} ${row.name}`,
      {
        style: (row) => (row.default === undefined ? undefined : 'bold'),
      },
    ),
    field.key(undefined, 'Address', ({ baseUrl }) => baseUrl ?? 'invalid'),
    field.name(undefined, 'API key', ({ apiKey }) => apiKey ?? 'none'),
    field.name(undefined, 'File', pathOf, { dropOrder: 1 }),
    field.name(undefined, 'Default', (row) => row.default ?? '', {
      cell: (row) => (row.default === pathOf(row) ? 'yes' : (row.default ?? '')),
      dropOrder: 2,
    }),
  ]
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return withExamples(command, ['flagadm profile list', 'flagadm profile list --json']).action(
    async () => {
      const { host, out } = context
      const isJson = format() === 'json'
      const configurations = await readConfiguration(context)
      const chosen = chosenName(context, configurations)
      const rows = [...configurations.profiles.values()].map((profile) => rowOf(profile, chosen))
      const nothing = 'No profiles. Add one with flagadm profile add.'
      if (isJson) out.json(rows)
      else await printRows('table', { rows, fields: fieldsFor(host), nothing }, context)
    },
  )
}
