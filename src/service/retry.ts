// Ours, because ofetch and the packages for retries ignore Retry-After, or wait on a timer that no signal ends.
import type { Clock } from '../host.ts'

const FIRST_PAUSE_MS = 200

/** The statuses after which a request is sent again: safe, because operations replace or only read. */
export const retryableStatuses = new Set([408, 429, 500, 502, 503, 504])

/**
 * Milliseconds that a `Retry-After` header (seconds or a date) asks to wait; undefined without one.
 * @param now milliseconds since the epoch, for a date
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * Milliseconds to wait before the next attempt: full jitter below a bound that doubles from 200 ms,
 * but at least what the service asks for.
 * @param chance a random number from 0 up to 1
 */
export function pauseAfter(attempts: number, wait: number | undefined, chance: number): number {
  return Math.max(wait ?? 0, chance * FIRST_PAUSE_MS * 2 ** (attempts - 1))
}

/** The time limit of one request: its signal aborts when the time is up or the user interrupts. */
export function startDeadline(timeoutMs: number, clock: Clock, signal: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const end = clock.monotonic() + timeoutMs
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return {
    signal: controller.signal,
    /** Milliseconds left. */
    left: () => end - clock.monotonic(),
    /** Stops the timer. */
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

export type Deadline = ReturnType<typeof startDeadline>
