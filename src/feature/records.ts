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
  all: readonly UsageRecord[]
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

/** A function that parses records; the same times and variants occur in many. */
function parser(): (record: ServiceRecord) => UsageRecord {
  const times = new Map<string, number | undefined>()
  return ({ appName, environment, timestamp, yes, no, variants }) => {
    const text = timestamp ?? undefined
    if (text !== undefined && !times.has(text)) times.set(text, timeOf(text))
    return {
      application: appName ?? undefined,
      environment: environment ?? undefined,
      time: text === undefined ? undefined : times.get(text),
      timestamp: text,
      enabled: yes ?? 0,
      disabled: no ?? 0,
      variants: variants ?? [],
    }
  }
}

/** Whether a count is not zero: counts that cancel each other out are usage, and so are those of variants alone. */
export function isUsed({ enabled, disabled, variants }: UsageRecord): boolean {
  return enabled !== 0 || disabled !== 0 || variants.some(({ count }) => count !== 0)
}

export function recordsOf(records: readonly ServiceRecord[]): Records {
  const isUncounted = ({ yes, no }: ServiceRecord) =>
    (yes == null && no == null) || (yes ?? 0) < 0 || (no ?? 0) < 0
  const all = records.map(parser())
  const applications = new Set<string>()
  const environments = new Set<string>()
  const times = new Set<number>()
  for (const { application, environment, time } of all) {
    if (application !== undefined) applications.add(application)
    if (environment !== undefined) environments.add(environment)
    if (time !== undefined) times.add(time)
  }
  return {
    all,
    used: all.filter(isUsed),
    uncounted: all.filter((_, index) => isUncounted(records[index] ?? {})),
    applications: [...applications].sort(),
    environments: [...environments].sort(),
    times: [...times],
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
