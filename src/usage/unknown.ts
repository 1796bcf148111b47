import type { Define } from '../command/context.ts'
import { timeOf } from '../input/time.ts'
import { count, refuseWithJson, sortOption, withExamples } from '../command/options.ts'
import { field, type RowField } from '../output/fields.ts'
import { rowFormats } from '../output/formats.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { printRows, warnOf } from '../output/print.ts'
import { firstRows } from '../output/rows.ts'
import { connect } from '../profile/connect.ts'
import { optional, type Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { UnknownFlags } from '../service/schema.ts'

/** A name that SDKs ask for but no flag has, in one application and environment. */
interface UnknownName {
  name: string
  application?: string | null | undefined
  environment?: string | null | undefined
  seenAt?: string | null | undefined
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

export const unknownFields: readonly RowField<UnknownName>[] = [
  field.key('name', 'Name', ({ name }) => name),
  field.name('application', 'Application', ({ application }) => application),
  field.name('environment', 'Environment', ({ environment }) => environment),
  field.time('seenAt', 'Last seen', ({ seenAt }) => seenAt, { dropOrder: 1 }),
]

const orders = {
  name: ({ name }: UnknownName) => name,
  'last-seen': ({ seenAt }: UnknownName) => timeOf(seenAt) ?? Number.MAX_VALUE,
}

// The service lists at most this number of names.
const MAX_NAMES = 1000

/** What is missing if the service got no usage at all: names that SDKs ask for come with it. */
async function silenceOfService(service: Service): Promise<Incomplete[]> {
  const statistics = await optional(service.read(operations.statistics, {}))
  const count = statistics?.data.previousDayMetricsBucketsCount?.enabledCount
  if (count !== 0) return []
  return [{ message: 'the service got no usage yesterday: SDKs may not report', names: [] }]
}

export const define: Define = (command, context) => {
  const format = context.formats(command, rowFormats)
  return withExamples(
    command,
    ['flagadm feature unknown -p sandbox', 'flagadm feature unknown --sort last-seen -p sandbox'],
    `Most are misspelt, or were archived too early. The service lists the names of the last 24 hours.`,
  )
    .optionsGroup('View:')
    .addOption(sortOption(orders))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows', count('--limit'))
    .action(async ({ sort, ...view }, self) => {
      const { out, options } = context
      refuseWithJson(format(), self)
      const { service, target, clock } = await connect(context)
      const { data, json } = await service.read(operations.unknownFlags, {})
      const message = `the service lists at most ${MAX_NAMES.toLocaleString('en')} names`
      const hasMore = data.unknownFlags.length >= MAX_NAMES
      const incomplete = [
        ...(hasMore ? [{ message, names: [] }] : []),
        ...(await silenceOfService(service)),
      ]
      if (format() === 'json') {
        out.jsonText(json)
        // The document of the service has no place for it.
        return warnOf(incomplete, context)
      }
      const rows = rowsOf(data)
      const order = orderBy(
        orders[sort],
        orders.name,
        ({ application }) => application,
        ({ environment }) => environment,
      )
      const names = new Set(rows.map((row) => row.name)).size
      const report = {
        ...firstRows(rows, order, view),
        fields: unknownFields,
        now: options.verbose ? undefined : clock.now(),
        caption: `Names that SDKs asked for but no flag has, on ${target}`,
        marker: 'feature unknown',
        nothing: 'No unknown names.',
        below: names > 0 ? [counted(names, 'unknown name')] : [],
        incomplete,
      }
      await printRows(format(), report, context)
    })
}
