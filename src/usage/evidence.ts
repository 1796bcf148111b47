import type { FlagadmError } from '../errors.ts'
import type { FeatureUsage } from '../service/schema.ts'
import { matcherOf } from '../input/wildcards.ts'
import { createFilter } from './filter.ts'
import { documentRows } from './document.ts'
import { type Counts, isUsed, later, type UsageRow, usageRows, usageTotals } from './rows.ts'
import { type HourlySummary, summaryOf } from './hourly-summary.ts'
import type { Coverage, Span } from './span.ts'
import { gapBetween, hourOf, type Instant } from './time.ts'
import type { UsageFilter } from './view.ts'

/** The result of the readings of one flag. Times are ISO 8601, UTC. */
export interface Evidence {
  flag: string
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
  /** Set for hourly usage. */
  summary?: HourlySummary
}

/** A flag under observation. */
export interface Observation {
  evidence: Evidence
  /** Whether a record that matters had neither count. */
  uncounted: boolean
  /** The error of the last reading, if it failed. */
  error: FlagadmError | undefined
  /** When the flag was last read successfully; until then, the start of the gate. */
  readAt: Instant
  /** Why usage between two readings may have gone unnoticed. */
  gap: string | undefined
}

/** The observation of a flag that has not been read yet. */
export function observationOf(flag: string, readAt: Instant): Observation {
  const evidence: Evidence = {
    flag,
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
  }
  return { evidence, uncounted: false, error: undefined, readAt, gap: undefined }
}

/** Whether a row that lacks a name which a filter asks for may match. Servers may also send an empty name. */
function mayMatch(row: UsageRow, { applications, environments }: UsageFilter): boolean {
  const mayBe = (patterns: readonly string[], name: string | undefined) =>
    !name || matcherOf(patterns)(name)
  const isUnnamed =
    (applications.length > 0 && !row.application) || (environments.length > 0 && !row.environment)
  return isUnnamed && mayBe(applications, row.application) && mayBe(environments, row.environment)
}

/** The observation with one more reading, which failed. */
export function withFailure(observation: Observation, error: FlagadmError): Observation {
  const { evidence } = observation
  const readings = evidence.readings + 1
  const failedReadings = evidence.failedReadings + 1
  return { ...observation, error, evidence: { ...evidence, readings, failedReadings } }
}

/** What a gate needs of one usage document. Kept instead of the document, because the documents of many flags would not fit into memory. */
export interface Digest {
  newestRecord: string | undefined
  records: number
  matchingRecords: number
  seenApplications: number
  unnamedUsage: boolean
  /** Whether a record that matches the filters, or may match, has neither count. */
  uncounted: boolean
  /** Set for hourly usage. */
  summary: HourlySummary | undefined
  /** The counts of the matching records, if they are usage. */
  totals: Counts | undefined
}

function hasUncounted(usage: FeatureUsage, flag: string, filter: UsageFilter): boolean {
  const uncounted = usage.lastHourUsage.filter(({ yes, no }) => yes == null && no == null)
  if (uncounted.length === 0) return false
  const rows = usageRows({ ...usage, lastHourUsage: uncounted }, flag)
  return createFilter(filter)(rows).length > 0 || rows.some((row) => mayMatch(row, filter))
}

/** What a gate needs of a usage document of a flag. */
export function digestOf(
  usage: FeatureUsage,
  flag: string,
  filter: UsageFilter,
  span: Span | undefined,
): Digest {
  const all = documentRows(usage, flag, span, undefined)
  const rows = createFilter(filter)(all)
  const newest = usage.lastHourUsage.reduce<string | undefined>(
    (latest, { timestamp }) => later(latest, timestamp ?? undefined),
    undefined,
  )
  return {
    newestRecord: newest,
    records: all.length,
    matchingRecords: rows.length,
    seenApplications: usage.seenApplications?.length ?? 0,
    unnamedUsage: isUsed(all.filter((row) => mayMatch(row, filter))),
    uncounted: hasUncounted(usage, flag, filter),
    summary: span && summaryOf(usage, all, filter, span),
    totals: isUsed(rows) ? usageTotals(rows) : undefined,
  }
}

/**
 * The observation with one more reading, which succeeded.
 * @param now the time of the service in milliseconds since the epoch
 */
export function withReading(
  observation: Observation,
  digest: Digest,
  at: Instant,
  now: number,
  intervalMs: number,
): Observation {
  const { evidence, uncounted } = observation
  const { totals, summary } = digest
  const seenAt = new Date(at.wall).toISOString()
  // A reading of the current clock hour covers it from its start.
  const covered = summary?.span ?? { from: evidence.covered?.from ?? hourOf(now), to: now }
  return {
    ...withEnd(observation, at, intervalMs),
    uncounted: uncounted || digest.uncounted,
    error: undefined,
    readAt: at,
    evidence: {
      ...evidence,
      ...(summary && { summary }),
      covered,
      readings: evidence.readings + 1,
      newestRecord: later(evidence.newestRecord ?? undefined, digest.newestRecord) ?? null,
      records: Math.max(evidence.records, digest.records),
      matchingRecords: Math.max(evidence.matchingRecords, digest.matchingRecords),
      seenApplications: Math.max(evidence.seenApplications, digest.seenApplications),
      unnamedUsage: evidence.unnamedUsage || digest.unnamedUsage,
      ...(totals && { firstSeen: evidence.firstSeen ?? seenAt, lastSeen: seenAt, ...totals }),
    },
  }
}

/** The observation at a time until which the flag was not read. */
export function withEnd(observation: Observation, at: Instant, intervalMs: number): Observation {
  const gap = observation.gap ?? gapBetween(observation.readAt, at, intervalMs)
  return { ...observation, gap }
}

/** Whether the flag was never read successfully. */
export function isUnread({ evidence }: Observation): boolean {
  return evidence.readings === evidence.failedReadings
}

/** Whether no application has ever reported the flag to the service: the name may be misspelt. */
export function isUnseen({ records, seenApplications }: Evidence): boolean {
  return records === 0 && seenApplications === 0
}

/** Whether the last reading failed with an error that another reading would repeat. */
export function isRefused({ error }: Observation): boolean {
  return error !== undefined && error.kind !== 'unavailable'
}

/** Whether no further reading can change the verdict, because usage was seen or the service refuses the read. */
export function isDecided(observation: Observation): boolean {
  return observation.evidence.firstSeen !== null || isRefused(observation)
}
