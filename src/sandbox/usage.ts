import { type SeedFlag, seriesOf } from './seed.ts'

type SeedRow = SeedFlag['usage'][number]

/** When usage is read. */
export interface SandboxClock {
  /** Milliseconds since the epoch. */
  now: number
  /** The current hour has the seed's own times. */
  frozen: boolean
}

/** The time in a frozen sandbox. */
export const frozenNow = Date.parse('2026-01-05T10:00:00Z')

const hourLength = 3_600_000
const dayLength = 24
const busiestHour = 14
const minHourShare = 0.9

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

/** How busy an hour of the day is (UTC): 1 from 10 to 18 o'clock, a tenth at 2. */
function dailyRhythm(hour: number): number {
  return Math.min(1, 0.7 + 0.6 * Math.cos((2 * Math.PI * (hour - busiestHour)) / dayLength))
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** Scales the counts. `yes` is the sum of the scaled variants and the scaled remainder, so variants never exceed it. */
function scaled(
  { yes, no, variants = {} }: SeedRow,
  scale: (count: number, what: string) => number,
) {
  const scaledVariants = Object.entries(variants).map(
    ([name, count]) => [name, scale(count, `variant ${name}`)] as const,
  )
  const others = yes - sum(Object.values(variants))
  return {
    yes: sum(scaledVariants.map(([, count]) => count)) + scale(others, 'yes'),
    no: scale(no, 'no'),
    variants: Object.fromEntries(scaledVariants),
  }
}

/** The hour of a clock, counted since the epoch. */
function currentHour({ now }: SandboxClock): number {
  return Math.floor(now / hourLength)
}

/** The start of an hour, as the service writes it. */
function isoHour(hour: number): string {
  return new Date(hour * hourLength).toISOString()
}

/** The rows that apply to an hour; a row with `hoursAgo` replaces one without. */
function rowsOf({ usage }: SeedFlag, hoursAgo: number): SeedRow[] {
  const exact = usage.filter((row) => row.hoursAgo === hoursAgo)
  const replaced = new Set(exact.map(seriesOf))
  return usage.filter(
    (row) =>
      row.hoursAgo === hoursAgo || (row.hoursAgo === undefined && !replaced.has(seriesOf(row))),
  )
}

/** The counts of a flag's row in one hour: in the current one those of the seed. */
function countsOf(row: SeedRow, flag: string, hour: number, clock: SandboxClock) {
  const { appName, environment, hoursAgo, yes, no, variants = {} } = row
  if (hoursAgo !== undefined || hour === currentHour(clock)) return { yes, no, variants }
  const share = dailyRhythm(hour)
  return scaled(row, (count, what) => {
    const variation = chance(`${flag} ${appName} ${environment} ${what} ${hour}`)
    return Math.ceil(count * share * (minHourShare + (1 - minHourShare) * variation))
  })
}

/** The records of a flag in one hour: one for each row. */
function recordsOf(flag: SeedFlag, hour: number, clock: SandboxClock) {
  const { name: featureName } = flag
  return rowsOf(flag, currentHour(clock) - hour).map((row) => {
    const { appName, environment } = row
    const timestamp = (clock.frozen && row.timestamp) || isoHour(hour)
    const counts = countsOf(row, featureName, hour, clock)
    return { featureName, appName, environment, timestamp, ...counts }
  })
}

/** The usage document of a flag: its records of the current hour. */
export function usageOf(flag: SeedFlag, clock: SandboxClock) {
  return {
    version: 1,
    maturity: 'stable',
    featureName: flag.name,
    lastHourUsage: recordsOf(flag, currentHour(clock), clock),
    seenApplications: flag.seenApplications,
  }
}

const maxSpanHours = 48
const defaultSpanHours = 24
// As in the real service.
const applicationLimit = 100

/** The number of hour buckets that a query requests: like the real service, 24 for an unsupported value. */
export function hoursBackOf(query: URLSearchParams): number {
  const [text, ...repeated] = query.getAll('hoursBack')
  const hours = Number(text)
  const supported = hours >= 1 && hours <= maxSpanHours && repeated.length === 0
  return supported ? Math.ceil(hours) : defaultSpanHours
}

/**
 * The raw metrics document of a flag: a record for each hour, environment and application, the oldest
 * hour first. Environments and applications that reported nothing within the span are left out, and
 * the hours of the others are filled with zeros.
 */
export function rawMetricsOf(flag: SeedFlag | undefined, hoursBack: number, clock: SandboxClock) {
  const oldest = currentHour(clock) + 1 - hoursBack
  const hours = Array.from({ length: hoursBack }, (_, index) => {
    const timestamp = isoHour(oldest + index)
    const records = flag ? recordsOf(flag, oldest + index, clock) : []
    const reports = records
      .filter(({ yes, no }) => yes + no > 0)
      .map((record) => ({ ...record, timestamp }))
    return { timestamp, reports }
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
export function lastUsed(
  { usage }: SeedFlag,
  environment: string,
  clock: SandboxClock,
): string | null {
  const used = usage.filter((row) => row.environment === environment && row.yes + row.no > 0)
  if (used.some(({ hoursAgo }) => hoursAgo === undefined)) return new Date(clock.now).toISOString()
  const hoursAgo = used.map((row) => row.hoursAgo ?? 0)
  return used.length > 0 ? isoHour(currentHour(clock) - Math.min(...hoursAgo)) : null
}
