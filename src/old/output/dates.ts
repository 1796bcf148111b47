import { timeOf } from '../../input/time.ts'
import { formatted, type Safe } from './text.ts'

/** A time in milliseconds since the epoch as ISO 8601, in UTC. */
export function isoText(time: number): Safe {
  return formatted(new Date(time).toISOString())
}

/** The same for a time that may not be known; null if it is not. */
export function isoOrNull(time: number | undefined): Safe | null {
  return time === undefined ? null : isoText(time)
}

/** A timestamp as `2026-11-20 16:00Z`; text that is not a date is kept. */
export function minuteText(timestamp: Safe): Safe {
  const time = timeOf(timestamp)
  if (time === undefined) return timestamp
  return formatted(`${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`)
}

/** A timestamp as `2026-11-20`, in UTC; text that is not a date is kept. */
export function dayText(timestamp: Safe): Safe {
  const time = timeOf(timestamp)
  return time === undefined ? timestamp : formatted(new Date(time).toISOString().slice(0, 10))
}
