import type { SeedFlag, SeedRow } from './seed.ts'
import { type RouteCall, Refusal, type SandboxState } from './state.ts'

type SandboxClock = Pick<SandboxState, 'now' | 'frozen'>

const HOUR_MS = 3_600_000

function currentHour({ now }: SandboxClock): number {
  return Math.floor(now() / HOUR_MS)
}

function isoHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString()
}

/** Identifies the application and environment of a row, at a time. */
function seriesOf({ appName, environment, timestamp }: Partial<SeedRow>): string {
  return JSON.stringify([appName, environment, timestamp])
}

/** The rows that apply to an hour; a row with `hoursAgo` replaces one without. */
function rowsAt({ usage = [] }: SeedFlag, hoursAgo: number): SeedRow[] {
  const always = usage.filter((row) => row.hoursAgo === undefined)
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
  return rowsAt(flag, currentHour(clock) - hour).map((row) => ({
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
  const reporting = usage.filter(({ hoursAgo }) => hoursAgo === undefined)
  const seen = [...new Set(reporting.map(({ appName }) => appName))].sort()
  return {
    version: 1,
    maturity: 'stable',
    featureName,
    lastHourUsage: recordsIn(flag, currentHour(state), state),
    seenApplications: flag.seenApplications ?? seen,
  }
}

/**
 * The raw metrics document of a flag: a record for each hour, environment and application, the oldest hour first,
 * filled with zeros. Environments and applications that reported nothing within the span are left out.
 */
export function rawMetrics({ flag: featureName, query, state }: RouteCall) {
  const flag = state.flags.get(featureName)
  const requested = Number(query.get('hoursBack'))
  // Like the real service, 24 hours for an unsupported number.
  const hoursBack = requested >= 1 && requested <= 48 ? Math.ceil(requested) : 24
  const oldest = currentHour(state) + 1 - hoursBack
  const hours = Array.from({ length: hoursBack }, (_, index) => oldest + index)
  const reports = hours.flatMap((hour) => {
    const records = flag ? recordsIn(flag, hour, state) : []
    const used = records.filter(({ yes, no }) => yes + no > 0)
    return used.map((record) => ({ ...record, timestamp: isoHour(hour) }))
  })
  const reported = new Map(reports.map((report) => [seriesOf(report), report]))
  const environments = [...new Set(reports.map(({ environment }) => environment))]
  // As in the real service.
  const applications = [...new Set(reports.map(({ appName }) => appName))].slice(0, 100)
  const data = hours.map(isoHour).flatMap((timestamp) =>
    environments.flatMap((environment) =>
      applications.map((appName) => {
        const nothing = { timestamp, no: 0, yes: 0, appName, environment, featureName }
        return reported.get(seriesOf(nothing)) ?? nothing
      }),
    ),
  )
  return { version: 1, maturity: 'stable', data }
}

/** When a flag was last used in an environment; null when it never was. */
export function lastUsed({ usage = [] }: SeedFlag, environment: string, clock: SandboxClock) {
  const used = usage.filter((row) => row.environment === environment && row.yes + row.no > 0)
  const times = used.map(({ hoursAgo }) =>
    hoursAgo === undefined ? clock.now() : (currentHour(clock) - hoursAgo) * HOUR_MS,
  )
  return times.length > 0 ? new Date(Math.max(...times)).toISOString() : null
}
