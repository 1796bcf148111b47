import { timeOf } from '../input/time.ts'

/** The day of a time, in UTC: `2026-11-19`. */
export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** A time: `2026-11-19 17:00 UTC`. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** A time below a title with `(UTC)`: `2026-11-19 17:00`. */
export function timeCell(time: number): string {
  return timeText(time).replace(' UTC', '')
}

/** A time without the year, for rows of the same one: `11-19 17:00`. */
export function shortTimeCell(time: number): string {
  return timeCell(time).slice('2026-'.length)
}

/** A time for other programs: `2026-11-19T17:00:00.000Z`. */
export function isoText(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString()
}

// In days. Up to two of a unit, the smaller one is more exact.
const MONTH = 365 / 12
const YEAR = 365

/** `3 d`, `5 mo`, `3.6 y` */
function daysText(days: number): string {
  if (days < 2 * MONTH) return `${days} d`
  return days < YEAR ? `${Math.floor(days / MONTH)} mo` : `${(days / YEAR).toFixed(1)} y`
}

/** How long ago something was, in its largest unit: `3.6 y`, `5 mo`, `3 d`, `5 h`, `10 min`. */
export function ageText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  if (minutes >= 48 * 60) return daysText(Math.floor(minutes / (24 * 60)))
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h` : `${minutes} min`
}

/** Clocks may differ by this much, and a response may take as long, without an effect on what is reported. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000

/** `2 h ago`, `just now` or, for a time in the future, `in 2 h` */
export function agoText(milliseconds: number): string {
  if (milliseconds < -CLOCK_TOLERANCE_MS) return `in ${ageText(-milliseconds)}`
  return milliseconds < 60_000 ? 'just now' : `${ageText(milliseconds)} ago`
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The start of the hour or day of a time, in UTC. */
export function startOf(time: number, length: number): number {
  return Math.floor(time / length) * length
}

export function hourOf(time: number): number {
  return startOf(time, HOUR_MS)
}

/** When something was last used, as exactly as it is known. Times are in milliseconds. */
export interface LastUse {
  time: number
  /** The length of the hour or day in which it was; 0 if the time is exact. */
  length: number
}

/** `2026-11-19 17:09 UTC`, for an hour `2026-11-19 17:00–17:59 UTC`, for a day `2026-11-19 UTC` */
export function lastUseTime({ time, length }: LastUse): string {
  if (length === 0) return timeText(time)
  const start = startOf(time, length)
  const [first, last] = [timeText(start), timeText(start + length - 1)]
  return length === DAY_MS ? `${first.slice(0, 10)} UTC` : `${first.slice(0, -4)}–${last.slice(-9)}`
}

/** `5 min ago`, for an hour `this hour` or `2 h ago`, for a day `today` or `2 d ago` */
export function lastUseText({ time, length }: LastUse, now: number): string {
  if (length === 0) return agoText(now - time)
  const ago = startOf(now, length) - startOf(time, length)
  if (ago === 0) return length === DAY_MS ? 'today' : 'this hour'
  return length === DAY_MS && ago > 0
    ? `${daysText(ago / DAY_MS)} ago`
    : agoText(now - startOf(time, length))
}

/** A timestamp in a table: `2 h ago` or, without the current time, the instant. Text that is not a date is kept. */
export function timestampText(timestamp: string, now: number | undefined): string {
  const time = timeOf(timestamp)
  if (time === undefined) return timestamp
  return now === undefined ? timeText(time) : agoText(now - time)
}
