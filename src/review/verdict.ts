import { FlagadmError } from '../errors.ts'
import type { FilePosition } from '../code/positions.ts'
import { latest } from '../usage/hourly.ts'
import type { HourlySummary } from '../usage/hourly-summary.ts'
import { type FlagWarning, missingUsage } from '../usage/warnings.ts'
import type { Counts } from '../usage/rows.ts'
import type { Span } from '../usage/span.ts'
import type { CodeEvidence, Evidence, ReviewedFlag, ReviewedUsage } from './evidence.ts'
import type { ReviewOptions, Verdict } from './options.ts'

/** A reason for a verdict. Times are in milliseconds. */
export type Reason =
  | { kind: 'type' | 'uncounted' | 'seenNotReported' | 'createdNotReported' | 'dependents' }
  | { kind: 'notInCode' }
  | { kind: 'unreadUsage'; error: FlagadmError }
  | { kind: 'used'; totals: Counts; summary: HourlySummary }
  /** The state of the flag and, if it matters, when it was created. */
  | { kind: 'state'; created: number | undefined }
  | { kind: 'onEverywhere'; age: number }
  | { kind: 'unused' | 'shortSpan'; span: Span }
  | { kind: 'missingUsage'; warning: FlagWarning }
  | { kind: 'tooRecent'; until: number; notSeenFor: number }
  | { kind: 'inCode' | 'unreadLookups'; places: readonly FilePosition[] }
  | { kind: 'unreadFiles'; files: readonly string[] }

/** A verdict on a flag and, in the order of their weight, its reasons. */
interface Decision {
  verdict: Verdict
  reasons: Reason[]
}

const permanentTypes: readonly (string | undefined)[] = ['kill-switch', 'permission']

// The expected lifetime of a release flag, unless an administrator of the service has changed it.
const RELEASE_LIFETIME_MS = 40 * 24 * 3_600_000

/** The conditions of a verdict besides the evidence. */
interface Terms extends Pick<ReviewOptions, 'notSeenFor' | 'includePermanent'> {
  /** The time of the service in milliseconds since the epoch. */
  now: number
}

/** Decides what can be done with a flag. Only a flag of which everything is known is removable. */
export function decide(evidence: Evidence, terms: Terms): Decision {
  const { flag, usage } = evidence
  if (!terms.includePermanent && permanentTypes.includes(flag.type)) {
    return { verdict: 'permanent', reasons: [{ kind: 'type' }] }
  }
  if (usage instanceof FlagadmError) {
    return unclear(evidence, [{ kind: 'unreadUsage', error: usage }], terms)
  }
  const uses = usesOf(flag, usage, terms)
  if (uses.length > 0) return { verdict: 'in use', reasons: uses }
  const doubts = usageDoubts(flag, usage)
  const obstacles = [...doubts, ...timeDoubts(flag, terms), ...tiesOf(evidence)]
  if (obstacles.length > 0) return unclear(evidence, obstacles, terms)
  const unused: Reason = { kind: 'unused', span: usage.summary.span }
  const code: Reason[] = evidence.code ? [{ kind: 'notInCode' }] : []
  const state: Reason = { kind: 'state', created: flag.created }
  return { verdict: 'removable', reasons: [unused, state, ...code] }
}

function unclear({ flag }: Evidence, doubts: readonly Reason[], terms: Terms): Decision {
  const { created } = flag
  const isYoung = created !== undefined && created > terms.now - terms.notSeenFor
  const state: Reason = { kind: 'state', created: isYoung ? created : undefined }
  return { verdict: 'unclear', reasons: [state, ...doubts] }
}

/** How a flag is in use; empty if nothing shows that it is. */
function usesOf(flag: ReviewedFlag, { summary, totals }: ReviewedUsage, { now }: Terms): Reason[] {
  const { from } = summary.span
  const { lastSeen } = flag
  if (totals) return [{ kind: 'used', totals, summary }, ...adviceFor(flag, totals, now)]
  const isSeen = lastSeen !== undefined && from !== undefined && lastSeen >= from
  return isSeen ? [{ kind: 'state', created: undefined }] : []
}

/** The advice about a release flag past its expected lifetime that was on in every evaluation. */
function adviceFor(flag: ReviewedFlag, totals: Counts, now: number): Reason[] {
  const { type, environments, created = now } = flag
  const isOn = environments.length > 0 && environments.every(({ enabled }) => enabled)
  const isOnForAll = isOn && totals.enabled > 0n && totals.disabled === 0n
  const isOld = type === 'release' && now - created > RELEASE_LIFETIME_MS
  return isOld && isOnForAll ? [{ kind: 'onEverywhere', age: now - created }] : []
}

/** Why there may be usage although none was found. */
function usageDoubts(flag: ReviewedFlag, { summary, isUncounted }: ReviewedUsage): Reason[] {
  const { span } = summary
  const warning = missingUsage(summary, flag.environments)
  const doubts: Reason[] = []
  if (!span.isComplete) doubts.push({ kind: 'shortSpan', span })
  if (warning) doubts.push({ kind: 'missingUsage', warning })
  if (isUncounted) doubts.push({ kind: 'uncounted' })
  return doubts
}

/** Why the flag may be too recent, or was seen too recently, to be unused. */
function timeDoubts(flag: ReviewedFlag, { now, notSeenFor }: Terms): Reason[] {
  const { created, lastSeen } = flag
  const since = latest([created, lastSeen])
  const doubts: Reason[] = []
  if (!flag.reportsSeen) doubts.push({ kind: 'seenNotReported' })
  if (created === undefined) doubts.push({ kind: 'createdNotReported' })
  if (since !== undefined && since > now - notSeenFor) {
    doubts.push({ kind: 'tooRecent', until: since + notSeenFor, notSeenFor })
  }
  return doubts
}

/** The reasons why something would break without the flag. */
function tiesOf({ flag, code }: Evidence): Reason[] {
  return [
    ...(flag.hasDependents ? [{ kind: 'dependents' } as const] : []),
    ...(code ? codeTies(code) : []),
  ]
}

function codeTies({ references, unread, unreadFiles }: CodeEvidence): Reason[] {
  if (references.length > 0) return [{ kind: 'inCode', places: references }]
  const ties: Reason[] = []
  if (unread.length > 0) ties.push({ kind: 'unreadLookups', places: unread })
  if (unreadFiles.length > 0) ties.push({ kind: 'unreadFiles', files: unreadFiles })
  return ties
}
