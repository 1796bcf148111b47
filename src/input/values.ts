import { FlagadmError } from '../errors.ts'

/** The largest number of concurrent requests. */
export const MAX_CONCURRENCY = 100

// Many installations have small database pools.
export const DEFAULT_CONCURRENCY = 4

/** The largest number of further attempts after a failed request. */
export const MAX_RETRIES = 100

export const DEFAULT_RETRIES = '2'

/** The deadline of one request. */
export const DEFAULT_TIMEOUT = '10s'

/**
 * The value of an option that takes a whole number.
 * @throws a usage error for other text and for a number out of range
 */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new FlagadmError(
    'usage',
    `${option}: '${text}' is not a whole number from ${least} to ${most}`,
    {
      hint: 'use a number such as 10',
    },
  )
}

// Other durations are in seconds.
const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The milliseconds of a duration such as `10` (seconds), `10s`, `5m`, `2h` or `30d`; undefined for other text. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)([smhd]?)$/.exec(text.trim()) ?? []
  const milliseconds = Math.round(Number(amount) * (units[unit] ?? 1000))
  return milliseconds > 0 ? milliseconds : undefined
}

/**
 * The value of an option that takes a duration, in milliseconds.
 * @throws a usage error for anything else
 */
export function duration(option: string, text: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined) return milliseconds
  throw new FlagadmError('usage', `${option}: '${text}' is not a duration`, {
    hint: 'use a positive number of seconds, or one with s, m, h or d: 10, 90s, 65m, 2h or 30d',
  })
}

/** A span of time, as the user typed it. */
export interface TimeSpan {
  text: string
  milliseconds: number
}

/**
 * The value of an option that takes a span of time. It needs a unit, because a bare number could mean hours or days.
 * @throws a usage error for anything else
 */
export function timeSpan(option: string, text: string): TimeSpan {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) {
    throw new FlagadmError('usage', `${option}: '${text}' is not a duration`, {
      hint: 'use a positive number with s, m, h or d: 90s, 65m, 2h or 30d',
    })
  }
  const number = text.trim()
  if (/[smhd]$/.test(number)) return { text: number, milliseconds }
  throw new FlagadmError('usage', `${option}: '${text}' has no unit`, {
    hint: `add s, m, h or d: ${number}s, ${number}m, ${number}h or ${number}d`,
  })
}

/** Whether a host name, as in `URL.hostname`, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
