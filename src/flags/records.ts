import { FlagadmError } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { orderBy } from '../output/order.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { ServiceRecord } from '../service/schema.ts'
import { hourlyCoverage, hoursBack, type Span } from './span.ts'

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
export function distinct<Value>(values: Iterable<Value | undefined>): Value[] {
  return [...new Set(values)].filter((value) => value !== undefined)
}

/** The names in records, each once, by code unit. */
function namesIn(
  records: readonly UsageRecord[],
  nameOf: (record: UsageRecord) => string | undefined,
): string[] {
  const names = new Set<string | undefined>()
  for (const record of records) names.add(nameOf(record))
  return distinct(names).sort()
}

/** The records of a document, and what those without usage show. */
export type Records = ReturnType<typeof recordsOf>

const byName = orderBy<VariantCount>(({ name }) => name)

/** Reads records of any document. */
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
      variants: variants && variants.length > 1 ? variants.toSorted(byName) : (variants ?? []),
    }),
  )
  return {
    all,
    /** Those with a count that is not zero. */
    used: all.filter(isUsed),
    /** Those without counts, or with a negative one. */
    uncounted: all.filter((_, index) => isUncounted(records[index] ?? {})),
    /** The names in all records: the service has records with zeros for each hour of what it lists. */
    applications: namesIn(all, ({ application }) => application),
    environments: namesIn(all, ({ environment }) => environment),
    /** Whether a record has counts of variants, which may be none. */
    hasVariants: records.some(({ variants }) => variants != null),
    /** The times of all records that can be read, each once. */
    times: distinct(times.values()),
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

/** @throws an `unavailable` error if a usage document, or a record in it, is about another flag */
function refuseOtherFlag(
  featureName: string,
  subjects: readonly { featureName?: string | null | undefined }[],
): void {
  const other = subjects.find(
    (subject) => subject.featureName && subject.featureName !== featureName,
  )
  if (!other) return
  const problem = `the service returned the usage of the flag '${other.featureName}'`
  throw new FlagadmError('unavailable', problem, { featureName })
}

/** The usage of a flag in the current clock hour. */
export async function readLastHour({ service, clock }: Connection, featureName: string) {
  const { data, json } = await service.read(operations.featureUsage, { featureName })
  const { lastHourUsage, seenApplications } = data
  refuseOtherFlag(featureName, [data, ...lastHourUsage])
  const records = recordsOf(lastHourUsage)
  const seen = seenApplications ?? []
  return {
    records,
    documents: [json],
    seen,
    from: undefined,
    isWhole: true,
    readAt: clock.now(),
  }
}

/** The usage of a flag by hour or, for more than 48 hours, by day from a service that keeps days. */
export async function readRecords({ service }: Connection, featureName: string, hours: number) {
  const parameters = { featureName, hoursBack: `${hours}` }
  const { data, json } = await service.read(operations.featureUsageHours, parameters)
  refuseOtherFlag(featureName, data.data)
  return { records: recordsOf(data.data), json }
}

/** The hourly usage of a flag in a span, and what it covers. */
export async function readHours(connection: Connection, featureName: string, span: Span) {
  const { clock } = connection
  const hours = hoursBack(span, clock.now())
  const { records, json } = await readRecords(connection, featureName, hours)
  const coverage = hourlyCoverage(records.times, records.all.length === 0, hours, span)
  return { ...coverage, records, json, seen: [], readAt: clock.now() }
}
