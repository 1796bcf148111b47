import type { FeatureUsage } from '../service/schema.ts'
import { createFilter, type UsageFilter } from './filter.ts'
import { isUsed, later, type UsageRow, usageRows, usageTotals } from './rows.ts'

export type Expectation = 'used' | 'unused'
export type Verdict = 'holds' | 'fails' | 'inconclusive'

/** What the readings of one flag have shown. Times are ISO 8601, UTC. */
export interface Evidence {
  flag: string
  readings: number
  failedReadings: number
  /** When usage was first and last seen by a reading; null when it never was. */
  firstSeen: string | null
  lastSeen: string | null
  /** The counts of the last reading that saw usage. */
  enabled: bigint
  disabled: bigint
  /** The latest timestamp of any record. */
  newestRecord: string | null
  /** How many records a reading had at most, and how many of them the filters let through. */
  records: number
  matchingRecords: number
  seenApplications: number
  /** Whether usage came without the name that a filter asks for: it may be what the filter means. */
  unnamedUsage: boolean
}

export interface Judgement {
  verdict: Verdict
  reason: string
  /** Whether too many readings failed to tell. */
  unreliable: boolean
}

/** The evidence of a flag that was not read yet. */
export function noEvidence(flag: string): Evidence {
  return {
    flag,
    readings: 0,
    failedReadings: 0,
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
}

/** Whether a filter asks for a name that the row does not have, so that it cannot tell. */
function isUnnamed(row: UsageRow, { applications, environments }: UsageFilter): boolean {
  return (
    (applications.length > 0 && row.application === undefined) ||
    (environments.length > 0 && row.environment === undefined)
  )
}

/** The evidence with one more failed reading. */
export function withFailure(evidence: Evidence): Evidence {
  const { readings, failedReadings } = evidence
  return { ...evidence, readings: readings + 1, failedReadings: failedReadings + 1 }
}

/**
 * The evidence with one more reading.
 * @param at when it was read, ISO 8601
 */
export function withReading(
  evidence: Evidence,
  usage: FeatureUsage,
  filter: UsageFilter,
  at: string,
): Evidence {
  const all = usageRows(usage, evidence.flag)
  const rows = createFilter(filter)(all)
  const unnamed = isUsed(all.filter((row) => isUnnamed(row, filter)))
  const newest = all.reduce<string | undefined>(
    (latest, { timestamp }) => later(latest, timestamp),
    evidence.newestRecord ?? undefined,
  )
  return {
    ...evidence,
    readings: evidence.readings + 1,
    newestRecord: newest ?? null,
    records: Math.max(evidence.records, all.length),
    matchingRecords: Math.max(evidence.matchingRecords, rows.length),
    seenApplications: Math.max(evidence.seenApplications, usage.seenApplications?.length ?? 0),
    unnamedUsage: evidence.unnamedUsage || unnamed,
    ...(isUsed(rows) && {
      firstSeen: evidence.firstSeen ?? at,
      lastSeen: at,
      ...usageTotals(rows),
    }),
  }
}

/** Whether nothing at all is known of a flag: its name may be misspelt. */
export function isUnseen({ records, seenApplications }: Evidence): boolean {
  return records === 0 && seenApplications === 0
}

/** Whether there are records, but none that the filters mean: they may be misspelt. */
export function isFilteredOut({ records, matchingRecords }: Evidence): boolean {
  return records > 0 && matchingRecords === 0
}

function judged(verdict: Verdict, reason: string, unreliable = false): Judgement {
  return { verdict, reason, unreliable }
}

/**
 * The judgement of a flag.
 * @param complete whether the whole span was watched: another flag may have ended it before
 */
export function judge(
  evidence: Evidence,
  expectation: Expectation,
  allowUnseen: boolean,
  complete: boolean,
): Judgement {
  const { readings, failedReadings, firstSeen } = evidence
  if (firstSeen !== null) {
    return judged(expectation === 'used' ? 'holds' : 'fails', `usage was seen at ${firstSeen}`)
  }
  if (failedReadings * 3 > readings) {
    return judged('inconclusive', `${failedReadings} of ${readings} readings failed`, true)
  }
  if (evidence.unnamedUsage) {
    return judged('inconclusive', 'there is usage that does not name what the filters ask for')
  }
  if (isUnseen(evidence) && !allowUnseen) {
    return judged('inconclusive', 'nothing has ever seen this flag; is the name right?')
  }
  if (!complete) {
    return judged('inconclusive', 'no usage was seen, but the span was cut short by another flag')
  }
  return judged(expectation === 'unused' ? 'holds' : 'fails', 'no usage was seen')
}

/** Whether the judgement of a flag is certain before the span is over: usage cannot become unseen. */
export function isSettled({ firstSeen }: Evidence): boolean {
  return firstSeen !== null
}
