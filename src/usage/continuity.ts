const MOST_INTERVALS = 3
// Retries and slow answers may delay the next reading by more than three short intervals.
const LONGEST_GAP_MS = 300_000

/** A point in time on both clocks, in milliseconds. */
export interface Instant {
  wall: number
  monotonic: number
}

function timeText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/**
 * Why usage may have gone unnoticed between two successive readings, each of which covers the
 * current clock hour only; undefined if it cannot.
 */
export function gapBetween(
  before: Instant,
  after: Instant,
  intervalMs: number,
): string | undefined {
  const elapsed = after.monotonic - before.monotonic
  const step = after.wall - before.wall - elapsed
  if (Math.abs(step) > MOST_INTERVALS * intervalMs) {
    const direction = step > 0 ? 'forward' : 'back'
    return `the clock jumped ${direction} by ${timeText(step)} between two readings (clock change or suspended machine)`
  }
  if (elapsed > Math.max(MOST_INTERVALS * intervalMs, LONGEST_GAP_MS)) {
    return `there was no successful reading for ${timeText(elapsed)}`
  }
  return undefined
}
