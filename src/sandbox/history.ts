import type { SeedFlag } from './seed.ts'
import { type Clock, countsOf, currentHour, isoHour, rowsOf, seriesOf } from './usage.ts'

const longestSpan = 48
const defaultSpan = 24
// The real service stops there, too.
const applicationLimit = 100

/** The number of hour buckets that a query asks for: like the real service, 24 instead of what it does not support. */
export function hoursBackOf(query: URLSearchParams): number {
  const [text, ...repeated] = query.getAll('hoursBack')
  const hours = Number(text)
  const supported = hours >= 1 && hours <= longestSpan && repeated.length === 0
  return supported ? Math.ceil(hours) : defaultSpan
}

/** What was reported of a flag in an hour. */
function reportsOf(flag: SeedFlag, hour: number, clock: Clock) {
  const { name: featureName } = flag
  const timestamp = isoHour(hour)
  return rowsOf(flag, currentHour(clock) - hour)
    .map((row) => {
      const { appName, environment } = row
      const counts = countsOf(row, featureName, hour, clock)
      return { featureName, appName, environment, timestamp, ...counts }
    })
    .filter(({ yes, no }) => yes + no > 0)
}

/**
 * The raw metrics document of a flag: a record for each hour, environment and application, the oldest
 * hour first. Environments and applications that reported nothing within the span are left out, and
 * the hours of the others are filled with zeros.
 */
export function rawMetricsOf(flag: SeedFlag | undefined, hoursBack: number, clock: Clock) {
  const oldest = currentHour(clock) + 1 - hoursBack
  const hours = Array.from({ length: hoursBack }, (_, index) => {
    const reports = flag ? reportsOf(flag, oldest + index, clock) : []
    return { timestamp: isoHour(oldest + index), reports }
  })
  const all = hours.flatMap(({ reports }) => reports)
  const environments = [...new Set(all.map(({ environment }) => environment))]
  const applications = [...new Set(all.map(({ appName }) => appName))].slice(0, applicationLimit)
  const data = hours.flatMap(({ timestamp, reports }) => {
    const reported = new Map(reports.map((report) => [seriesOf(report), report]))
    return environments.flatMap((environment) =>
      applications.map((appName) => {
        const nothing = { timestamp, no: 0, yes: 0, appName, environment, featureName: flag?.name }
        return reported.get(seriesOf(nothing)) ?? nothing
      }),
    )
  })
  return { version: 1, maturity: 'stable', data }
}

/** When a flag was last used in an environment; null when it never was. */
export function lastUsed({ usage }: SeedFlag, environment: string, clock: Clock): string | null {
  const used = usage.filter((row) => row.environment === environment && row.yes + row.no > 0)
  if (used.some(({ hoursAgo }) => hoursAgo === undefined)) return new Date(clock.now).toISOString()
  const hoursAgo = used.map((row) => row.hoursAgo ?? 0)
  return used.length > 0 ? isoHour(currentHour(clock) - Math.min(...hoursAgo)) : null
}
