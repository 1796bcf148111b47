import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { listed } from '../output/incomplete.ts'
import { ageText, timeText } from '../output/time.ts'
import { lastSeen, type Flag } from './flags.ts'
import { distinct, latest, totalOf, type Records, type UsageRecord } from './records.ts'
import { durationText, HOUR_MS, hourOf, sinceText, type Coverage, type Span } from './span.ts'

// The service reports at most this number of applications of a flag.
export const MAX_APPLICATIONS = 100

export const CUT = `the service reports only ${MAX_APPLICATIONS} applications of a flag, and there may be more`

/** Which usage counts. In a pattern, `*` matches any text. */
export interface UsageFilter {
  app?: readonly string[] | undefined
  environment?: readonly string[] | undefined
}

/** What the service answered about the usage of a flag. */
export interface UsageAnswer extends Coverage {
  records: Records
}

/** What is asked about the usage of every flag. */
export interface UsageQuestion extends UsageFilter {
  span: Span
}

/** What is known about the usage of a flag in a span. Times are in milliseconds since the epoch. */
export type UsageEvidence = ReturnType<typeof usageEvidence>

/** Summarizes the answer of the service, and lists what it does not show. */
export function usageEvidence(
  flag: Flag | undefined,
  answer: UsageAnswer,
  question: UsageQuestion,
) {
  const { from, records } = answer
  const { app, environment, span } = question
  const used = records.used.filter(matcherFor(question))
  const lastUsed = latest(used.map(({ time }) => time))
  const last = used.filter(({ time }) => time === lastUsed)
  const seen = flag && lastSeen(flag, environment && matcherOf(environment))
  return {
    /** The start of the first hour with figures; undefined if that is not known. */
    from,
    /** Of the usage that counts. */
    totals: totalOf(used),
    isUsed: used.length > 0,
    lastUsed,
    /** Those that used it in the last hour with usage. */
    applications: distinct(last.map(({ application }) => application)).sort(),
    environments: distinct(last.map((record) => record.environment)).sort(),
    /** The usage in each environment; undefined is the name of one that the service left out. */
    byEnvironment: Array.from(
      groupBy(used, (record) => record.environment),
      ([name, own]) => ({ name, ...totalOf(own), lastUsed: latest(own.map(({ time }) => time)) }),
    ),
    /** The evaluations in each clock hour of the span, from its first one; empty without usage. */
    hourly: used.length > 0 ? hourlyCounts(used, span) : [],
    /** Whether the service may have more applications of the flag than it reports. */
    isCut: records.applications.length >= MAX_APPLICATIONS,
    /** Whether it was seen in the span, which is usage, but does not show which application saw it. */
    isSeen: !app && isWithin(seen?.time, span, from),
    /** Why there may be usage in the span although none was found, as sentences. */
    doubts: [
      ...figureDoubts(flag, answer, question),
      ...gapDoubts(answer, seen?.isReported === true, question),
      ...ageDoubts(flag, span),
    ],
  }
}

/** Whether a time is in the span: whole hours are read, so the first one may begin before it. */
function isWithin(time: number | undefined, { start }: Span, from = start): boolean {
  return time !== undefined && time >= Math.min(start, from)
}

type UsagePlace = Pick<UsageRecord, 'application' | 'environment'>

