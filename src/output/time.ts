import { timeOf } from '../input/time.ts'

/** A timestamp as `2026-11-20 16:00Z`; text that is not a date is kept. */
export function minuteText(timestamp: string): string {
  const time = timeOf(timestamp)
  if (time === undefined) return timestamp
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}Z`
}
