import type { SeedFlag, SeedRow } from './seed.ts'
import type { SandboxState } from './state.ts'

type Clock = Pick<SandboxState, 'now' | 'frozen'>

const HOUR_MS = 3_600_000
const BUSIEST_HOUR = 14
const MIN_SHARE = 0.9

/** A number from 0 up to 1 that depends only on the text: FNV-1a with the finalizer of MurmurHash3. */
function chance(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** How busy an hour is: 1 from 10 to 18 o'clock UTC, a tenth at 2. */
function dailyRhythm(hour: number): number {
  return Math.min(1, 0.7 + 0.6 * Math.cos((2 * Math.PI * (hour - BUSIEST_HOUR)) / 24))
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function currentHour({ now }: Clock): number {
  return Math.floor(now() / HOUR_MS)
}

function isoHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString()
}

/** Identifies the application and environment of a row. */
function seriesOf({ appName, environment }: Pick<SeedRow, 'appName' | 'environment'>): string {
  return JSON.stringify([appName, environment])
}

/** The rows that apply to an hour; a row with `hoursAgo` replaces one without. */
function rowsOf({ usage = [] }: SeedFlag, hoursAgo: number): SeedRow[] {
  const exact = usage.filter((row) => row.hoursAgo === hoursAgo)
  const replaced = new Set(exact.map(seriesOf))
  return usage.filter(
    (row) =>
      row.hoursAgo === hoursAgo || (row.hoursAgo === undefined && !replaced.has(seriesOf(row))),
  )
}

/** The counts of a row in one hour: in the current one those of the seed. Variants never exceed `yes`. */
function countsOf(row: SeedRow, flag: string, hour: number, clock: Clock) {
  const { appName, environment, hoursAgo, yes, no, variants = {} } = row
  if (hoursAgo !== undefined || hour === currentHour(clock)) return { yes, no, variants }
  const scaled = (count: number, what: string) => {
    const variation = chance(`${flag} ${appName} ${environment} ${what} ${hour}`)
    return Math.ceil(count * dailyRhythm(hour) * (MIN_SHARE + (1 - MIN_SHARE) * variation))
  }
  const selected = Object.entries(variants).map(
    ([name, count]) => [name, scaled(count, `variant ${name}`)] as const,
  )
  const others = scaled(yes - sum(Object.values(variants)), 'yes')
  return {
    yes: sum(selected.map(([, count]) => count)) + others,
    no: scaled(no, 'no'),
    variants: Object.fromEntries(selected),
  }
}

/** The records of a flag in one hour: one for each row. */
function recordsOf(flag: SeedFlag, hour: number, clock: Clock) {
  const { name: featureName } = flag
  return rowsOf(flag, currentHour(clock) - hour).map((row) => {
    const { appName, environment } = row
    const timestamp = (clock.frozen && row.timestamp) || isoHour(hour)
    const counts = countsOf(row, featureName, hour, clock)
    return { featureName, appName, environment, timestamp, ...counts }
  })
}

/** The usage document of a flag: its records of the current hour. */
export function usageOf(flag: SeedFlag, clock: Clock) {
  const { name: featureName, usage = [] } = flag
  const reporting = usage.filter(({ hoursAgo }) => hoursAgo === undefined)
  const seen = [...new Set(reporting.map(({ appName }) => appName))].sort()
  return {
    version: 1,
    maturity: 'stable',
    featureName,
    lastHourUsage: recordsOf(flag, currentHour(clock), clock),
    seenApplications: flag.seenApplications ?? seen,
  }
}

/** The number of hour buckets that a query requests: like the real service, 24 for an unsupported value. */
function hoursBackOf(query: URLSearchParams): number {
  const [text, ...repeated] = query.getAll('hoursBack')
  const hours = Number(text)
  return hours >= 1 && hours <= 48 && repeated.length === 0 ? Math.ceil(hours) : 24
}

/**
 * The raw metrics document of a flag: a record for each hour, environment and application, the oldest hour first,
 * filled with zeros. Environments and applications that reported nothing within the span are left out.
 */
export function rawMetricsOf(flag: SeedFlag | undefined, query: URLSearchParams, clock: Clock) {
  const hoursBack = hoursBackOf(query)
  const oldest = currentHour(clock) + 1 - hoursBack
  const hours = Array.from({ length: hoursBack }, (_, index) => {
    const timestamp = isoHour(oldest + index)
    const records = flag ? recordsOf(flag, oldest + index, clock) : []
    const reports = records.filter(({ yes, no }) => yes + no > 0)
    return { timestamp, reports: reports.map((record) => ({ ...record, timestamp })) }
  })
  const all = hours.flatMap(({ reports }) => reports)
  const environments = [...new Set(all.map(({ environment }) => environment))]
  // As in the real service.
  const applications = [...new Set(all.map(({ appName }) => appName))].slice(0, 100)
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
export function lastUsed(
  { usage = [] }: SeedFlag,
  environment: string,
  clock: Clock,
): string | null {
  const used = usage.filter((row) => row.environment === environment && row.yes + row.no > 0)
  if (used.length === 0) return null
  const hoursAgo = Math.min(...used.map((row) => row.hoursAgo ?? 0))
  const isNow = used.some((row) => row.hoursAgo === undefined)
  return isNow ? new Date(clock.now()).toISOString() : isoHour(currentHour(clock) - hoursAgo)
}
