// Reads the usage of flags.
import { readEach, type Results } from '../requests/each.ts'
import { failureOf, FlagadmError, withParts } from '../errors.ts'
import { CLOCK_TOLERANCE_MS, HOUR_MS, hourOf } from '../output/time.ts'
import type { Connection } from '../service/connection.ts'
import {
  type AnswerCoverage,
  coverageIn,
  createUsageSurvey,
  type KeptDays,
  readWitnesses,
  type UsageSurvey,
} from './coverage.ts'
import {
  type FigureFacts,
  figureDoubts,
  figureFacts,
  lastHourDoubts,
  hasMoreApplications,
  matcherFor,
  ofFlag,
  sightingDoubts,
  type UsageAnswer,
  type UsageQuestion,
} from './figure-doubts.ts'
import type { Flag } from '../flags/flag.ts'
import type { Selection, UsageFilter } from '../flags/selection.ts'
import { readSpan } from './daily-usage.ts'
import { createSightings } from './last-use.ts'
import { distinct, isUsed, readLastHour, type Records } from '../flags/records.ts'
import type { Span } from '../flags/span.ts'
import type { NameCheck } from './name-check.ts'
import { rowsOf, type UsageRow, type UsageView } from './rows.ts'

export interface UsageRequest extends UsageView, UsageFilter {
  /** Undefined for the current clock hour. */
  span?: Span | undefined
  /** Whether to keep the documents instead of rows. */
  wantsJson?: boolean
  /** Undefined if the names are known to be flags. */
  nameCheck?: NameCheck | undefined
}

/** The usage of a flag: what the filters keep, added up, and what the rest shows. */
export interface FlagUsage {
  flag: string
  /** Without figures if the document is wanted. */
  rows: UsageRow[]
  isUsed: boolean
  /** Where it is archived, if the lists show that: `archived in project shop`. */
  archived: string | undefined
  /** Whether it was seen in the span where it has no usage: then it is not known to be unused. */
  isSeen: boolean
  /** The start of the first hour or day that the figures of this flag cover; undefined without hourly usage. */
  from: number | undefined
  /** Whether the service may have more applications of the flag than it reports. */
  hasMoreApplications: boolean
  /** Whether a record has an application. */
  hasApplications: boolean
  /** The clock hours of its usage, in the current hour: a clock may be wrong. */
  hours: readonly number[]
  /** Those that are not the hour of the service when it answered. */
  otherHours: readonly number[]
  /** The names that filters may have. */
  applications: readonly string[]
  environments: readonly string[]
  /** The applications that the service has seen, but that have no row. */
  others: readonly string[]
  /** Why the figures may be wrong, as sentences. */
  doubts: readonly string[]
  /** The documents of the service, if they are wanted: with days, one for hours and one for days. */
  documents: readonly string[]
}

/** What the service answered, and the applications that it has seen lately. */
interface Answer extends UsageAnswer {
  documents: readonly string[]
  seen: readonly string[]
}

/** @throws a 404 with a suggestion for a name that is not a flag */
async function readAnswer(
  connection: Connection,
  flag: string,
  { span, nameCheck }: UsageRequest,
): Promise<Answer> {
  try {
    return span ? await readSpan(connection, flag, span) : await readLastHour(connection, flag)
  } catch (error) {
    const failure = failureOf(error)
    const checked = failure.kind === 'notFound' ? await nameCheck?.check(flag) : undefined
    throw checked?.problem ? withParts(failure, { hint: checked.problem }) : failure
  }
}

/** Whether a time is of another clock hour than that of the answer. */
function isOtherHour(time: number, readAt: number): boolean {
  return time < hourOf(readAt - CLOCK_TOLERANCE_MS) || hourOf(time) > readAt + CLOCK_TOLERANCE_MS
}

/** Why figures of the current hour may be wrong. */
function currentDoubts(records: Records, request: UsageRequest): string[] {
  const doubts = lastHourDoubts(records, request)
  if (request.groupBy === 'variant' && records.used.length > 0 && !records.hasVariants) {
    doubts.push('the service reports no variants in the current clock hour (--since 24h has them)')
  }
  return doubts
}

/** Sets when the usage of rows was last seen. */
function setSeen(
  rows: readonly UsageRow[],
  flag: Flag,
  { used }: Records,
  request: UsageRequest & UsageQuestion,
): void {
  const { by, groupBy: grouping } = request
  if (by || grouping === 'variant') return
  const isUnused = rows.every((row) => !isUsed(row))
  const isBy = (part: typeof grouping) => !isUnused && (grouping === undefined || grouping === part)
  const scope = { application: isBy('application'), environment: isBy('environment') }
  const seenAt = createSightings(flag, used, request, scope)
  for (const row of rows) row.seenAt = seenAt(row)
}

/** The usage of a flag in a span, and what it takes to judge it when all flags were read. */
interface ReadUsage {
  usage: FlagUsage
  flag: Flag | undefined
  /** Undefined in the current hour. */
  facts: FigureFacts | undefined
  coverage: AnswerCoverage
}

