const FIRST_PAUSE_MS = 200

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504])

/** Whether to send a request again after this status: safe, because operations replace or only read. */
export function isRetryable(status: number): boolean {
  return retryableStatuses.has(status)
}

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
 * at least what the service asked for.
 * @param chance a random number from 0 up to 1
 */
export function pauseAfter(attempts: number, asked: number | undefined, chance: number): number {
  return Math.max(asked ?? 0, chance * FIRST_PAUSE_MS * 2 ** (attempts - 1))
}
