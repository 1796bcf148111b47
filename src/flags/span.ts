import type { TimeSpan } from '../input/values.ts'
import {
  CLOCK_TOLERANCE_MS,
  DAY_MS,
  dayText,
  HOUR_MS,
  hourOf,
  startOf,
  timeText,
} from '../output/time.ts'

// Unleash keeps 48 hours, and silently returns 24 if more are requested and it keeps no days.
const MAX_HOURS = 48

// Unleash keeps 91 days, of which the first one is being removed.
const MAX_DAYS = 90

/** The start of the day of a time, in UTC. */
export function dayOf(time: number): number {
  return startOf(time, DAY_MS)
}

/** What a command asks about: a length that ends now. Times are in milliseconds since the epoch. */
export interface Span {
  asked: TimeSpan
  /** When the command started, by the clock of the service. */
  now: number
  /** When the length that was asked for begins, to the millisecond. */
  start: number
  /** The start of the first clock hour that no day has; what an answer begins with is its `from`. */
  firstHour: number
  /** The start of the first day to read, in UTC, if days before the first hour are read; undefined if only hours are. */
  firstDay: number | undefined
  /** Whether the length is the default, so that a shorter one raises no doubt. */
  isDefault: boolean
  /** Why it is not known whether the service keeps days, of which none are read then. */
  daysProblem?: string | undefined
}

/** The start of the first day that Unleash may keep. */
export function firstKeptDay(now: number): number {
  return dayOf(now) - MAX_DAYS * DAY_MS
}

/** Whether a length is more than the hours that Unleash keeps. */
export function isLong({ milliseconds }: TimeSpan): boolean {
  return milliseconds > MAX_HOURS * HOUR_MS
}

interface SpanOptions {
  /** Whether the service keeps usage of days, for spans of more than 48 hours. */
  keepsDays?: boolean
  isDefault?: boolean
}

/**
 * Makes a span of a length that ends now. It is fixed when the command starts, so that all flags
 * share it. One hour more than the length is read, as far as the service keeps it; of a long span, all hours that the
 * service keeps, and the days before yesterday.
 * @param now when the command started, by the clock of the service
 */
export function spanOf(
  asked: TimeSpan,
  now: number,
  { keepsDays = false, isDefault = false }: SpanOptions = {},
): Span {
  const start = now - asked.milliseconds
  const today = dayOf(now)
  if (keepsDays && isLong(asked)) {
    const firstDay = Math.max(dayOf(start), firstKeptDay(now))
    return { asked, now, start, firstHour: today - DAY_MS, firstDay, isDefault }
  }
  const hours = Math.min(Math.ceil(asked.milliseconds / HOUR_MS), MAX_HOURS - 1)
  const firstHour = hourOf(now) - hours * HOUR_MS
  return { asked, now, start, firstHour, firstDay: undefined, isDefault }
}

/** Whether a time is the start of a day before the hours of a span: the hours that a service keeps never begin with a day. */
function isDay(time: number, { firstDay, firstHour }: Span): boolean {
  return firstDay !== undefined && time < firstHour && time % DAY_MS === 0
}

/** The length of the hour or day that figures of a time are of. */
export function periodOf(time: number, span: Span): number {
  return isDay(time, span) ? DAY_MS : HOUR_MS
}

/** How many hours back to request so that the service returns the days from the first one on: more than it keeps as hours. */
export function daysBack(firstDay: number, now: number): number {
  return Math.max(MAX_HOURS + 1, Math.ceil((now - firstDay) / HOUR_MS))
}

/**
 * How many clock hours to request so that the first one of the span is among them; all, if days are before them.
 * @param now the current time of the service: a new hour may have begun since the command started
 */
export function hoursBack({ firstDay, firstHour }: Span, now: number): number {
  if (firstDay !== undefined) return MAX_HOURS
  return Math.min((hourOf(now) - firstHour) / HOUR_MS + 1, MAX_HOURS)
}

/** Whether figures cover what a service without days covers by default. */
export function coversHours({ now }: Span, from: number): boolean {
  return from <= hourOf(now) - (MAX_HOURS - 1) * HOUR_MS
}

/** The part of a span that an answer covers. */
export interface Coverage {
  /** The start of its first hour, which may be later than the first one to read; undefined if that is not known. */
  from: number | undefined
  /** Whether nothing of the span is missing but the part of an hour that the service does not keep. */
  isWhole: boolean
  /** False if the service may have usage of days before; missing if it has not. */
  isCertain?: boolean
}

/**
 * What an answer with hourly records covers of a span. It begins with its oldest record, because a service silently returns
 * fewer hours than it is asked for. It is whole if that is before the start of the span, or if it has all hours that were
 * requested of those that a service keeps, and if it is neither an old answer of a cache nor about the future.
 * @param times of the records, as far as they can be read
 * @param isEmpty whether there are no records: then the service has no usage in the hours requested
 * @param hours how many were requested
 */
