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
function seriesOf({ appName, environment }: SeedRow, timestamp = ''): string {
  // A span of days calls this for every hour of every flag; as JSON it would take most of the time of an answer.
  return `${appName}\0${environment}\0${timestamp}`
}

const isAlways = ({ hoursAgo, daysAgo }: SeedRow) => hoursAgo === undefined && daysAgo === undefined

/** The last row of each application and environment. */
function lastRows(rows: readonly SeedRow[]): SeedRow[] {
  return [...new Map(rows.map((row) => [seriesOf(row), row])).values()]
}

/** The rows that apply to an hour, by how many hours ago it is; a row with `hoursAgo` replaces one without. */
function rowsByHour({ usage = [] }: SeedFlag): (hoursAgo: number) => readonly SeedRow[] {
  const always = lastRows(usage.filter(isAlways))
  const ofHours = groupBy(usage, ({ hoursAgo }) => hoursAgo)
  return (hoursAgo) => {
    const exact = ofHours.get(hoursAgo)
    return exact ? lastRows([...always, ...exact]) : always
  }
}

/** The counts of a row in one hour: in the current one those of the seed, in others a fifth of them at night. */
function countsOf(
  { hoursAgo, yes, no, variants = {} }: SeedRow,
  hour: number,
  clock: SandboxClock,
) {
  if (hoursAgo !== undefined || hour === currentHour(clock)) return { yes, no, variants }
  const share = 0.6 + 0.4 * Math.cos((Math.PI * ((hour % 24) - 14)) / 12)
  const shares = Object.entries(variants).map(([name, count]) => [name, Math.floor(count * share)])
  const selected = Object.fromEntries(shares)
  return { yes: Math.ceil(yes * share), no: Math.ceil(no * share), variants: selected }
}

/** The records of a flag in its last hour: one for each row. */
function lastRecords(flag: SeedFlag, clock: SandboxClock) {
  const hour = currentHour(clock)
  return rowsByHour(flag)(0).map((row) => ({
    featureName: flag.name,
    appName: row.appName,
    environment: row.environment,
    timestamp: (clock.frozen && row.timestamp) || isoHour(hour),
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
    lastHourUsage: lastRecords(flag, state),
    seenApplications: flag.seenApplications ?? seen,
  }
}

type RawRecord = ReturnType<typeof lastRecords>[number]

/** Records with zeros for every combination of the times with an environment and an application that reported anything. */
function zeroFilled(reports: readonly RawRecord[], times: readonly string[], featureName: string) {
  const reported = new Map(reports.map((report) => [seriesOf(report, report.timestamp), report]))
  const environments = [...new Set(reports.map(({ environment }) => environment))]
  // As in the real service.
  const applications = [...new Set(reports.map(({ appName }) => appName))].slice(0, 100)
  return times.flatMap((timestamp) =>
    environments.flatMap((environment) =>
      applications.map((appName) => {
        const nothing = { timestamp, no: 0, yes: 0, appName, environment, featureName }
        return reported.get(seriesOf(nothing, timestamp)) ?? nothing
      }),
    ),
  )
}

/** What the rows of a flag count in each of these hours, without zeros. */
function countsIn(flag: SeedFlag, hours: readonly number[], clock: SandboxClock) {
  const rowsAt = rowsByHour(flag)
  const now = currentHour(clock)
  return hours.flatMap((hour) =>
    rowsAt(now - hour).flatMap((row) => {
      const counts = countsOf(row, hour, clock)
      const { appName, environment } = row
      return counts.yes + counts.no > 0 ? [{ appName, environment, hour, ...counts }] : []
    }),
  )
}

/** The records of a flag in each of these hours, without those that are zero. */
function hourlyReports(flag: SeedFlag, hours: readonly number[], clock: SandboxClock): RawRecord[] {
  return countsIn(flag, hours, clock).map(({ appName, environment, hour, ...counts }) => ({
    featureName: flag.name,
    appName,
    environment,
    timestamp: isoHour(hour),
    ...counts,
  }))
}

const endOfDay = (day: number) => new Date((day + 1) * DAY_MS - 1).toISOString()

function variantSums(records: readonly SeedRow[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { variants = {} } of records) {
    for (const [name, count] of Object.entries(variants)) {
      sums.set(name, (sums.get(name) ?? 0) + count)
    }
  }
  return Object.fromEntries(sums)
}

type Counts = Pick<SeedRow, 'appName' | 'environment' | 'yes' | 'no' | 'variants'>

function sumsOf(counts: readonly Counts[]) {
  const series = groupBy(counts, (one) => seriesOf(one))
  return Array.from(series.values(), (parts) => {
    const [{ appName, environment }] = parts
    const sumOf = (key: 'yes' | 'no') => parts.reduce((sum, part) => sum + part[key], 0)
    return {
      appName,
      environment,
      yes: sumOf('yes'),
      no: sumOf('no'),
      variants: variantSums(parts),
    }
  })
}

/** The records of a flag on each of these days: what its rows have in the hours of the day, or on that day. */
function dailyReports(flag: SeedFlag, days: readonly number[], state: SandboxState): RawRecord[] {
  const { usage = [], name } = flag
  const today = Math.floor(state.now() / DAY_MS)
  const hoursOf = (day: number) => Array.from({ length: 24 }, (_, hour) => 24 * day + hour)
  const sumsOn = (day: number) => sumsOf(countsIn(flag, hoursOf(day), state))
  // Rows with `hoursAgo` are of the last 47 hours, so that the hours of all days before are the same.
  const recent = today - 2
  const earlier = sumsOn(recent - 1)
  return days.flatMap((day) => {
    const exact = usage.filter(({ daysAgo }) => daysAgo === today - day)
    const sums = sumsOf([...exact, ...(day < recent ? earlier : sumsOn(day))])
    return sums.map(({ appName, environment, ...counts }) => ({
      featureName: name,
      appName,
      environment,
      timestamp: endOfDay(day),
      ...counts,
    }))
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
