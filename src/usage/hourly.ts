import type { Coverage } from './span.ts'
import { HOUR_MS } from './time.ts'

export interface VariantCount {
  name: string
  count: bigint
}

/** An hour since the epoch, and how often rows were evaluated in it: for drawings, which need no exact number. */
export type HourCount = readonly [hour: number, count: number]

/** The counts of several hours. Two lists, because an object for each hour takes six times their memory. */
export interface HourCounts {
  hours: readonly number[]
  counts: readonly number[]
}

export const noHours: HourCounts = { hours: [], counts: [] }

/** When a row with hourly usage was evaluated. Times are in milliseconds since the epoch. */
export interface HourlyUsage extends Coverage {
  /** The start of the hour or day that the row is about; undefined for the whole span. */
  bucket: number | undefined
  /** The start of the last hour with usage. */
  lastUsed: number | undefined
  /** The hours of the bucket or span. */
  hours: HourCounts
  /** How often each variant was selected; undefined unless rows are grouped by variant. */
  variants?: ReadonlyMap<string, HourCounts> | undefined
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined)
}

export function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
}

/** The hours of all lists, one after the other. */
export function* eachHour(lists: readonly HourCounts[]): Iterable<HourCount> {
  for (const { hours, counts } of lists) {
    for (const [index, hour] of hours.entries()) yield [hour, counts[index] ?? 0]
  }
}

/** The sum of the counts in each hour. */
export function sumHours(all: Iterable<HourCount>): HourCounts {
  const sums = new Map<number, number>()
  for (const [hour, count] of all) sums.set(hour, (sums.get(hour) ?? 0) + count)
  return { hours: [...sums.keys()], counts: [...sums.values()] }
}

/** The hourly usage of a variant of a row. */
export function hourlyOfVariant(hourly: HourlyUsage, variant: string): HourlyUsage {
  const { hours } = hourly.hours
  const own = new Map(eachHour([hourly.variants?.get(variant) ?? noHours]))
  const counts = hours.map((hour) => own.get(hour) ?? 0)
  const used = [...own].filter(([, count]) => count > 0)
  const lastUsed = latest(used.map(([hour]) => hour * HOUR_MS))
  return { ...hourly, hours: { hours, counts }, lastUsed, variants: undefined }
}

/** The hourly usage of rows that are added up, all about the same hour, day or span. */
export function mergeHourly(all: readonly HourlyUsage[]): HourlyUsage | undefined {
  const [first] = all
  if (!first) return undefined
  return {
    from: earliest(all.map(({ from }) => from)),
    to: all.reduce((latest, { to }) => Math.max(latest, to), first.to),
    bucket: first.bucket,
    lastUsed: latest(all.map(({ lastUsed }) => lastUsed)),
    hours: sumHours(eachHour(all.map(({ hours }) => hours))),
  }
}