/** A test for usage that counts; a name that is missing matches no filter. */
export function matcherFor({ app, environment }: UsageFilter): (place: UsagePlace) => boolean {
  const [matches, matchesIn] = [matcherOf(app), matcherOf(environment)]
  return (place) => matches(place.application) && matchesIn(place.environment)
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

/** Why figures may be wrong: usage without names or counts, usage that the service knows of but that is in none of the hours, and missing hours. */
export function figureDoubts(
  flag: Flag | undefined,
  answer: UsageAnswer,
  question: UsageQuestion,
): string[] {
  const { from, records } = answer
  const { app, environment } = question
  const [matches, matchesIn] = [matcherOf(app), matcherOf(environment)]
  const counts = matcherFor(question)
  // Servers may leave a name out, or send an empty one.
  const mayCount = (place: UsagePlace) =>
    (!place.application || matches(place.application)) &&
    (!place.environment || matchesIn(place.environment))
  // The service lists what reported usage since the start of the span. Usage that is in none of its hours is later than now.
  const used = new Set(records.used.map((record) => record.application))
  const usedIn = new Set(records.used.map((record) => record.environment))
  const applications = records.applications.filter((name) => !used.has(name) && matches(name))
  const environments = records.environments.filter((name) => !usedIn.has(name) && matchesIn(name))
  const isHidden = applications.length + environments.length > 0
  const isCut = records.applications.length >= MAX_APPLICATIONS
  const doubts = [
    records.used.some((place) => mayCount(place) && !counts(place)) &&
      'there is usage without the application or environment that the filters ask for',
    records.uncounted.some(mayCount) &&
      'a record has neither of the counts yes and no, or a negative one',
    isCut && CUT,
    isHidden &&
      `the service has usage${placeText(applications, environments)} that is missing from the hourly figures ${sinceText({ from })}: the clock of an application may be ahead`,
    ...(flag ? sightingDoubts(flag, answer, question) : []),
    coverageDoubt(answer, question.span),
  ]
  return doubts.filter((doubt) => typeof doubt === 'string')
}

/** ` by web-shop in production`; empty without names. */
export function placeText(
  applications: readonly string[],
  environments: readonly string[],
): string {
  const by = applications.length > 0 ? ` by ${listed(applications)}` : ''
  const where = environments.length > 0 ? ` in ${listed(environments)}` : ''
  return by + where
}

function coverageDoubt({ from, isWhole }: UsageAnswer, { asked, start, now }: Span) {
  const requested = `the ${asked.text} requested`
  // Its times may be unreadable, or its answer old.
  if (from === undefined || (!isWhole && from <= start)) {
    return `it is not known whether the service covers ${requested}`
  }
  if (isWhole) return undefined
  const covered = durationText(now - from)
  return `the service covers only ${covered} of ${requested} (${sinceText({ from })})`
}

/** Why the flag may have been used in the part of an hour that the service does not keep. */
function gapDoubts(
  { from, isWhole }: UsageAnswer,
  isSeenReported: boolean,
  { app, span: { asked, start } }: UsageQuestion,
): string[] {
  // The time when the flag was last seen closes the gap, but it does not show which application saw it.
  if (!isWhole || from === undefined || from <= start || (isSeenReported && !app)) return []
  const gap = durationText(from - start)
  const why = app ? 'when an application last used it' : 'when it was last seen'
  return [
    `the hourly figures begin ${gap} after the start of the ${asked.text} requested, and the service does not report ${why} (--since 47h needs only the hours)`,
  ]
}

/** A flag that was created in the span is never unused in it. */
function ageDoubts(flag: Flag | undefined, { asked, start, now }: Span): string[] {
  const created = timeOf(flag?.createdAt)
  if (created === undefined || created <= start) return []
  const age = ageText(now - created)
  return [`created ${age} ago, after the start of the ${asked.text} requested`]
}

/** Where the flag was seen, but has no usage. */
function sightingDoubts(
  { environments, lastSeenAt }: Flag,
  { from, records }: UsageAnswer,
  { environment, span }: UsageQuestion,
): string[] {
  const doubtsAbout = (where: string, seenAt: string | null | undefined) => {
    const time = timeOf(seenAt)
    if (time === undefined || !isWithin(time, span, from)) return []
    return [
      `the service saw the flag${where} at ${timeText(time)}, but has no usage of it there ${sinceText({ from })}`,
    ]
  }
  const isUsed = (name: string) => records.used.some((record) => record.environment === name)
  const doubts = environments
    .filter(({ name }) => matcherOf(environment)(name) && !isUsed(name))
    .flatMap((one) => doubtsAbout(` in ${one.name}`, one.lastSeenAt))
  return doubts.length + records.used.length > 0 ? doubts : doubtsAbout('', lastSeenAt)
}
