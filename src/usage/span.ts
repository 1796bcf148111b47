import { timeOf } from '../input/time.ts'
import { HOUR_MS, hourOf } from './time.ts'

// Unleash keeps 48 hours, and silently returns 24 if more are requested.
const MAX_HOURS = 48

/** The time that the figures of a flag cover, in milliseconds since the epoch. */
export interface Coverage {
  /** The start of its first clock hour; undefined if it cannot be known. */
  from: number | undefined
  /** When the service was last read. */
  to: number
}

/** A record that may have a timestamp. */
interface Dated {
  timestamp?: string | null | undefined
}

/** From the earliest to the latest timestamp of records; undefined if none of them has a date. */
export function coverageOf(records: readonly Dated[]): { from: number; to: number } | undefined {
  const timestamps = new Set(records.map(({ timestamp }) => timestamp ?? ''))
  const times = [...timestamps].flatMap((timestamp) => timeOf(timestamp) ?? [])
  if (times.length === 0) return undefined
  return {
    from: times.reduce((a, b) => Math.min(a, b)),
    to: times.reduce((a, b) => Math.max(a, b)),
  }
}

/** The time that hourly usage covers. */
export interface Span extends Coverage {
  /** The length that was asked for, in milliseconds. */
  asked: number
  /** Whether it is all that was asked for, or as much of it as a service keeps. */
  isComplete: boolean
}

/**
 * The start of the first clock hour to read for a span of this length. There is one hour more than the length
 * has, because the current one may have just begun, but not more than the service keeps.
 */
export function firstHour(asked: number, now: number): number {
  return hourOf(now) - Math.min(Math.ceil(asked / HOUR_MS), MAX_HOURS - 1) * HOUR_MS
}

/** The number of clock hours from `first` to the current one, but at most as many as the service keeps. */
export function hoursFrom(first: number, now: number): number {
  return Math.min((hourOf(now) - first) / HOUR_MS + 1, MAX_HOURS)
}

/**
 * The span that hourly records cover.
 * @param hours how many clock hours were requested
 * @param now the time of the service in milliseconds since the epoch
 */
export function spanOf(records: readonly Dated[], hours: number, asked: number, now: number): Span {
  const covered = coverageOf(records)
  const isKept = asked <= MAX_HOURS * HOUR_MS
  const most = (hours - 1) * HOUR_MS
  if (!covered) {
    const isEmpty = records.length === 0
    const from = isEmpty ? hourOf(now) - most : undefined
    return { from, to: now, asked, isComplete: isEmpty && isKept }
  }
  const { from, to: end } = covered
  // The clock of this machine may differ from that of the service.
  const to = Math.min(Math.max(now, end), end + HOUR_MS)
  // If all records are in the future, the clocks differ too much to say what they cover.
  const isPast = from < now + HOUR_MS
  const isAll = isKept && end - from >= most
  return { from, to, asked, isComplete: isPast && (isAll || to - from >= asked) }
}

/** The length of the covered time in milliseconds; undefined if it cannot be known. */
export function lengthOf({ from, to }: Coverage): number | undefined {
  return from === undefined ? undefined : to - from
}

/** Combines two: the earlier start, the later end, and complete only if both are. An unknown start is ignored. */
export function wider<Covered extends Coverage & Partial<Span>>(
  one: Covered | undefined,
  other: Covered | undefined,
): Covered | undefined {
  if (!one || !other) return one ?? other
  if (one.from === undefined || other.from === undefined) {
    return one.from === undefined ? other : one
  }
  return {
    ...one,
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
    isComplete: one.isComplete && other.isComplete,
  }
}
