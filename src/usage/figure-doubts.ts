import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { listed } from '../output/incomplete.ts'
import { CLOCK_TOLERANCE_MS, dayText, timeText } from '../output/time.ts'
import type { Flag } from '../flags/flag.ts'
import { distinct, type Records, type UsageRecord } from '../flags/records.ts'
import type { UsageFilter } from '../flags/selection.ts'
import {
  askedText,
  type Coverage,
  coversHours,
  durationText,
  partText,
  periodOf,
  sinceText,
  type Span,
} from '../flags/span.ts'

// The service reports at most this number of applications of a flag.
const MAX_APPLICATIONS = 100

export const TOO_MANY_APPLICATIONS = `the service reports only ${MAX_APPLICATIONS} applications of a flag, and there may be more`

/** Whether the service may have more applications of a flag than it reports. */
export function hasMoreApplications({ applications }: Records): boolean {
  return applications.length >= MAX_APPLICATIONS
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
  /** With days: what the hours alone begin with, and the starts of the days with usage, also of those before the span. */
  hoursFrom?: number | undefined
  days?: readonly number[] | undefined
  /** With days, if they were read: the usage of those before the span, whose time is their start. */
  earlier?: readonly UsageRecord[]
}

/**
 * An answer without what ended before its flag was created: that is usage of another flag, which had the name before.
 * @param flag as the lists have it, if they were read
 */
export function ofFlag<Answer extends UsageAnswer>(
  answer: Answer,
  flag: Flag | undefined,
  span: Span,
): Answer {
  const created = timeOf(flag?.createdAt)
  const { records } = answer
  const isEarlier = ({ time }: UsageRecord) =>
    created !== undefined && time !== undefined && time + periodOf(time, span) <= created
  const earlier = records.used.filter(isEarlier)
  if (earlier.length === 0) return answer
  const used = records.used.filter((record) => !isEarlier(record))
  const namesOf = (name: 'application' | 'environment') => {
    const names = new Set(used.map((record) => record[name]))
    const formerNames = new Set(earlier.map((record) => record[name]))
    return records[`${name}s`].filter((one) => names.has(one) || !formerNames.has(one))
  }
  return {
    ...answer,
    records: {
      ...records,
      all: records.all.filter((record) => !isEarlier(record)),
      used,
      uncounted: records.uncounted.filter((record) => !isEarlier(record)),
      applications: namesOf('application'),
      environments: namesOf('environment'),
    },
  }
}

/** What is asked about the usage of every flag. */
export interface UsageQuestion extends UsageFilter {
  span: Span
}

/** Whether a time is in the span: whole hours are read, so the first one may begin before it. */
function isWithin(time: number | undefined, { start }: Span, from = start): boolean {
  return time !== undefined && time >= Math.min(start, from)
}

