import type { Coverage } from './span.ts'

export interface VariantCount {
  name: string
  count: bigint
}

/** How often rows were evaluated in an hour. Times are in milliseconds since the epoch. */
export interface HourTotal {
  time: number
  total: bigint
  /** How often variants were selected; a name may occur more than once. */
  variants: readonly VariantCount[]
}

/** When a row with hourly usage was evaluated. Times are in milliseconds since the epoch. */
export interface HourlyUsage extends Coverage {
  /** The start of the hour or day that the row is about; undefined for the whole span. */
  bucket: number | undefined
  /** The start of the last hour with usage. */
  lastUsed: number | undefined
  /** The hours of the bucket or span, the oldest first. */
  hours: readonly HourTotal[]
}

/** The latest of some times. */
export function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
}

/** The hourly usage of each variant of a row. */
export function hourlyByVariant(hourly: HourlyUsage): (variant: string) => HourlyUsage {
  const counts = new Map<string, Map<number, bigint>>()
  for (const { time, variants } of hourly.hours) {
    for (const { name, count } of variants) {
      const hours = counts.get(name) ?? new Map<number, bigint>()
      hours.set(time, (hours.get(time) ?? 0n) + count)
      counts.set(name, hours)
    }
  }
  return (variant) => {
    const own = counts.get(variant)
    const hours = hourly.hours.map(({ time }) => {
      return { time, total: own?.get(time) ?? 0n, variants: [] }
    })
    const used = hours.filter(({ total }) => total > 0n)
    return { ...hourly, hours, lastUsed: latest(used.map(({ time }) => time)) }
  }
}

/** The totals of each hour in any of the lists. */
export function sumHours(lists: readonly (readonly HourTotal[])[]): HourTotal[] {
  const sums = new Map<number, HourTotal & { variants: VariantCount[] }>()
  for (const { time, total, variants } of lists.flat()) {
    const sum = sums.get(time)
    if (sum) {
      sum.total += total
      // Copying the list for each hour would take quadratic time.
      sum.variants.push(...variants)
    } else sums.set(time, { time, total, variants: [...variants] })
  }
  return [...sums.values()].sort((a, b) => a.time - b.time)
}

/** The hourly usage of rows that are added up, all about the same hour, day or span. */
export function mergeHourly(all: readonly HourlyUsage[]): HourlyUsage | undefined {
  const [first] = all
  if (!first) return undefined
  const starts = all.flatMap(({ from }) => from ?? [])
  return {
    from: starts.length > 0 ? Math.min(...starts) : undefined,
    to: Math.max(...all.map(({ to }) => to)),
    bucket: first.bucket,
    lastUsed: latest(all.map(({ lastUsed }) => lastUsed)),
    hours: sumHours(all.map(({ hours }) => hours)),
  }
}