async function readUsage(
  connection: Connection,
  name: string,
  { flags, absences }: Selection,
  request: UsageRequest,
  survey: UsageSurvey | undefined,
): Promise<ReadUsage> {
  const listedFlag = flags.get(name)
  const absence = absences.get(name)
  const refuse = (reason: string) => {
    throw new FlagadmError('notFound', reason, { featureName: name })
  }
  if (absence && absence.kind !== 'archived') refuse(absence.reason)
  const { span, wantsJson, by, nameCheck } = request
  const whole = await readAnswer(connection, name, request)
  survey?.add(name, whole, listedFlag)
  const answer = span ? ofFlag(whole, listedFlag, span) : whole
  const { records, documents, seen, from, readAt } = answer
  const hasUsage = records.used.length > 0
  if (absence && !hasUsage) refuse(absence.reason)
  const checked = hasUsage || listedFlag ? undefined : await nameCheck?.check(name)
  if (checked?.problem) refuse(checked.problem)
  const flag = listedFlag ?? checked?.flag
  const all = span ? records.used : records.all
  const kept = wantsJson ? [] : all.filter(matcherFor(request))
  const unseen = new Set(request.application ? [] : seen)
  for (const { application = '' } of kept) unseen.delete(application)
  const size = by === 'day' ? 24 * HOUR_MS : HOUR_MS
  const rows = rowsOf(kept, name, listedFlag?.projectId, request, (time) => {
    if (by) return time - (time % size)
    return !span && isOtherHour(time, readAt) ? hourOf(time) : undefined
  })
  if (span && flag && !wantsJson) setSeen(rows, flag, records, { ...request, span })
  const times = span ? [] : distinct(records.used.map(({ time }) => time))
  const hours = distinct(times.map(hourOf))
  const { isWhole, hoursFrom, days } = answer
  return {
    flag,
    facts: span && figureFacts(answer, request),
    coverage: { from, isWhole, hoursFrom, days },
    usage: {
      flag: name,
      rows,
      isUsed: kept.some(isUsed),
      archived: absence?.reason,
      isSeen: false,
      from,
      hasMoreApplications: span !== undefined && hasMoreApplications(records),
      hasApplications: records.applications.length > 0,
      hours,
      otherHours: hours.filter((hour) => isOtherHour(hour, readAt)),
      applications: [...records.applications, ...seen],
      environments: records.environments,
      others: [...unseen].sort(),
      doubts: [...(span ? [] : currentDoubts(records, request)), ...(checked?.doubts ?? [])],
      documents: wantsJson ? documents : [],
    },
  }
}

/** The usage of a flag with what only all flags together show: which days the service has, and whether its hours are UTC. */
function judged(
  read: ReadUsage,
  days: KeptDays,
  ahead: number | undefined,
  question: UsageQuestion,
): FlagUsage {
  const { usage, flag, facts } = read
  if (!facts) return usage
  const coverage = coverageIn(read.coverage, days, question.span)
  const doubts = figureDoubts(flag, facts, coverage, question, ahead)
  const isSeen = flag !== undefined && sightingDoubts(flag, facts, coverage, question).length > 0
  return { ...usage, isSeen, from: coverage.from, doubts: [...doubts, ...usage.doubts] }
}

/** The usage of flags, and the days that the service has; undefined in the current hour. */
export interface UsageResults extends Results<FlagUsage> {
  days: KeptDays | undefined
}

/**
 * Reads the usage of the selected flags. Names that are not flags are failures.
 * @param use takes the usage of each flag as soon as it is read, in their order; rows and documents are not kept then
 */
export async function readUsages(
  connection: Connection,
  selection: Selection,
  request: UsageRequest,
  use?: (usage: FlagUsage) => void,
): Promise<UsageResults> {
  const { names, flags } = selection
  const { clock } = connection
  const { span } = request
  const survey = span && createUsageSurvey(span)
  const read = (name: string) => readUsage(connection, name, selection, request, survey)
  const readAll = async () => {
    const reads: ReadUsage[] = []
    const { failures } = await readEach('flag', names, connection, read, (one) => {
      use?.(one.usage)
      reads.push(use ? { ...one, usage: { ...one.usage, rows: [], documents: [] } } : one)
    })
    return { reads, failures }
  }
  const first = await readAll()
  // The service may have lost the first hour of the span. All flags are to cover the same hours.
  const isSameHour = !span || hourOf(clock.now()) === hourOf(span.now)
  const { reads, failures } = use || isSameHour ? first : await readAll()
  if (!survey) return { results: reads.map(({ usage }) => usage), failures, days: undefined }
  await readWitnesses(connection, span, survey, flags.values())
  const question = { ...request, span }
  const days = survey.keptDays()
  const ahead = survey.ahead()
  return { results: reads.map((one) => judged(one, days, ahead, question)), failures, days }
}