/** Whether usage is of an hour that has not begun: applications choose the hours of their reports. */
export function isFuture({ time }: UsageRecord, { readAt }: UsageAnswer): boolean {
  return time !== undefined && time > readAt + CLOCK_TOLERANCE_MS
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

/** Whether filters may leave out usage by mistake, and whether counts are missing. */
function recordFacts({ used, uncounted }: Records, filter: UsageFilter) {
  const [matches, matchesIn] = [matcherOf(filter.application), matcherOf(filter.environment)]
  const counts = matcherFor(filter)
  // Servers may leave a name out, or send an empty one.
  const mayCount = (place: UsagePlace) =>
    (!place.application || matches(place.application)) &&
    (!place.environment || matchesIn(place.environment))
  return {
    /** Whether there is usage without the application or environment that the filters ask for. */
    isUnnamed: used.some((place) => mayCount(place) && !counts(place)),
    /** Whether a record has neither of the counts, or a negative one. */
    isUncounted: uncounted.some(mayCount),
  }
}

/** Why the figures of records may be wrong: usage without the names that filters ask for, or without counts. */
function recordDoubts({ isUnnamed, isUncounted }: ReturnType<typeof recordFacts>): string[] {
  const doubts: string[] = []
  if (isUnnamed) {
    doubts.push('there is usage without the application or environment that the filters ask for')
  }
  if (isUncounted) {
    doubts.push('a record has neither of the counts yes and no, or a negative one')
  }
  return doubts
}

/** Why the figures of the current hour may be wrong. */
export function lastHourDoubts(records: Records, filter: UsageFilter): string[] {
  return recordDoubts(recordFacts(records, filter))
}

/** What an answer shows about its own figures; small, unlike its records. */
export type FigureFacts = ReturnType<typeof figureFacts>

export function figureFacts(answer: UsageAnswer, question: UsageFilter) {
  const { records } = answer
  const [matches, matchesIn] = [matcherOf(question.application), matcherOf(question.environment)]
  const counts = matcherFor(question)
  const future = records.used.find((record) => isFuture(record, answer) && counts(record))
  const used = new Set(records.used.map((record) => record.application))
  const usedIn = new Set(records.used.map((record) => record.environment))
  return {
    ...recordFacts(records, question),
    /** Usage in an hour that has not begun, which shows only that a clock is wrong. */
    future: future && {
      application: future.application,
      environment: future.environment,
      time: future.time,
    },
    /** The environments with usage, whether it counts or not. */
    usedIn,
    isUsed: records.used.length > 0,
    /**
     * The service lists what reported usage since the start of the span. Usage that is in none of its hours is later than
     * now.
     */
    hiddenApplications: records.applications.filter((name) => !used.has(name) && matches(name)),
    hiddenEnvironments: records.environments.filter((name) => !usedIn.has(name) && matchesIn(name)),
    hasMoreApplications: hasMoreApplications(records),
  }
}

/** Usage of hours that have not begun, or of none: a clock is wrong, or the time zone of the service if it is the same for all. */
function clockDoubts(facts: FigureFacts, { from }: Coverage, ahead: number | undefined): string[] {
  const { future, hiddenApplications, hiddenEnvironments } = facts
  const isHidden = hiddenApplications.length + hiddenEnvironments.length > 0
  if (ahead !== undefined && (future || isHidden)) {
    return [
      `all usage is ${durationText(ahead)} ahead of the service's clock: its hours are not in UTC`,
    ]
  }
  const doubts: string[] = []
  if (future?.time !== undefined) {
    const by = placeText(distinct([future.application]), distinct([future.environment]))
    doubts.push(`usage${by} is reported for ${timeText(future.time)}, which is in the future`)
  }
  if (isHidden) {
    const by = placeText(hiddenApplications, hiddenEnvironments)
    doubts.push(
      `the service has usage${by} that is missing from the hourly figures ${sinceText({ from })}: the clock of an application may be ahead`,
    )
  }
  return doubts
}

/**
 * Why figures may be wrong: their records, usage that the service knows of but that is in none of the hours, and missing hours.
 * @param coverage what the figures cover of the span
 * @param ahead by how many milliseconds all usage is ahead, if it is
 */
export function figureDoubts(
  flag: Flag | undefined,
  facts: FigureFacts,
  coverage: Coverage,
  question: UsageQuestion,
  ahead?: number,
): string[] {
  return [
    ...clockDoubts(facts, coverage, ahead),
    ...recordDoubts(facts),
    ...(facts.hasMoreApplications ? [TOO_MANY_APPLICATIONS] : []),
    ...(flag ? sightingDoubts(flag, facts, coverage, question) : []),
    ...coverageDoubts(coverage, question.span),
  ]
}

function coverageDoubts({ from, isWhole, isCertain = true }: Coverage, span: Span): string[] {
  // Its times may be unreadable, or its answer old.
  if (from === undefined || (!isWhole && from <= span.start)) {
    return [`it is not known whether the service covers the ${askedText(span.asked)} requested`]
  }
  // By default, the span is the days that the service has.
  const isEnough = span.isDefault && span.firstDay !== undefined && coversHours(span, from)
  if (isWhole || isEnough) return []
  if (!isCertain) {
    return [`it is not known whether the service has usage of days before ${dayText(from)}`]
  }
  return [`the service covers ${partText(span, from)} (${sinceText({ from })})`]
}

/** Where the flag was seen in the span, but has no usage. */
export function sightingDoubts(
  { environments, lastSeenAt }: Flag,
  { usedIn, isUsed }: FigureFacts,
  { from }: Coverage,
  { environment, span }: UsageQuestion,
): string[] {
  const doubtsAbout = (where: string, seenAt: string | null | undefined) => {
    const time = timeOf(seenAt)
    if (time === undefined || !isWithin(time, span, from)) return []
    return [
      `the service saw the flag${where} at ${timeText(time)}, but has no usage of it there ${sinceText({ from })}`,
    ]
  }
  const doubts = environments
    .filter(({ name }) => matcherOf(environment)(name) && !usedIn.has(name))
    .flatMap(({ name, lastSeenAt: seenAt }) => doubtsAbout(` in ${name}`, seenAt))
  return doubts.length > 0 || isUsed ? doubts : doubtsAbout('', lastSeenAt)
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
