import { groupBy } from '../groups.ts'
import { DAY_MS, HOUR_MS } from '../output/time.ts'
import type { SeedFlag, SeedRow } from './seed.ts'
import { type RouteCall, Refusal, type SandboxState } from './state.ts'

type SandboxClock = Pick<SandboxState, 'now' | 'frozen'>

function currentHour({ now }: SandboxClock): number {
  return Math.floor(now() / HOUR_MS)
}

function isoHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString()
}

/** Identifies the application and environment of a row, at a time. */
function seriesOf({ appName, environment, timestamp }: Partial<SeedRow>): string {
  // A span of days calls this for every hour of every flag; as JSON it would take most of the time of an answer.
  return `${appName}\0${environment}\0${timestamp}`
}

const isAlways = ({ hoursAgo, daysAgo }: SeedRow) => hoursAgo === undefined && daysAgo === undefined

/** The rows that apply to an hour; a row with `hoursAgo` replaces one without. */
function rowsAt({ usage = [] }: SeedFlag, hoursAgo: number): SeedRow[] {
  const always = usage.filter(isAlways)
  const exact = usage.filter((row) => row.hoursAgo === hoursAgo)
  const rows = [...always, ...exact].map(
    (row) => [seriesOf({ ...row, timestamp: '' }), row] as const,
  )
  return [...new Map(rows).values()]
}

/** The counts of a row in one hour: in the current one those of the seed, in others a fifth of them at night. */
function countsOf(
  { hoursAgo, yes, no, variants = {} }: SeedRow,
  hour: number,
  clock: SandboxClock,
) {
  if (hoursAgo !== undefined || hour === currentHour(clock)) return { yes, no, variants }
  const share = 0.6 + 0.4 * Math.cos((Math.PI * (hour - 14)) / 12)
  const shares = Object.entries(variants).map(([name, count]) => [name, Math.floor(count * share)])
  const selected = Object.fromEntries(shares)
  return { yes: Math.ceil(yes * share), no: Math.ceil(no * share), variants: selected }
}

/** The records of a flag in one hour: one for each row. */
function recordsIn(flag: SeedFlag, hour: number, clock: SandboxClock) {
  const timestamp = isoHour(hour)
  return rowsAt(flag, currentHour(clock) - hour).map((row) => ({
    featureName: flag.name,
    appName: row.appName,
    environment: row.environment,
    timestamp: (clock.frozen && row.timestamp) || timestamp,
    ...countsOf(row, hour, clock),
  }))
}

/** The usage document of a flag: its records of the current hour. */
export function usageDocument({ flag: featureName, state }: RouteCall) {
  const flag = state.flags.get(featureName)
  if (!flag) throw new Refusal(404, `No feature flag with the name ${featureName} exists`)
  const { usage = [] } = flag
  const reporting = usage.filter(isAlways)
  const seen = [...new Set(reporting.map(({ appName }) => appName))].sort()
  return {
    version: 1,
    maturity: 'stable',
    featureName,
    lastHourUsage: recordsIn(flag, currentHour(state), state),
    seenApplications: flag.seenApplications ?? seen,
  }
}

type RawRecord = ReturnType<typeof recordsIn>[number]

/** Records with zeros for every combination of the times with an environment and an application that reported anything. */
function zeroFilled(reports: readonly RawRecord[], times: readonly string[], featureName: string) {
  const reported = new Map(reports.map((report) => [seriesOf(report), report]))
  const environments = [...new Set(reports.map(({ environment }) => environment))]
  // As in the real service.
  const applications = [...new Set(reports.map(({ appName }) => appName))].slice(0, 100)
  return times.flatMap((timestamp) =>
    environments.flatMap((environment) =>
      applications.map((appName) => {
        const nothing = { timestamp, no: 0, yes: 0, appName, environment, featureName }
        return reported.get(seriesOf(nothing)) ?? nothing
      }),
    ),
  )
}

