import { timeOf } from './time.ts'

/** From the earliest to the latest timestamp of records, in milliseconds since the epoch. */
export interface Window {
  start: number
  end: number
}

interface Dated {
  timestamp?: string | null | undefined
}

/** A window widened to include records; undefined while no record has a date. */
export function widenWindow(
  window: Window | undefined,
  records: readonly Dated[],
): Window | undefined {
  let widened = window
  let last: string | undefined
  for (const { timestamp } of records) {
    if (timestamp == null || timestamp === last) continue
    last = timestamp
    const time = timeOf(timestamp)
    if (time === undefined) continue
    const { start, end } = widened ?? { start: time, end: time }
    widened = { start: Math.min(start, time), end: Math.max(end, time) }
  }
  return widened
}

/** The window that includes both. */
export function widerWindow(
  one: Window | undefined,
  other: Window | undefined,
): Window | undefined {
  if (!one || !other) return one ?? other
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) }
}

/** `since 15:00 UTC`, with the date if records are of several days. */
export function windowText(window: Window | undefined): string {
  if (!window) return 'in the current clock hour'
  const [start, end] = [window.start, window.end].map((time) => new Date(time).toISOString())
  const from = start?.slice(0, 10) === end?.slice(0, 10) ? 11 : 0
  return `since ${start?.slice(from, 16).replace('T', ' ')} UTC`
}
