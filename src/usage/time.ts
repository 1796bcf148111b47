export const HOUR_MS = 3_600_000

/** The start of the clock hour of a time in milliseconds since the epoch. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS
}

const MAX_INTERVALS = 3
// Retries and slow responses may delay the next reading by more than three short intervals.
const MAX_GAP_MS = 300_000

/** A point in time on both clocks, in milliseconds. */
export interface Instant {
  wall: number
  monotonic: number
}

/** Why usage between two successive readings may have gone unnoticed. Times are in milliseconds. */
export type Gap = { kind: 'clockJump'; step: number } | { kind: 'noReading'; elapsed: number }

/** The gap between two successive readings, each of which covers only the current clock hour. */
export function gapBetween(before: Instant, after: Instant, intervalMs: number): Gap | undefined {
  const elapsed = after.monotonic - before.monotonic
  const step = after.wall - before.wall - elapsed
  if (Math.abs(step) > MAX_INTERVALS * intervalMs) return { kind: 'clockJump', step }
  const isLong = elapsed > Math.max(MAX_INTERVALS * intervalMs, MAX_GAP_MS)
  return isLong ? { kind: 'noReading', elapsed } : undefined
}
