import { timeOf } from '../usage/time.ts'
import { safeText } from './escapes.ts'

/** A time in milliseconds since the epoch as ISO 8601, in UTC. */
export function isoText(time: number): string {
  return new Date(time).toISOString()
}

/** A timestamp as `2026-11-20 16:00Z`; text that is not a date is kept. */
export function minuteText(timestamp: string): string {
  const time = timeOf(timestamp)
  if (time === undefined) return safeText(timestamp)
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`
}

/** A timestamp as `2026-11-20`, in UTC; text that is not a date is kept. */
export function dayText(timestamp: string): string {
  const time = timeOf(timestamp)
  return time === undefined ? safeText(timestamp) : new Date(time).toISOString().slice(0, 10)
}
