// What differing clocks mean for times that are compared.
import type { Messages } from '../command/context.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { ageText, CLOCK_TOLERANCE_MS } from '../output/time.ts'
import type { ServiceClock } from '../service/connection.ts'

/**
 * By how much the clocks differ that times come from, in milliseconds; 0 if that does not matter.
 * @param now the time of the service when the command started
 * @param latest the latest time that the service itself set, which may be later than both clocks
 */
export function clockDifference({ offsetMs = 0 }: ServiceClock, now: number, latest = now): number {
  const difference = Math.max(Math.abs(offsetMs), latest - Math.max(now, now - offsetMs))
  return difference > CLOCK_TOLERANCE_MS ? difference : 0
}

/** What a report lacks if the service has no clock to compare with. */
export function clockGaps({ offsetMs }: ServiceClock): Incomplete[] {
  if (offsetMs !== undefined) return []
  const message = 'the service sends no date, so the clock of this machine was not checked'
  return [{ message, names: [] }]
}

/** Warns if this machine's clock differs from that of the service, by which times are judged. */
export function warnOfClock(messages: Messages, { offsetMs = 0 }: ServiceClock): void {
  if (Math.abs(offsetMs) <= CLOCK_TOLERANCE_MS) return
  const direction = offsetMs > 0 ? 'behind' : 'ahead of'
  messages.warn(
    `this machine's clock is ${ageText(Math.abs(offsetMs))} ${direction} that of the service; times are the service's`,
  )
}