export function hourlyCoverage(
  times: readonly number[],
  isEmpty: boolean,
  hours: number,
  span: Span,
): Coverage {
  const mayBeKept = span.asked.milliseconds <= MAX_HOURS * HOUR_MS
  const length = (hours - 1) * HOUR_MS
  if (times.length === 0) {
    return isEmpty
      ? { from: hourOf(span.now) - length, isWhole: mayBeKept }
      : { from: undefined, isWhole: false }
  }
  const from = times.reduce((a, b) => Math.min(a, b))
  const to = times.reduce((a, b) => Math.max(a, b))
  const isCurrent = to + HOUR_MS + CLOCK_TOLERANCE_MS >= span.now && from < span.now + HOUR_MS
  const isAll = mayBeKept && to - from >= length
  return { from, isWhole: isCurrent && (isAll || from <= span.start) }
}

/** A duration, rounded down to minutes: `48h`, `47h 12m`, `10m`, `30s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 60_000) return `${Math.max(0, Math.floor(milliseconds / 1000))}s`
  const hours = Math.floor(milliseconds / HOUR_MS)
  const minutes = Math.floor((milliseconds % HOUR_MS) / 60_000)
  return [hours > 0 ? `${hours}h` : '', minutes > 0 ? `${minutes}m` : ''].filter(Boolean).join(' ')
}

/** How much of a span an answer covers that does not cover all: `90 of 400 days`, `only 23h 40m of the 72 h requested`. */
export function partText(span: Span, from: number): string {
  const { asked, now } = span
  if (isDay(from, span)) return daysText(span, from, 'days')
  return `only ${durationText(now - from)} of the ${askedText(asked)} requested`
}

/** `since 2026-11-19 17:00 UTC` */
export function sinceText({ from }: Pick<Coverage, 'from'>): string {
  return from === undefined ? 'in the hours that the service covers' : `since ${timeText(from)}`
}

/** A length of more than two days: `90 days`, or as it was given if it is not of whole days. */
function longText({ milliseconds, text }: TimeSpan): string {
  return milliseconds % DAY_MS === 0 ? `${milliseconds / DAY_MS} days` : text
}

/** A length that was asked for, as it was given, but written as others are: `30 d` for `30d`. */
export function askedText({ text }: TimeSpan): string {
  return text.replace(/^(\d+)([hdw])$/, '$1 $2')
}

/**
 * How much of a span figures cover, as a length: `48 h`, `30 d`.
 * @param from the start of the first hour or day
 */
export function coveredText({ asked, now }: Pick<Span, 'asked' | 'now'>, from: number): string {
  const covered = now - from
  const isOfHours = covered <= MAX_HOURS * HOUR_MS
  const most = isOfHours ? Math.min(asked.milliseconds, MAX_HOURS * HOUR_MS) : asked.milliseconds
  // The service keeps whole hours, so a part of the first one may be missing.
  const length = covered + HOUR_MS >= most ? most : covered
  if (length > MAX_HOURS * HOUR_MS) return `${Math.floor(length / DAY_MS)} d`
  if (length < HOUR_MS) return `${Math.floor(length / 60_000)} min`
  return `${Math.floor(length / HOUR_MS)} h`
}

/** How many days figures cover, today not included: `30 days`, `12 of 30 days`. */
function daysText({ start, now }: Span, from: number, noun: string): string {
  const daysSince = (time: number) => (dayOf(now) - dayOf(time)) / DAY_MS
  const days = daysSince(from)
  const askedDays = daysSince(start)
  return days < askedDays ? `${days} of ${askedDays} ${noun}` : `${days} ${noun}`
}

/**
 * What figures cover: `since 2026-11-18 17:00 UTC (47h 10m)`, `since 2026-11-19 17:00 UTC (23h 10m of 48h)`, `since 2026-08-29 (90 UTC days; hours for the last two)`.
 * @param from the start of the first hour or day
 * @param days what is known about the days of the service
 */
export function spanText(
  span: Span,
  from: number | undefined,
  days: { holes: readonly number[]; isCertain: boolean } = { holes: [], isCertain: true },
): string {
  if (from === undefined) return sinceText({ from })
  const { asked, now, firstDay, firstHour } = span
  if (isDay(from, span)) {
    const holes = days.holes.length
    const without = holes > 0 ? `, ${holes} of them without any usage` : ''
    return `since ${dayText(from)} (${daysText(span, from, 'UTC days')}${without}; hours for the last two)`
  }
  const length = now - from
  if (isLong(asked)) {
    const isExplained = from <= firstHour && days.isCertain
    const kept = firstDay === undefined ? 'keeps two days of hours' : 'has no usage of days yet'
    const why = isExplained ? `: this Unleash ${kept}` : ''
    return `${sinceText({ from })} (${durationText(length)} of ${longText(asked)}${why})`
  }
  // The service keeps whole hours, so a part of one is always missing from the longest span.
  const isShort = asked.milliseconds - length > HOUR_MS
  return `${sinceText({ from })} (${durationText(length)}${isShort ? ` of ${asked.text}` : ''})`
}
