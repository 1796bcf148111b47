import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { DAY_MS, HOUR_MS, hourOf } from '../output/time.ts'
import {
  figureDoubts,
  figureFacts,
  hasMoreApplications,
  isFuture,
  isWithin,
  matcherFor,
  ofFlag,
  type UsageAnswer,
  type UsageQuestion,
} from '../usage/figure-doubts.ts'
import { lastSeen, type Flag } from '../flags/selection.ts'
import { lastUseOf } from '../usage/last-use.ts'
import { latest, totalOf, type UsageRecord } from '../flags/records.ts'
import { askedText, durationText, type Span } from '../flags/span.ts'

/** What is known about the usage of a flag in a span. Times are in milliseconds since the epoch. */
export type UsageEvidence = ReturnType<typeof usageEvidence>

/** Summarizes the answer of the service, and lists what it does not show. */
export function usageEvidence(flag: Flag | undefined, whole: UsageAnswer, question: UsageQuestion) {
  const { application, environment, span } = question
  const answer = ofFlag(whole, flag, span)
  const { from, records } = answer
  const matching = records.used.filter(matcherFor(question))
  const used = matching.filter((record) => !isFuture(record, answer))
  const seen = flag && lastSeen(flag, environment && matcherOf(environment))
  return {
    /** The start of the first hour with figures; undefined if that is not known. */
    from,
    /** Of the usage that counts. */
    totals: totalOf(used),
    isUsed: used.length > 0,
    /** The start of the last hour with usage. */
    lastUsed: latest(used.map(({ time }) => time)),
    /** When and where it was last used; without a time that can be read, only where. */
    lastUse: used.length > 0 ? lastUseOf(used, application ? undefined : seen, span) : undefined,
    /** The usage in each environment; undefined is the name of one that the service left out. */
    byEnvironment: Array.from(
      groupBy(used, (record) => record.environment),
      ([name, own]) => ({ name, ...totalOf(own), lastUsed: latest(own.map(({ time }) => time)) }),
    ),
    /** The evaluations in each clock hour of the span, from its first one; empty without usage. */
    hourly: used.length > 0 ? hourlyCounts(used, span) : [],
    /** Whether the service may have more applications of the flag than it reports. */
    hasMoreApplications: hasMoreApplications(records),
    /** Whether it was seen in the span, which is usage, but does not show which application saw it. */
    isSeen: !application && isWithin(seen?.time, span, from),
    /** When it was last seen, in milliseconds since the epoch. */
    seenAt: application ? undefined : seen?.time,
    /** Why there may be usage in the span although none was found, as sentences. */
    doubts: [
      ...figureDoubts(flag, figureFacts(answer, question), answer, question),
      ...gapDoubts(answer, seen?.isReported === true, question),
      ...ageDoubts(flag, span),
    ],
  }
}

function hourlyCounts(used: readonly UsageRecord[], { firstHour, now }: Span): number[] {
  const counts = Array.from({ length: (hourOf(now) - firstHour) / HOUR_MS + 1 }, () => 0)
  for (const { time = Number.NaN, enabled, disabled } of used) {
    const index = (hourOf(time) - firstHour) / HOUR_MS
    const count = counts[index]
    if (count !== undefined) counts[index] = count + enabled + disabled
  }
  return counts
}

/** Why the flag may have been used in the part of an hour that the service does not keep. */
function gapDoubts(
  { from, isWhole }: UsageAnswer,
  isSeenReported: boolean,
  { application, span: { asked, start } }: UsageQuestion,
): string[] {
  // The time when the flag was last seen closes the gap, but it does not show which application saw it.
  if (!isWhole || from === undefined || from <= start || (isSeenReported && !application)) return []
  const gap = durationText(from - start)
  const why = application ? 'when an application last used it' : 'when it was last seen'
  return [
    `the hourly figures begin ${gap} after the start of the ${askedText(asked)} requested, and the service does not report ${why} (--since 47h needs only the hours)`,
  ]
}

/** A flag that was created in the span is never unused in it. */
function ageDoubts(flag: Flag | undefined, span: Span): string[] {
  const { asked, now, isDefault } = span
  const created = timeOf(flag?.createdAt)
  // Nobody asked about more than the time since it was created.
  const start = isDefault ? Math.max(span.start, now - 2 * DAY_MS) : span.start
  if (created === undefined || created <= start) return []
  return [`younger than the ${askedText(asked)} looked at`]
}
