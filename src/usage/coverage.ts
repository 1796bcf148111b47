// Which days of a span the service has: one answer does not show it, because days without figures are filled in with zeros.
import { timeOf } from '../input/time.ts'
import { CLOCK_TOLERANCE_MS, DAY_MS, HOUR_MS, hourOf } from '../output/time.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import type { Connection } from '../service/connection.ts'
import { type Flag, lastSeen } from '../flags/flag.ts'
import { latest } from '../flags/records.ts'
import type { Coverage, Span } from '../flags/span.ts'
import { daysBefore, readDays } from './daily-usage.ts'
import type { UsageAnswer } from './figure-doubts.ts'

// More would not show more: each was used lately and is older than the span.
const MAX_WITNESSES = 5

/** The days of which a service has usage. Times are in milliseconds since the epoch. */
export interface KeptDays {
  /** The start of the first day with usage of any flag that was read; undefined if no day before the hours has any. */
  from: number | undefined
  /** The starts of the days after it without any usage, which the service may not have counted; none if too few flags were read. */
  holes: readonly number[]
  /** Whether the service has no earlier days: flags were read that are older than the span, and were seen lately. */
  isCertain: boolean
}

/** Whether a flag is likely to have usage on most days of a span. */
function isWitness(flag: Flag, { firstDay = 0, now }: Span): boolean {
  const created = timeOf(flag.createdAt)
  const { time: seen } = lastSeen(flag)
  const isOld = created !== undefined && created < firstDay
  return isOld && seen !== undefined && seen > now - 2 * DAY_MS
}

/** Whether the service is known to keep no days. */
const hasNoDays = ({ firstDay, daysProblem }: Span) =>
  firstDay === undefined && daysProblem === undefined

/** What the usage of several flags shows about all of them. */
export type UsageSurvey = ReturnType<typeof createUsageSurvey>

/** Notes, for each flag that is read in a span, what its usage shows about all. */
export function createUsageSurvey(span: Span) {
  const { firstDay = 0, firstHour } = span
  const names = new Set<string>()
  const days = new Set<number>()
  const lastUses = new Map<string | undefined, number>()
  let readAt = span.now
  let hasWitness = false

  const keptDays = (): KeptDays => {
    const first = [...days].reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    const from = days.size === 0 ? undefined : Math.max(first, firstDay)
    const isCertain = hasWitness || hasNoDays(span) || (from !== undefined && from <= firstDay)
    const holes: number[] = []
    for (let day = from ?? firstHour; hasWitness && day < firstHour; day += DAY_MS) {
      if (!days.has(day)) holes.push(day)
    }
    return { from, holes, isCertain }
  }

  const addDays = (name: string, answered: readonly number[] | undefined, flag?: Flag) => {
    names.add(name)
    for (const day of answered ?? []) days.add(day)
    hasWitness ||= answered !== undefined && flag !== undefined && isWitness(flag, span)
  }

  return {
    /** @param flag as the lists have it, if they were read */
    add(name: string, answer: UsageAnswer, flag: Flag | undefined): void {
      addDays(name, answer.days, flag)
      readAt = answer.readAt
      for (const { application, time } of answer.records.used) {
        const last = latest([lastUses.get(application), time])
        if (last !== undefined) lastUses.set(application, last)
      }
    },
    addDays,
    has: (name: string) => names.has(name),
    keptDays,
    /** Whether every day of the span has usage. */
    isWhole(): boolean {
      const { from, holes } = keptDays()
      return hasWitness && from !== undefined && from <= firstDay && holes.length === 0
    },
    /**
     * By how many milliseconds the usage of all applications is ahead; undefined if it is not. Applications do not share a
     * wrong clock, so the hours of the service are then of another time zone.
     */
    ahead(): number | undefined {
      const leads = Array.from(lastUses.values(), (time) => time - hourOf(readAt))
      const ahead = leads.filter((lead) => lead >= HOUR_MS + CLOCK_TOLERANCE_MS)
      const isCurrent = leads.some(
        (lead) => lead >= -HOUR_MS && lead < HOUR_MS + CLOCK_TOLERANCE_MS,
      )
      if (ahead.length < 2 || isCurrent) return undefined
      const most = ahead.reduce((a, b) => Math.max(a, b))
      return ahead.every((lead) => most - lead <= HOUR_MS) ? most : undefined
    },
  }
}

/**
 * Reads the days of up to five more flags, if those that were read leave it open which days the service has: of the flags
 * that are older than the span and were seen lately, the oldest ones.
 * @param flags those of the lists that were read
 * @returns the failure if days could not be read
 */
export async function readWitnesses(
  connection: Connection,
  span: Span,
  survey: UsageSurvey,
  flags: Iterable<Flag>,
): Promise<FlagadmError | undefined> {
  const { firstDay } = span
  if (firstDay === undefined) return undefined
  const unread = [...flags].filter((flag) => !survey.has(flag.name) && isWitness(flag, span))
  unread.sort((a, b) => (timeOf(a.createdAt) ?? 0) - (timeOf(b.createdAt) ?? 0))
  for (const flag of unread.slice(0, MAX_WITNESSES)) {
    if (survey.isWhole()) return undefined
    const read = await readDays(connection, flag.name, firstDay).catch(failureOf)
    if (read instanceof FlagadmError) return read
    if (!read) return undefined
    const days = daysBefore(read.records.used, span).flatMap(({ time }) => time ?? [])
    survey.addDays(flag.name, days, flag)
  }
  return undefined
}

/** What an answer covers by itself, without its records. */
export type AnswerCoverage = Omit<UsageAnswer, 'records' | 'readAt' | 'earlier'>

/** What an answer covers of a span, given the days that the service has. */
export function coverageIn(
  answer: AnswerCoverage,
  { from, isCertain }: KeptDays,
  span: Span,
): Coverage {
  const { from: answerFrom, isWhole, hoursFrom, days } = answer
  if (days === undefined) return { from: answerFrom, isWhole }
  if (from === undefined) return { from: hoursFrom, isWhole: false, isCertain }
  return { from, isWhole: from <= span.start, isCertain }
}
