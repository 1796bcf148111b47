import { type Dated, HOUR_MS, widenWindow } from './time.ts'

// Every service with hourly usage covers this number of hours.
const SUPPORTED_HOURS = 48

/** The time that a response with hourly usage covers. */
export interface Span {
  /** The start of its oldest hour, in milliseconds since the epoch; undefined if it cannot be known. */
  start: number | undefined
  /** How many hours were requested, the current one included. */
  hours: number
  /** Whether it covers all of them. */
  isComplete: boolean
}

/** The number of hour buckets that cover a duration, the current one included. */
export function hoursOf(milliseconds: number): number {
  return Math.ceil(milliseconds / HOUR_MS)
}

/**
 * The span that records cover. A service silently returns 24 hours instead of a number of hours that it
 * does not support.
 * @param now the time of the service in milliseconds since the epoch
 */
export function spanOf(records: readonly Dated[], hours: number, now: number): Span {
  const window = widenWindow(undefined, records)
  const most = (hours - 1) * HOUR_MS
  if (window) {
    // The clock of this machine may be a little behind that of the service.
    const isPast = window.start < now + HOUR_MS
    return { start: window.start, hours, isComplete: isPast && window.end - window.start >= most }
  }
  if (records.length > 0 || hours > SUPPORTED_HOURS) {
    return { start: undefined, hours, isComplete: false }
  }
  return { start: Math.floor(now / HOUR_MS) * HOUR_MS - most, hours, isComplete: true }
}

/** A time as text: `2026-11-19 17:00 UTC`. */
export function minuteText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** `since 2026-11-19 17:00 UTC` */
export function sinceText({ start }: Pick<Span, 'start'>): string {
  return start === undefined ? 'in the hours that the service covers' : `since ${minuteText(start)}`
}

/** Why a span is not the one requested; undefined if it is. */
export function shortfallText({ start, hours, isComplete }: Span): string | undefined {
  if (isComplete) return undefined
  if (start !== undefined) {
    return `the service covers only the time since ${minuteText(start)}, not the ${hours} hours requested`
  }
  return `it is not known whether the service covers the ${hours} hours requested`
}

/** Combines two spans: the earlier start, and complete only if both are. An unknown start is ignored. */
export function widerSpan(one: Span | undefined, other: Span | undefined): Span | undefined {
  if (!one || !other) return one ?? other
  if (one.start === undefined || other.start === undefined)
    return one.start === undefined ? other : one
  return {
    ...one,
    start: Math.min(one.start, other.start),
    isComplete: one.isComplete && other.isComplete,
  }
}
