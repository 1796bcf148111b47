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

function lengthText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/**
 * Why usage between two successive readings may have gone unnoticed, because each covers only the
 * current clock hour; undefined if there is no such gap.
 */
export function gapBetween(
  before: Instant,
  after: Instant,
  intervalMs: number,
): string | undefined {
  const elapsed = after.monotonic - before.monotonic
  const step = after.wall - before.wall - elapsed
  if (Math.abs(step) > MAX_INTERVALS * intervalMs) {
    const direction = step > 0 ? 'forward' : 'back'
    return `the clock jumped ${direction} by ${lengthText(step)} between two readings (clock change or suspended machine)`
  }
  if (elapsed > Math.max(MAX_INTERVALS * intervalMs, MAX_GAP_MS)) {
    return `there was no successful reading for ${lengthText(elapsed)}`
  }
  return undefined
}