/** The records of a flag in each of these hours, without those that are zero. */
function hourlyReports(flag: SeedFlag, hours: readonly number[], state: SandboxState) {
  // The times of rows are those of their usage in the last hour.
  const clock = { now: state.now, frozen: false }
  return hours.flatMap((hour) => recordsIn(flag, hour, clock).filter(({ yes, no }) => yes + no > 0))
}

const endOfDay = (day: number) => new Date((day + 1) * DAY_MS - 1).toISOString()

/** The counts of each variant in some records. */
function variantSums(records: readonly Pick<SeedRow, 'variants'>[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { variants = {} } of records) {
    for (const [name, count] of Object.entries(variants)) {
      sums.set(name, (sums.get(name) ?? 0) + count)
    }
  }
  return Object.fromEntries(sums)
}

/** The records of a flag on each of these days: what its rows have in the hours of the day, or on that day. */
function dailyReports(flag: SeedFlag, days: readonly number[], state: SandboxState): RawRecord[] {
  const { usage = [], name } = flag
  const today = Math.floor(state.now() / DAY_MS)
  return days.flatMap((day) => {
    const timestamp = endOfDay(day)
    const exact = usage.filter(({ daysAgo }) => daysAgo === today - day)
    const hours = Array.from({ length: 24 }, (_, hour) => 24 * day + hour)
    const records = [...exact, ...hourlyReports(flag, hours, state)]
    const series = groupBy(records, (record) => seriesOf({ ...record, timestamp }))
    return Array.from(series.values(), (reports) => {
      const [{ appName, environment }] = reports
      const sumOf = (key: 'yes' | 'no') => reports.reduce((sum, counts) => sum + counts[key], 0)
      return {
        featureName: name,
        appName,
        environment,
        timestamp,
        yes: sumOf('yes'),
        no: sumOf('no'),
        variants: variantSums(reports),
      }
    })
  })
}

/**
 * The raw metrics document of a flag: a record for each hour, environment and application, the oldest hour first, filled with
 * zeros; for more than 48 hours, a record for each day that is over. Environments and applications that reported nothing within
 * the span are left out.
 */
export function rawMetrics({ flag: featureName, query, state }: RouteCall) {
  const flag = state.flags.get(featureName)
  const requested = Number(query.get('hoursBack'))
  const data =
    requested > 48 && requested <= 2184
      ? rawDays(flag, Math.ceil(requested / 24), state)
      : rawHours(flag, requested, state)
  return { version: 1, maturity: 'stable', data }
}

function rawDays(flag: SeedFlag | undefined, count: number, state: SandboxState) {
  const today = Math.floor(state.now() / DAY_MS)
  const days = Array.from({ length: count }, (_, index) => today - count + index)
  if (!flag) return []
  return zeroFilled(dailyReports(flag, days, state), days.map(endOfDay), flag.name)
}

function rawHours(flag: SeedFlag | undefined, requested: number, state: SandboxState) {
  // Like the real service, 24 hours for an unsupported number.
  const hoursBack = requested >= 1 && requested <= 48 ? Math.ceil(requested) : 24
  const oldest = currentHour(state) + 1 - hoursBack
  const hours = Array.from({ length: hoursBack }, (_, index) => oldest + index)
  return flag ? zeroFilled(hourlyReports(flag, hours, state), hours.map(isoHour), flag.name) : []
}

/** When a flag was last used in an environment; null when it never was. */
export function lastUsed({ usage = [] }: SeedFlag, environment: string, clock: SandboxClock) {
  const used = usage.filter((row) => row.environment === environment && row.yes + row.no > 0)
  const times = used.map((row) => {
    const { hoursAgo = 0, daysAgo = 0 } = row
    const hours = 24 * daysAgo + hoursAgo
    return isAlways(row) ? clock.now() : (currentHour(clock) - hours) * HOUR_MS
  })
  return times.length > 0 ? new Date(Math.max(...times)).toISOString() : null
}
