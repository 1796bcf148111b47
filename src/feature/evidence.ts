import type { FlagadmError } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { listed } from '../output/incomplete.ts'
import { type Flag, lastSeen, type Sighting } from './flags.ts'
import { type Counts, latest, type Records, totalOf, type UsageRecord } from './records.ts'
import {
  ageText,
  type Coverage,
  durationText,
  HOUR_MS,
  hourOf,
  sinceText,
  type Span,
  timeText,
} from './span.ts'

// The service reports at most this number of applications of a flag.
export const MAX_APPLICATIONS = 100

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

/** The usage of a flag in an environment. */
export interface EnvironmentUsage extends Counts {
  /** Undefined for usage whose environment the service left out. */
  name: string | undefined
  /** The start of the last hour with usage, in milliseconds since the epoch. */
  lastUsed: number | undefined
}

/** What is known about the usage of a flag. Times are in milliseconds since the epoch. */
export interface UsageEvidence extends Coverage {
  /** Of the usage that counts. */
  totals: Counts
  isUsed: boolean
  lastUsed: number | undefined
  /** Those that used it in the last hour with usage. */
  applications: readonly string[]
  environments: readonly string[]
  byEnvironment: readonly EnvironmentUsage[]
  /** The evaluations in each clock hour of the span, from its first one. */
  hourly: readonly number[]
  /** Whether the service may have more applications of the flag than it reports. */
  isCut: boolean
  /** When it was last seen in the environments that count. */
  seen: Sighting
  /** Whether that is usage in the span: it does not show which application saw it. */
  isSeen: boolean
  /** Why there may be usage in the span although none was found, as sentences. */
  doubts: readonly string[]
}

/** Summarizes the answer of the service, and lists what it does not show. */
export function usageEvidence(
  flag: Flag | undefined,
  answer: UsageAnswer,
  question: UsageQuestion,
): UsageEvidence {
  const { from, isWhole, records } = answer
  const matches = matcherFor(question)
  const used = records.used.filter(matches)
  const lastUsed = latest(used.map(({ time }) => time))
  const last = used.filter(({ time }) => time === lastUsed)
  const seen = flag ? lastSeen(flag, environmentMatcher(question)) : notReported
  return {
    from,
    isWhole,
    totals: totalOf(used),
    isUsed: used.length > 0,
    lastUsed,
    applications: namesOf(last.map(({ application }) => application)),
    environments: namesOf(last.map(({ environment }) => environment)),
    byEnvironment: byEnvironment(used),
    hourly: hourlyCounts(used, question.span),
    isCut: records.applications.length >= MAX_APPLICATIONS,
    seen,
    isSeen: !question.app && seen.time !== undefined && seen.time >= sinceOf(question.span, from),
    doubts: [
      ...recordDoubts(records, question),
      ...hiddenDoubts(answer, question),
      ...coverageDoubts(answer, seen, question),
      ...(flag ? seenDoubts(flag, answer, question) : []),
    ],
  }
}

const notReported: Sighting = { time: undefined, environments: [], isReported: false }

/** The evidence about a flag of which no usage is read. */
export const noUsage: UsageEvidence = {
  ...{ from: undefined, isWhole: false, totals: { enabled: 0, disabled: 0 }, isUsed: false },
  ...{ lastUsed: undefined, applications: [], environments: [], byEnvironment: [], hourly: [] },
  ...{ isCut: false, seen: notReported, isSeen: false, doubts: [] },
}

function namesOf(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names)].filter((name) => name !== undefined).sort()
}

/** Why figures may be wrong: usage that the service lists or saw, but that is in none of the hours. */
export function figureDoubts(
  flag: Flag | undefined,
  answer: UsageAnswer,
  question: UsageQuestion,
): string[] {
  return [
    ...recordDoubts(answer.records, question),
    ...hiddenDoubts(answer, question),
    ...(flag ? unusedSightings(flag, answer, question) : []),
  ]
}

