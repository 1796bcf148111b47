const FIRST_PAUSE_MS = 200

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504])

/** Whether a request may be sent again after this status: both operations replace or only read. */
export function isRetryable(status: number): boolean {
  return retryableStatuses.has(status)
}

/** Milliseconds that a `Retry-After` header (seconds or a date) asks to wait; undefined without one. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * Milliseconds to wait after so many attempts: full jitter under a bound that doubles from 200 ms,
 * never less than the service asked for.
 * @param chance a random number from 0 up to 1
 */
export function pauseAfter(attempts: number, asked: number | undefined, chance: number): number {
  return Math.max(asked ?? 0, chance * FIRST_PAUSE_MS * 2 ** (attempts - 1))
}
