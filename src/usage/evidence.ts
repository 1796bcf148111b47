import type { FlagadmError } from '../errors.ts'
import { isoText } from '../old/output/dates.ts'
import type { FlagEnvironment } from '../projects/flags.ts'
import type { FeatureUsage } from '../service/schema.ts'
import { matcherOf } from '../input/wildcards.ts'
import { filterRows } from './filter.ts'
import { documentRows, type UsageDocument } from './document.ts'
import type { GateRequest } from './request.ts'
import { isUsed, later, type UsageRow, usageRows, usageTotals } from './rows.ts'
import { type HourlySummary, summaryOf } from './hourly-summary.ts'
import type { Coverage } from './span.ts'
import type { UsageSource } from './source.ts'
import { type Gap, gapBetween, hourOf, type Instant } from './time.ts'
import type { UsageFilter } from './view.ts'

/** A flag, what the service lists about it, and the result of its readings. Times are ISO 8601, UTC. */
export interface Observation {
  flag: string
  /** Undefined unless projects were read. */
  project: string | undefined
  /** Whether it is known to exist, even if no application has reported it. */
  exists: boolean
  /** Its state in the environments that the filters keep; empty unless projects were read. */
  environments: readonly FlagEnvironment[]
  readings: number
  failedReadings: number
  /** The time that the successful readings cover; undefined if there was none. */
  covered: Coverage | undefined
  /** When a reading first and last saw usage; null if none did. */
  firstSeen: string | null
  lastSeen: string | null
  /** The counts of the last reading that saw usage. */
  enabled: bigint
  disabled: bigint
  /** The latest timestamp of any record. */
  newestRecord: string | null
  /** The most records in one reading, and the most that matched the filters. */
  records: number
  matchingRecords: number
  seenApplications: number
  /** Whether there was usage without the application or environment that a filter asks for. */
  unnamedUsage: boolean
  /** Undefined unless usage is hourly. */
  summary: HourlySummary | undefined
  /** Whether a record that matches the filters, or may match, had neither count. */
  uncounted: boolean
  /** The error of the last reading, if it failed. */
  error: FlagadmError | undefined
  /** When the flag was last read successfully; until then, the start of the gate. */
  readAt: Instant
  /** The first gap between readings; undefined if there is none. */
  gap: Gap | undefined
}

/** The observation of a flag that has not been read yet. */
export function observationOf(
  flag: string,
  { projects, exists, environments }: UsageSource,
  readAt: Instant,
): Observation {
  return {
    flag,
    project: projects?.projectOf(flag),
    exists: exists(flag),
    environments: environments(flag),
    readings: 0,
    failedReadings: 0,
    covered: undefined,
    firstSeen: null,
    lastSeen: null,
    enabled: 0n,
    disabled: 0n,
    newestRecord: null,
    records: 0,
    matchingRecords: 0,
    seenApplications: 0,
    unnamedUsage: false,
    summary: undefined,
    uncounted: false,
    error: undefined,
    readAt,
    gap: undefined,
  }
}

/** Whether a row that lacks a name which a filter asks for may match. Servers may also send an empty name. */
function mayMatch(row: UsageRow, { app, environment }: UsageFilter): boolean {
  const mayBe = (patterns: readonly string[] | undefined, name: string | undefined) =>
    !name || matcherOf(patterns)(name)
  const isNamed = (!app || row.application) && (!environment || row.environment)
  return !isNamed && mayBe(app, row.application) && mayBe(environment, row.environment)
}

/** The observation with one more reading, which failed. */
export function withFailure(observation: Observation, error: FlagadmError): Observation {
  const readings = observation.readings + 1
  return { ...observation, error, readings, failedReadings: observation.failedReadings + 1 }
}

/** Whether a record that matches the filters, or may match, has neither count, or a negative one. */
export function hasUncounted(usage: FeatureUsage, flag: string, filter: UsageFilter): boolean {
  const uncounted = usage.lastHourUsage.filter(
    ({ yes, no }) => (yes == null && no == null) || Number(yes) < 0 || Number(no) < 0,
  )
  const rows = usageRows({ ...usage, lastHourUsage: uncounted }, flag)
  return filterRows(rows, filter).length > 0 || rows.some((row) => mayMatch(row, filter))
}

/**
 * The observation with one more reading, which succeeded. It does not keep the document, because the
 * documents of many flags would not fit into memory.
 * @param now the time of the service in milliseconds since the epoch
 */
export function withReading(
  observation: Observation,
  { data: usage, span }: UsageDocument,
  { options, intervalMs }: GateRequest,
  at: Instant,
  now: number,
): Observation {
  const { flag, records, matchingRecords, seenApplications, unnamedUsage } = observation
  const all = documentRows(usage, flag, span)
  const rows = filterRows(all, options)
  const seenAt = isoText(at.wall)
  const seen = {
    firstSeen: observation.firstSeen ?? seenAt,
    lastSeen: seenAt,
    ...usageTotals(rows),
  }
  const newest = usage.lastHourUsage.reduce<string | undefined>(
    (latest, { timestamp }) => later(latest, timestamp ?? undefined),
    observation.newestRecord ?? undefined,
  )
  return {
    ...withEnd(observation, at, intervalMs),
    summary: span && summaryOf(usage, all, options, span),
    uncounted: observation.uncounted || hasUncounted(usage, flag, options),
    error: undefined,
    readAt: at,
    // A reading of the current clock hour covers it from its start.
    covered: span ?? { from: observation.covered?.from ?? hourOf(now), to: now },
    readings: observation.readings + 1,
    newestRecord: newest ?? null,
    records: Math.max(records, all.length),
    matchingRecords: Math.max(matchingRecords, rows.length),
    seenApplications: Math.max(seenApplications, usage.seenApplications?.length ?? 0),
    unnamedUsage: unnamedUsage || isUsed(all.filter((row) => mayMatch(row, options))),
    ...(isUsed(rows) && seen),
  }
}

/** The observation at a time until which the flag was not read. */
export function withEnd(observation: Observation, at: Instant, intervalMs: number): Observation {
  const gap = observation.gap ?? gapBetween(observation.readAt, at, intervalMs)
  return { ...observation, gap }
}

/** Whether the flag was never read successfully. */
export function isUnread({ readings, failedReadings }: Observation): boolean {
  return readings === failedReadings
}

/** Whether no application has ever reported the flag, and it may not exist: the name may be misspelt. */
export function isUnseen({ exists, records, seenApplications }: Observation): boolean {
  return !exists && records === 0 && seenApplications === 0
}

/** Whether the last reading failed with an error that another reading would repeat. */
export function isRefused({ error }: Observation): boolean {
  return error !== undefined && error.kind !== 'unavailable'
}

/** Whether no further reading can change the verdict, because usage was seen or the service refuses the read. */
export function isDecided(observation: Observation): boolean {
  return observation.firstSeen !== null || isRefused(observation)
}
