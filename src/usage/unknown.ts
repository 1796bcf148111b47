import type { Context, Define } from '../command/context.ts'
import { choices, count, refuseWithJson, sortOption, withExamples } from '../command/options.ts'
import { serviceOptions } from '../command/service-options.ts'
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import { field, type RowField } from '../output/fields.ts'
import { type RowFormat, rowFormats } from '../output/formats.ts'
import { counted, type Incomplete, listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { printRows, warnOf } from '../output/print.ts'
import { firstRows, type ViewOptions } from '../output/rows.ts'
import { connect } from '../profile/connect.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { UnknownFlags } from '../service/schema.ts'
import { nameWords, shellCommand } from '../shell.ts'
import { type ArchivedUse, type ArchivedUses, readArchivedUses } from './archived-use.ts'

/** A name that SDKs ask for but no flag has, or only an archived one, in one application and environment. */
interface UnknownName {
  name: string
  application?: string | null | undefined
  environment?: string | null | undefined
  seenAt?: string | null | undefined
  /** The flag, if it is archived. */
  archived?: ArchivedUse
}

function rowsOf({ unknownFlags }: UnknownFlags): UnknownName[] {
  return unknownFlags.flatMap(({ name, lastSeenAt, reports }): UnknownName[] => {
    const rows = (reports ?? []).flatMap(({ appName: application, environments }) => {
      // An application without environments asks for it nevertheless.
      const places = environments?.length ? environments : [{}]
      return places.map((one): UnknownName => ({ name, application, ...one }))
    })
    // A name without reports has one row.
    return rows.length > 0 ? rows : [{ name, seenAt: lastSeenAt }]
  })
}

const archivedRows = (archived: ArchivedUse): UnknownName[] =>
  archived.uses.map((use) => ({ name: archived.name, ...use, archived }))

/** @param hasArchived whether tables have columns that are only of archived flags */
export const unknownFields = (hasArchived: boolean): readonly RowField<UnknownName>[] => [
  field.key('name', 'Name', ({ name }) => name, { isGroup: true }),
  field.name('application', 'Application', ({ application }) => application),
  field.name('environment', 'Environment', ({ environment }) => environment),
  field.time('seenAt', 'Last seen', ({ seenAt }) => seenAt, { dropOrder: 1 }),
  field.word('status', hasArchived ? 'Status' : undefined, ({ archived }) =>
    archived ? 'archived' : 'unknown',
  ),
  field.name('project', undefined, ({ archived }) => archived?.projectId),
  field.time('archivedAt', hasArchived ? 'Archived' : undefined, ({ archived }) => {
    return archived?.archivedAt
  }),
  field.name('archivedBy', hasArchived ? 'By' : undefined, ({ archived }) => archived?.archivedBy, {
    dropOrder: 2,
  }),
]

const orders = {
  name: ({ name }: UnknownName) => name,
  'last-seen': ({ seenAt }: UnknownName) => timeOf(seenAt) ?? Number.MAX_VALUE,
}

// The service lists at most this number of names.
const MAX_NAMES = 1000

/** Whether the service got no usage: names that SDKs ask for come with it. */
async function readSilence(service: Service): Promise<{ isSilent: boolean; gap?: Incomplete }> {
  const statistics = await service.read(operations.statistics, {}).catch(failureOf)
  if (statistics instanceof FlagadmError) {
    const message = `it is not known whether the service gets usage: ${problemText(statistics)}`
    return { isSilent: false, gap: { message, names: [] } }
  }
  const count = statistics.data.previousDayMetricsBucketsCount?.enabledCount
  if (count !== 0) return { isSilent: false }
  const message = 'the service got no usage yesterday: SDKs may not report'
  return { isSilent: true, gap: { message, names: [] } }
}

/** The names of the last 24 hours, and the document of the service; neither if it does not list them. */
async function readUnknown(service: Service) {
  const none = { rows: [], json: '{"unknownFlags":null}' }
  try {
    const { data, json } = await service.read(operations.unknownFlags, {})
    const message = `the service lists at most ${MAX_NAMES.toLocaleString('en')} names`
    const hasMore = data.unknownFlags.length >= MAX_NAMES
    const incomplete = hasMore ? [{ message, names: [] }] : []
    return { rows: rowsOf(data), json, incomplete, failure: undefined }
  } catch (error) {
    const failure = failureOf(error)
    if (!failure.isLacking) throw failure
    const message = `unknown names are not known: ${problemText(failure)}`
    const text = failure.hint === undefined ? message : `${message} (${failure.hint})`
    return { ...none, incomplete: [{ message: text, names: [] }], failure }
  }
}

/** The commands that revive flags, one for each project. */
function reviveCommands(context: Context, found: readonly ArchivedUse[]): string[][] {
  return Array.from(
    groupBy(found, ({ projectId }) => projectId),
    ([projectId, flags]) => {
      const names = nameWords(flags.map(({ name }) => name))
      return [
        'flagadm',
        'feature',
        'revive',
        ...serviceOptions(context),
        '--project',
        projectId,
        ...names,
      ]
    },
  )
}

/** The document of the service with the archived flags beside its own names. */
function withArchived(json: string, context: Context, found: readonly ArchivedUse[]): string {
  const archived = found.map((one) => {
    const { name, projectId: project, archivedAt, archivedBy = null, uses } = one
    const revive = reviveCommands(context, [one]).map(shellCommand)[0]
    return { name, project, archivedAt, archivedBy, uses, revive }
  })
  return `${json.trimEnd().slice(0, -1)},"archivedFlags":${JSON.stringify(archived)}}`
}

/** The error of a check that finds archived flags; undefined if it finds none, and could look at all. */
function refusalOf(
  context: Context,
  { found, failure }: ArchivedUses,
  silence: Incomplete | undefined,
): FlagadmError | undefined {
  if (found.length === 0) {
    const inconclusive =
      silence && new FlagadmError('checkFailed', `inconclusive: ${silence.message}`)
    return failure ?? inconclusive
  }
  const names = found.map(({ name }) => name)
  const what = `${counted(names.length, 'archived flag')} still asked for: ${listed(names)}`
  const [command] = reviveCommands(context, found)
  const hint =
    'take the names out of the code of these applications or, if that takes time, revive the flags (they stay off; revive -f with the file of --save-before restores more):'
  return new FlagadmError('checkFailed', what, { names, hint, command })
}

interface UnknownOptions extends ViewOptions {
  sort: keyof typeof orders
  failOn?: readonly string[] | undefined
}

/** Lists names that SDKs ask for, and fails if the check does. */
async function listUnknown(
  context: Context,
  format: RowFormat,
  { sort, failOn, ...view }: UnknownOptions,
): Promise<void> {
  const connection = await connect(context)
  const { service, target, clock } = connection
  const unknown = await readUnknown(service)
  const archived = await readArchivedUses(connection)
  const { found } = archived
  // Then nothing is known at all.
  if (unknown.failure && archived.failure) throw unknown.failure
  // Names come with usage.
  const silence = unknown.rows.length > 0 ? undefined : await readSilence(service)
  // Archived flags that are asked for show that usage arrives, unless the service says otherwise.
  const gap = silence?.isSilent || found.length === 0 ? silence?.gap : undefined
  const incomplete = [...unknown.incomplete, ...archived.incomplete, ...(gap ? [gap] : [])]
  if (format === 'json') {
    context.out.jsonText(withArchived(unknown.json, context, found))
    // The document of the service has no place for it.
    warnOf(incomplete, context)
  } else {
    const order = orderBy(
      orders[sort],
      orders.name,
      ({ application }) => application,
      ({ environment }) => environment,
    )
    const rows = [...unknown.rows, ...found.flatMap(archivedRows)]
    const report = {
      ...firstRows(rows, order, view),
      fields: unknownFields(found.length > 0),
      now: context.options.verbose ? undefined : clock.now(),
      caption: `Names that SDKs ask for and no flag has, or only an archived one, on ${target}`,
      marker: 'feature unknown',
      nothing: unknown.failure
        ? 'No archived flags that are asked for.'
        : 'No unknown names, and no archived flags that are asked for.',
      below: countLines(context, unknown.rows, found),
      incomplete,
    }
    await printRows(format, report, context)
  }
  // A check of archived flags does without unknown names.
  const refusal = failOn
    ? refusalOf(context, archived, silence?.isSilent ? gap : undefined)
    : unknown.failure
  if (refusal) throw refusal
}

/** How many names there are, and how to revive those that were archived. */
function countLines(
  context: Context,
  unknown: readonly UnknownName[],
  found: readonly ArchivedUse[],
): string[] {
  const names = new Set(unknown.map(({ name }) => name)).size
  return [
    ...(names > 0 ? [counted(names, 'unknown name')] : []),
    ...(found.length > 0 ? [`${counted(found.length, 'archived flag')} still asked for`] : []),
    ...(found.length > 0
      ? ['to revive them (they stay off; revive -f with the file of --save-before restores more):']
      : []),
    ...reviveCommands(context, found).map(shellCommand),
  ]
}

export const define: Define = (command, context) => {
  const format = context.formats(command, rowFormats)
  return withExamples(
    command,
    ['flagadm feature unknown -p sandbox', 'flagadm feature unknown --fail-on archived -p sandbox'],
    `Most unknown names are misspelt; the service lists those of the last 24 hours. Archived flags are those that were seen more than an hour after they were archived, in the last 30 days.`,
  )
    .optionsGroup('Check:')
    .addOption(
      choices('--fail-on <problem>', 'exit with 9 if SDKs ask for an archived flag', ['archived']),
    )
    .optionsGroup('View:')
    .addOption(sortOption(orders))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows', count('--limit'))
    .action((options, self) => {
      refuseWithJson(format(), self, ['failOn'])
      return listUnknown(context, format(), options)
    })
}