type Place = Pick<UsageRecord, 'application' | 'environment'>

/** A test for usage that counts; a name that is missing matches no filter. */
export function matcherFor({ app, environment }: UsageFilter): (place: Place) => boolean {
  const [matches, matchesIn] = [matcherOf(app), matcherOf(environment)]
  return (place) => matches(place.application) && matchesIn(place.environment)
}

function environmentMatcher({ environment }: UsageFilter) {
  return environment && matcherOf(environment)
}

function byEnvironment(used: readonly UsageRecord[]): EnvironmentUsage[] {
  const groups = new Map<string | undefined, UsageRecord[]>()
  for (const record of used) {
    const group = groups.get(record.environment)
    if (group) group.push(record)
    else groups.set(record.environment, [record])
  }
  return Array.from(groups, ([name, own]) => {
    return { name, ...totalOf(own), lastUsed: latest(own.map(({ time }) => time)) }
  })
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

/** Why records may be usage that counts although they do not match, or have no counts. */
function recordDoubts({ used, uncounted }: Records, { app, environment }: UsageFilter): string[] {
  const [matches, matchesIn] = [matcherOf(app), matcherOf(environment)]
  // Servers may leave a name out, or send an empty one.
  const mayBe = ({ application, environment: place }: Place) =>
    (!application || matches(application)) && (!place || matchesIn(place))
  const isUnnamed = ({ application, environment: place }: Place) =>
    (app !== undefined && !application) || (environment !== undefined && !place)
  const doubts: string[] = []
  if (used.some((place) => isUnnamed(place) && mayBe(place))) {
    doubts.push('there is usage without the application or environment that the filters ask for')
  }
  if (uncounted.some(mayBe)) {
    doubts.push('a record has neither of the counts yes and no, or a negative one')
  }
  return doubts
}

/** Why the hours may lack usage of an application or environment that the service lists for them. */
function hiddenDoubts(
  { records, from }: UsageAnswer,
  { app, environment }: UsageQuestion,
): string[] {
  const used = new Set(records.used.map((record) => record.application))
  const usedIn = new Set(records.used.map((record) => record.environment))
  const [matches, matchesIn] = [matcherOf(app), matcherOf(environment)]
  // The service lists what reported usage since the start of the span. Usage that is in none of its hours is
  // later than now.
  const applications = records.applications.filter((name) => !used.has(name) && matches(name))
  const environments = records.environments.filter((name) => !usedIn.has(name) && matchesIn(name))
  const isCut = records.applications.length >= MAX_APPLICATIONS
  const isHidden = applications.length + environments.length > 0
  if (isCut && (isHidden || app)) return [`${CUT}, and there may be more`]
  if (!isHidden) return []
  const place = placeText(applications, environments)
  return [
    `the service has usage${place} that is missing from the hourly figures ${sinceText({ from })}: the clock of an application may be ahead`,
  ]
}

/** What a report with totals of such flags lacks. */
export const CUT_MESSAGE = `the service reports only ${MAX_APPLICATIONS} applications of each, and there may be more`

export const CUT = `the service reports only ${MAX_APPLICATIONS} applications of this flag`

/** ` by web-shop in production`; empty without names. */
export function placeText(
  applications: readonly string[],
  environments: readonly string[],
): string {
  const by = applications.length > 0 ? ` by ${listed(applications)}` : ''
  const where = environments.length > 0 ? ` in ${listed(environments)}` : ''
  return by + where
}

/** Why the flag may have been used in a part of the span that the hours do not cover. */
function coverageDoubts(
  { from, isWhole, records }: UsageAnswer,
  seen: Sighting,
  { app, span }: UsageQuestion,
): string[] {
  const { asked, start, now } = span
  const requested = `the ${durationText(asked)} requested`
  const doubts: string[] = []
  if (from === undefined) {
    doubts.push(`it is not known whether the service covers ${requested}`)
  } else if (!isWhole) {
    const covered = durationText(now - from)
    doubts.push(
      from > start
        ? `the service covers only ${covered} of ${requested} (${sinceText({ from })})`
        : `the figures of the service end at ${timeText(Math.max(...records.times))}`,
    )
  } else if (from > start && (app || !seen.isReported)) {
    // The time when the flag was last seen closes the gap, but it does not show which application saw it.
    const why = app ? 'when an application last used it' : 'when it was last seen'
    doubts.push(
      `the hourly figures begin ${durationText(from - start)} after the start of ${requested}, and the service does not report ${why} (--since 47h needs only the hours)`,
    )
  }
  return doubts
}

/** That the flag was seen, or is too young, although the hours have no usage of it. */
function seenDoubts(
  flag: Flag,
  answer: UsageAnswer,
  { app, environment, span }: UsageQuestion,
): string[] {
  const time = timeOf(flag.lastSeenAt)
  const isFiltered = app !== undefined || environment !== undefined
  const isRecent = time !== undefined && time >= sinceOf(span, answer.from)
  const created = timeOf(flag.createdAt)
  return [
    ...(app ? unusedSightings(flag, answer, { environment, span }) : []),
    ...(isFiltered && isRecent && answer.records.used.length === 0
      ? [sightingText(time, '', answer)]
      : []),
    ...(created !== undefined && created > span.start
      ? [
          `created ${ageText(span.now - created)} ago, after the start of the ${durationText(span.asked)} requested`,
        ]
      : []),
  ]
}

/** The environments in which the flag was seen, but has no usage. */
function unusedSightings(
  { environments }: Flag,
  answer: UsageAnswer,
  { environment, span }: UsageQuestion,
): string[] {
  const since = sinceOf(span, answer.from)
  const isWanted = matcherOf(environment)
  return environments.flatMap(({ name, lastSeenAt }) => {
    const time = timeOf(lastSeenAt)
    const isRecent = time !== undefined && time >= since && isWanted(name)
    const isUsed = answer.records.used.some((record) => record.environment === name)
    return isRecent && !isUsed ? [sightingText(time, ` in ${name}`, answer)] : []
  })
}

function sightingText(time: number, where: string, { from }: Coverage): string {
  return `the service saw the flag${where} at ${timeText(time)}, but has no usage of it there ${sinceText({ from })}`
}

/** Since when usage is usage in the span: whole hours are read, so the first one may begin before it. */
export function sinceOf({ start }: Span, from: number | undefined): number {
  return Math.min(start, from ?? start)
}

/** A place in source code, as `src/shop.ts:3`. */
export interface CodePlace {
  file: string
  line: number
  column?: number
}

/** What a search of source code found about a flag. */
export interface CodeEvidence {
  places: readonly CodePlace[]
  /** Why there may be more places, as sentences. */
  doubts: readonly string[]
}

/** The part of a flag's own document that a verdict needs. */
export interface FlagDetails {
  isArchived: boolean
  /** The names of the flags that depend on it. */
  dependents: readonly string[]
  /** As the service reports it; undefined if it does not. */
  lifecycle: { stage: string; enteredStageAt?: string | null | undefined } | null | undefined
}

/** Why a name that was given is in no list of flags. */
export interface Absence {
  kind: 'archived' | 'not a flag' | 'unclear'
  reason: string
}

/** Everything that is known about a flag, or about a name that was given. */
export interface Evidence {
  name: string
  /** Undefined for a name that is in no list. */
  flag: Flag | undefined
  /** Set for a name that is in no list, if there are lists. */
  absence: Absence | undefined
  /** An error if it could not be read. */
  usage: UsageEvidence | FlagadmError
  /** Undefined unless the flag would otherwise be removable; an error if they could not be read. */
  details: FlagDetails | FlagadmError | undefined
  /** Undefined if no code was searched. */
  code: CodeEvidence | undefined
}
