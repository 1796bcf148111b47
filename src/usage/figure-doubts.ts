import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { listed } from '../output/incomplete.ts'
import { CLOCK_TOLERANCE_MS, timeText } from '../output/time.ts'
import type { Flag } from '../flags/selection.ts'
import { distinct, type Records, type UsageRecord } from '../flags/records.ts'
import { askedText, durationText, sinceText, type Coverage, type Span } from '../flags/span.ts'

// The service reports at most this number of applications of a flag.
const MAX_APPLICATIONS = 100

export const TOO_MANY_APPLICATIONS = `the service reports only ${MAX_APPLICATIONS} applications of a flag, and there may be more`

/** Whether the service may have more applications of a flag than it reports. */
export function hasMoreApplications({ applications }: Records): boolean {
  return applications.length >= MAX_APPLICATIONS
}

/** Which usage counts. In a pattern, `*` matches any text. */
export interface UsageFilter {
  application?: readonly string[] | undefined
  environment?: readonly string[] | undefined
}

/** Which usage counts, before what it covers: `by web-shop in staging, `; empty without a filter. */
export function filterText({ application, environment }: UsageFilter): string {
  const texts = [
    application && `by ${listed(application)}`,
    environment && `in ${listed(environment)}`,
  ]
  const text = texts.filter(Boolean).join(' ')
  return text === '' ? '' : `${text}, `
}

/** What the service answered about the usage of a flag. */
export interface UsageAnswer extends Coverage {
  records: Records
  /** The time of the service when it answered, in milliseconds since the epoch. */
  readAt: number
}

/** What is asked about the usage of every flag. */
export interface UsageQuestion extends UsageFilter {
  span: Span
}

/** Whether a time is in the span: whole hours are read, so the first one may begin before it. */
export function isWithin(time: number | undefined, { start }: Span, from = start): boolean {
  return time !== undefined && time >= Math.min(start, from)
}

/** Whether usage is of an hour that has not begun: applications choose the hours of their reports. */
export function isFuture(
  { time }: Pick<UsageRecord, 'time'>,
  { readAt }: Pick<UsageAnswer, 'readAt'>,
): boolean {
  return time !== undefined && time > readAt + CLOCK_TOLERANCE_MS
}

/** Usage in an hour that has not begun shows only that a clock is wrong. */
function futureDoubt(answer: UsageAnswer, question: UsageQuestion): string | undefined {
  const counts = matcherFor(question)
  const first = answer.records.used.find((record) => isFuture(record, answer) && counts(record))
  if (first?.time === undefined) return undefined
  const by = placeText(distinct([first.application]), distinct([first.environment]))
  return `usage${by} is reported for ${timeText(first.time)}, which is in the future`
}

type UsagePlace = Pick<UsageRecord, 'application' | 'environment'>

/** A test for usage that counts; a name that is missing matches no filter. */
export function matcherFor({
  application,
  environment,
}: UsageFilter): (place: UsagePlace) => boolean {
  const [matches, matchesIn] = [matcherOf(application), matcherOf(environment)]
  return (place) => matches(place.application) && matchesIn(place.environment)
}

/** Why the figures of records may be wrong: usage without the names that filters ask for, or without counts. */
export function recordDoubts({ used, uncounted }: Records, filter: UsageFilter): string[] {
  const [matches, matchesIn] = [matcherOf(filter.application), matcherOf(filter.environment)]
  const counts = matcherFor(filter)
  // Servers may leave a name out, or send an empty one.
  const mayCount = (place: UsagePlace) =>
    (!place.application || matches(place.application)) &&
    (!place.environment || matchesIn(place.environment))
  const doubts: string[] = []
  if (used.some((place) => mayCount(place) && !counts(place))) {
    doubts.push('there is usage without the application or environment that the filters ask for')
  }
  if (uncounted.some(mayCount)) {
    doubts.push('a record has neither of the counts yes and no, or a negative one')
  }
  return doubts
}

/** Why hourly figures may be wrong: their records, usage that the service knows of but that is in none of the hours, and missing hours. */
export function figureDoubts(
  flag: Flag | undefined,
  answer: UsageAnswer,
  question: UsageQuestion,
): string[] {
  const { from, records } = answer
  const { application, environment } = question
  const [matches, matchesIn] = [matcherOf(application), matcherOf(environment)]
  // The service lists what reported usage since the start of the span. Usage that is in none of its hours is later than now.
  const used = new Set(records.used.map((record) => record.application))
  const usedIn = new Set(records.used.map((record) => record.environment))
  const applications = records.applications.filter((name) => !used.has(name) && matches(name))
  const environments = records.environments.filter((name) => !usedIn.has(name) && matchesIn(name))
  const isHidden = applications.length + environments.length > 0
  const doubts = [
    futureDoubt(answer, question),
    ...recordDoubts(records, question),
    hasMoreApplications(records) && TOO_MANY_APPLICATIONS,
    isHidden &&
      `the service has usage${placeText(applications, environments)} that is missing from the hourly figures ${sinceText({ from })}: the clock of an application may be ahead`,
    ...(flag ? sightingDoubts(flag, answer, question) : []),
    coverageDoubt(answer, question.span),
  ]
  return doubts.filter((doubt) => typeof doubt === 'string')
}

function coverageDoubt({ from, isWhole }: UsageAnswer, { asked, start, now }: Span) {
  const requested = `the ${askedText(asked)} requested`
  // Its times may be unreadable, or its answer old.
  if (from === undefined || (!isWhole && from <= start)) {
    return `it is not known whether the service covers ${requested}`
  }
  if (isWhole) return undefined
  const covered = durationText(now - from)
  return `the service covers only ${covered} of ${requested} (${sinceText({ from })})`
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

/** ` by web-shop in production`; empty without names. */
export function placeText(
  applications: readonly string[],
  environments: readonly string[],
): string {
  const by = applications.length > 0 ? ` by ${listed(applications)}` : ''
  const where = environments.length > 0 ? ` in ${listed(environments)}` : ''
  return by + where
}
