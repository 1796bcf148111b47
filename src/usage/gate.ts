import type { FeatureUsage } from '../service/schema.ts'
import { createFilter, type UsageFilter } from './filter.ts'
import { later, type UsageRow, usageRows, usageTotals } from './rows.ts'

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
    seenApplications: 0,
    unnamedUsage: false,
  }
}

function counted(rows: readonly UsageRow[]): boolean {
  const { enabled, disabled } = usageTotals(rows)
  return enabled + disabled > 0n
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
  const unnamed = counted(all.filter((row) => isUnnamed(row, filter)))
  const newest = all.reduce<string | undefined>(
    (latest, { timestamp }) => later(latest, timestamp),
    evidence.newestRecord ?? undefined,
  )
  return {
    ...evidence,
    readings: evidence.readings + 1,
    newestRecord: newest ?? null,
    seenApplications: Math.max(evidence.seenApplications, usage.seenApplications?.length ?? 0),
    unnamedUsage: evidence.unnamedUsage || unnamed,
    ...(counted(rows) && {
      firstSeen: evidence.firstSeen ?? at,
      lastSeen: at,
      ...usageTotals(rows),
    }),
  }
}

/** Whether nothing at all is known of a flag: its name may be misspelt. */
export function isUnseen({ newestRecord, seenApplications, firstSeen }: Evidence): boolean {
  return newestRecord === null && seenApplications === 0 && firstSeen === null
}

function judged(verdict: Verdict, reason: string, unreliable = false): Judgement {
  return { verdict, reason, unreliable }
}

/** The judgement when the span is over. */
export function judge(
  evidence: Evidence,
  expectation: Expectation,
  allowUnseen: boolean,
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
  return judged(expectation === 'unused' ? 'holds' : 'fails', 'no usage was seen')
}

/** Whether the judgement of a flag is certain before the span is over: usage cannot become unseen. */
export function isSettled({ firstSeen }: Evidence): boolean {
  return firstSeen !== null
}
