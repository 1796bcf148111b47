import { FlagadmError, problemText } from '../errors.ts'
import { inLargestUnit } from '../input/values.ts'
import { counted } from '../output/phrases.ts'
import { latest } from '../usage/hourly.ts'
import {
  evaluationsText,
  lastUseText,
  missingUsage,
  shortfallText,
  sinceText,
  timeText,
} from '../usage/report/sentences.ts'
import type { Counts } from '../usage/rows.ts'
import type { CodeEvidence, Evidence, ReviewedFlag, ReviewedUsage } from './evidence.ts'
import type { ReviewOptions, Verdict } from './options.ts'
import { agoText, dependentsText, placesText, stateText } from './report/sentences.ts'

/** A verdict on a flag and, in the order of their weight, its reasons. */
export interface Decision {
  verdict: Verdict
  reasons: string[]
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
    return { verdict: 'permanent', reasons: [`type ${flag.type}`] }
  }
  if (usage instanceof FlagadmError) {
    return unclear(evidence, [`the usage could not be read: ${problemText(usage)}`], terms)
  }
  const uses = usesOf(flag, usage, terms)
  if (uses.length > 0) return { verdict: 'in use', reasons: uses }
  const doubts = usageDoubts(flag, usage)
  const obstacles = [...doubts, ...timeDoubts(flag, terms), ...tiesOf(evidence)]
  if (obstacles.length > 0) return unclear(evidence, obstacles, terms)
  const unused = `no usage ${sinceText(usage.summary.span)}`
  const code = evidence.code ? ['not in the code'] : []
  const state = stateText(flag, flag.created, terms.now)
  return { verdict: 'removable', reasons: [unused, state, ...code] }
}

function unclear({ flag }: Evidence, doubts: readonly string[], terms: Terms): Decision {
  const { created } = flag
  const isYoung = created !== undefined && created > terms.now - terms.notSeenFor
  const state = stateText(flag, isYoung ? created : undefined, terms.now)
  return { verdict: 'unclear', reasons: [state, ...doubts].filter(Boolean) }
}

/** How a flag is in use; empty if nothing shows that it is. */
function usesOf(flag: ReviewedFlag, { summary, totals }: ReviewedUsage, { now }: Terms): string[] {
  const { from } = summary.span
  const { lastSeen } = flag
  if (totals) {
    const use = `${evaluationsText(totals)}, ${lastUseText(summary)}`
    return [use, ...adviceFor(flag, totals, now)]
  }
  const isSeen = lastSeen !== undefined && from !== undefined && lastSeen >= from
  return isSeen ? [stateText(flag, undefined, now)] : []
}

/** The advice about a release flag past its expected lifetime that was on in every evaluation. */
function adviceFor(flag: ReviewedFlag, totals: Counts, now: number): string[] {
  const { type, environments, created = now } = flag
  const isOn = environments.length > 0 && environments.every(({ enabled }) => enabled)
  const isOnForAll = isOn && totals.enabled > 0n && totals.disabled === 0n
  const isOld = type === 'release' && now - created > RELEASE_LIFETIME_MS
  if (!isOld || !isOnForAll) return []
  return [`on everywhere for ${agoText(now - created)}: make it permanent in code`]
}

/** Why there may be usage although none was found. */
function usageDoubts(flag: ReviewedFlag, { summary, isUncounted }: ReviewedUsage): string[] {
  const doubts = [shortfallText(summary.span), missingUsage(summary, flag.environments)?.text]
  if (isUncounted) doubts.push('a record has neither of the counts yes and no')
  return doubts.filter((doubt) => doubt !== undefined)
}

/** Why the flag may be too recent, or was seen too recently, to be unused. */
function timeDoubts(flag: ReviewedFlag, { now, notSeenFor }: Terms): string[] {
  const { created, lastSeen } = flag
  const since = latest([created, lastSeen])
  const doubts: string[] = []
  if (!flag.reportsSeen) doubts.push('the service does not report when it was last seen')
  if (created === undefined) doubts.push('the service does not report when it was created')
  if (since !== undefined && since > now - notSeenFor) {
    const until = timeText(since + notSeenFor)
    doubts.push(`too recent until ${until} (--not-seen-for ${inLargestUnit(notSeenFor)})`)
  }
  return doubts
}

/** The reasons why something would break without the flag. */
function tiesOf({ flag, code }: Evidence): string[] {
  return [...(flag.hasDependents ? [dependentsText(flag)] : []), ...(code ? codeTies(code) : [])]
}

function codeTies({ references, unread }: CodeEvidence): string[] {
  if (references.length > 0) return [`in the code: ${placesText(references)}`]
  if (unread.length === 0) return []
  const lookups = counted(unread.length, 'lookup')
  return [`${lookups} that could not be read may use it: ${placesText(unread)}`]
}
