import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { DAY_MS, HOUR_MS, hourOf } from '../output/time.ts'
import {
  figureDoubts,
  figureFacts,
  hasMoreApplications,
  isFuture,
  matcherFor,
  ofFlag,
  type UsageAnswer,
  type UsageQuestion,
} from '../usage/figure-doubts.ts'
import { lastSeen, type Flag } from '../flags/flag.ts'
import { coverageIn, type KeptDays } from '../usage/coverage.ts'
import { lastUseOf } from '../usage/last-use.ts'
import { type Counts, distinct, latest, totalOf, type UsageRecord } from '../flags/records.ts'
import { askedText, type Coverage, dayOf, durationText, type Span } from '../flags/span.ts'

/** What is known about the usage of a flag in a span. Times are in milliseconds since the epoch. */
export type UsageEvidence = ReturnType<typeof usageEvidence>

/** The same, with what the figures cover, which the usage of all flags shows. */
export type CoveredUsage = UsageEvidence & ReturnType<typeof coverageOf>

/** What a flag answered in an environment. */
export interface Served extends Counts {
  /** Undefined if the service left out its name. */
  environment: string | undefined
  /** The names of variants; `disabled` is that of none. */
  variants: readonly string[]
  /** The starts of the days with evaluations. */
  days: readonly number[]
}

/** What a flag answered in each environment in the hours and days that began since a time. */
function servedSince(records: readonly UsageRecord[], since: number): Served[] {
  const recent = records.filter(({ time = since }) => time >= since)
  return Array.from(
    groupBy(recent, ({ environment }) => environment),
    ([environment, own]) => {
      const variants = own.flatMap((record) => record.variants.filter(({ count }) => count !== 0))
      return {
        environment,
        ...totalOf(own),
        variants: distinct(variants.map(({ name }) => name)),
        days: distinct(own.map(({ time }) => (time === undefined ? undefined : dayOf(time)))),
      }
    },
  )
}

/**
 * Summarizes the answer of the service. It keeps no records, because those of many flags would not fit into memory.
 * @param question with the start of `--not-seen-for`
 */
export function usageEvidence(
  flag: Flag | undefined,
  whole: UsageAnswer,
  question: UsageQuestion & { limit: number },
) {
  const { application, environment, span, limit } = question
  const answer = ofFlag(whole, flag, span)
  const { records, readAt: _, earlier = [], ...coverage } = answer
  const matching = records.used.filter(matcherFor(question))
  const used = matching.filter((record) => !isFuture(record, answer))
  const seen = flag && lastSeen(flag, environment && matcherOf(environment))
  return {
    /** What the answer covers by itself. */
    coverage,
    facts: figureFacts(answer, question),
    /** The last use on a day before the span, if such days were read. */
    earlier: lastDayOf(earlier, flag),
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
    served: servedSince(used, limit),
    /** The evaluations in each clock hour of the span, from its first one; empty without usage. */
    hourly: used.length > 0 ? hourlyCounts(used, span) : [],
    /** Whether the service may have more applications of the flag than it reports. */
    hasMoreApplications: hasMoreApplications(records),
    isSightingReported: seen?.isReported === true,
    /** When it was last seen, in milliseconds since the epoch. */
    seenAt: application ? undefined : seen?.time,
  }
}

/** What is known about all usage that was read. */
interface UsageOverview extends UsageQuestion {
  /** The days of which the service has usage. */
  days: KeptDays
  /** By how many milliseconds all usage is ahead; undefined if it is not. */
  ahead: number | undefined
}

function coverageOf(
  flag: Flag | undefined,
  { coverage: answered, facts, isSightingReported }: UsageEvidence,
  overview: UsageOverview,
) {
  const { span, days, ahead } = overview
  const coverage = coverageIn(answered, days, span)
  return {
    /** The start of the first hour or day with figures; undefined if that is not known. */
    from: coverage.from,
    /** Whether days cover all of the span, and none of them is missing. */
    isWhole: span.firstDay !== undefined && coverage.isWhole && days.holes.length === 0,
    /** Why there may be usage in the span although none was found, as sentences. */
    doubts: [
      ...figureDoubts(flag, facts, coverage, overview, ahead),
      ...gapDoubts(coverage, isSightingReported, overview),
      ...ageDoubts(flag, span),
    ],
  }
}

/** The usage of a flag with what its figures cover. */
export function coveredUsage(
  flag: Flag | undefined,
  usage: UsageEvidence,
  overview: UsageOverview,
): CoveredUsage {
  return { ...usage, ...coverageOf(flag, usage, overview) }
}

/** The latest of some days with usage: its time, evaluations and applications; undefined without any after the flag was created. */
function lastDayOf(records: readonly UsageRecord[], flag: Flag | undefined) {
  const created = timeOf(flag?.createdAt) ?? 0
  const recordsSinceCreation = records.filter(({ time = 0 }) => time + DAY_MS > created)
  const time = latest(recordsSinceCreation.map((record) => record.time))
  if (time === undefined) return undefined
  const last = recordsSinceCreation.filter((record) => record.time === time)
  const applications = distinct(last.map(({ application }) => application)).sort()
  return { time, ...totalOf(last), applications }
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
  { from, isWhole }: Coverage,
  isSeenReported: boolean,
  { application, span: { asked, start } }: UsageQuestion,
): string[] {
  // The time when the flag was last seen closes the gap, but it does not show which application saw it.
  if (!isWhole || from === undefined || from <= start || (isSeenReported && !application)) return []
  const gap = durationText(from - start)
  const why = application ? 'when an application last used it' : 'when it was last seen'
  return [
    `the hourly figures begin ${gap} late (${askedText(asked)} requested), and the service does not report ${why} (--since 47h needs only the hours)`,
  ]
}

/** A flag that was created in the span is never unused in it. */
function ageDoubts(flag: Flag | undefined, span: Span): string[] {
  const { asked, now, isDefault } = span
  const created = timeOf(flag?.createdAt)
  // The default span is about the time since it was created.
  const start = isDefault ? Math.max(span.start, now - 2 * DAY_MS) : span.start
  if (created === undefined || created <= start) return []
  return [`younger than the ${askedText(asked)} looked at`]
}
