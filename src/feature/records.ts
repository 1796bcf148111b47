import { timeOf } from '../input/time.ts'
import type { UsageRecord as ServiceRecord } from '../service/schema.ts'

/** How often a flag was on and off. */
export interface Counts {
  enabled: number
  disabled: number
}

export interface VariantCount {
  name: string
  count: number
}

/** Usage of a flag by an application in an environment. A name that the service left out is undefined. */
export interface UsageRecord extends Counts {
  application: string | undefined
  environment: string | undefined
  /** The start of its hour, in milliseconds since the epoch; undefined if that cannot be read. */
  time: number | undefined
  variants: readonly VariantCount[]
}

/** Whether a count is not zero: counts that cancel each other out are usage, and so are those of variants alone. */
export function isUsed({ enabled, disabled, variants }: UsageRecord): boolean {
  return enabled !== 0 || disabled !== 0 || variants.some(({ count }) => count !== 0)
}

/** The values that are defined, each once. */
function distinct<Value>(values: Iterable<Value | undefined>): Value[] {
  return [...new Set(values)].filter((value) => value !== undefined)
}

/** The records of a document, and what those without usage show. */
export type Records = ReturnType<typeof recordsOf>

export function recordsOf(records: readonly ServiceRecord[]) {
  const isUncounted = ({ yes, no }: ServiceRecord) =>
    (yes == null && no == null) || (yes ?? 0) < 0 || (no ?? 0) < 0
  // Many records have the same time.
  const times = new Map<string | null | undefined, number | undefined>()
  for (const { timestamp } of records) {
    if (!times.has(timestamp)) times.set(timestamp, timeOf(timestamp))
  }
  const all = records.map(
    ({ appName, environment, timestamp, yes, no, variants }): UsageRecord => ({
      application: appName ?? undefined,
      environment: environment ?? undefined,
      time: times.get(timestamp),
      enabled: yes ?? 0,
      disabled: no ?? 0,
      variants: variants ?? [],
    }),
  )
  return {
    all,
    /** Those with a count that is not zero. */
    used: all.filter(isUsed),
    /** Those without counts, or with a negative one. */
    uncounted: all.filter((_, index) => isUncounted(records[index] ?? {})),
    /** The names in all records: the service has records with zeros for each hour of what it lists. */
    applications: distinct(all.map(({ application }) => application)).sort(),
    environments: distinct(all.map(({ environment }) => environment)).sort(),
    /** The times of all records that can be read, each once. */
    times: distinct(times.values()),
    isEmpty: records.length === 0,
  }
}

export function totalOf(counts: readonly Counts[]): Counts {
  const total = { enabled: 0, disabled: 0 }
  for (const { enabled, disabled } of counts) {
    total.enabled += enabled
    total.disabled += disabled
  }
  return total
}

/** The latest of the times that are known. */
export function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (last, time) => (time === undefined || (last !== undefined && last >= time) ? last : time),
    undefined,
  )
}
