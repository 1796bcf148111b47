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
  /** The same, as the service wrote it. */
  timestamp: string | undefined
  variants: readonly VariantCount[]
}

/** The records of a document that show usage, and what the others show. Documents of many flags would not fit into memory. */
export interface Records {
  /** Those with a count that is not zero. */
  used: readonly UsageRecord[]
  /** Those without counts, or with a negative one. */
  uncounted: readonly UsageRecord[]
  /** The names in all records: the service has records with zeros for each hour of what it lists. */
  applications: readonly string[]
  environments: readonly string[]
  /** The times of all records that can be read, each once. */
  times: readonly number[]
  isEmpty: boolean
}

export function recordOf(record: ServiceRecord): UsageRecord {
  return {
    application: record.appName ?? undefined,
    environment: record.environment ?? undefined,
    time: timeOf(record.timestamp),
    timestamp: record.timestamp ?? undefined,
    enabled: record.yes ?? 0,
    disabled: record.no ?? 0,
    variants: record.variants ?? [],
  }
}

function namesOf(names: readonly (string | null | undefined)[]): string[] {
  return [...new Set(names)].filter((name) => name != null).sort()
}

/** Whether a count is not zero: counts that cancel each other out are usage, and so are those of variants alone. */
export function isUsed({ enabled, disabled, variants }: UsageRecord): boolean {
  return enabled !== 0 || disabled !== 0 || variants.some(({ count }) => count !== 0)
}

export function recordsOf(records: readonly ServiceRecord[]): Records {
  const isUncounted = ({ yes, no }: ServiceRecord) =>
    (yes == null && no == null) || (yes ?? 0) < 0 || (no ?? 0) < 0
  const times = new Set(records.map(({ timestamp }) => timeOf(timestamp)))
  return {
    used: records.map(recordOf).filter(isUsed),
    uncounted: records.filter(isUncounted).map(recordOf),
    applications: namesOf(records.map(({ appName }) => appName)),
    environments: namesOf(records.map(({ environment }) => environment)),
    times: [...times].filter((time) => time !== undefined),
    isEmpty: records.length === 0,
  }
}

export function totalOf(counts: readonly Counts[]): Counts {
  let [enabled, disabled] = [0, 0]
  for (const one of counts) {
    enabled += one.enabled
    disabled += one.disabled
  }
  return { enabled, disabled }
}

/** The latest of the times that are known. */
export function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (last, time) => (time === undefined || (last !== undefined && last >= time) ? last : time),
    undefined,
  )
}
