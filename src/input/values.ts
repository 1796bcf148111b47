import { refuseUsage } from '../errors.ts'

export const MAX_CONCURRENCY = 100

// Many installations have small database pools.
export const DEFAULT_CONCURRENCY = 4

/** The largest number of further attempts after a failed request. */
export const MAX_RETRIES = 100

export const DEFAULT_RETRIES = '2'

export const DEFAULT_TIMEOUT = '10s'

/**
 * The value of an option that takes a whole number.
 * @throws a usage error for other text and for a number out of range
 */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const what = `${option}: '${text}' is not a whole number from ${least} to ${most}`
  refuseUsage(what, 'use a number such as 10')
}

const DURATION = /^(?<amount>\d{1,6}(?:\.\d{1,3})?)(?<unit>[smhdw]?)$/

const MS_PER_SECOND = 1000

// Other durations are in seconds.
const units: Record<string, number> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** The milliseconds of a duration such as `10` (seconds), `10s`, `5m`, `2h`, `30d` or `1w`; undefined for other text. */
export function parseDuration(text: string): number | undefined {
  const { amount, unit = '' } = DURATION.exec(text.trim())?.groups ?? {}
  const milliseconds = Math.round(Number(amount) * (units[unit] ?? MS_PER_SECOND))
  return milliseconds > 0 ? milliseconds : undefined
}

/** A span of time, as the user typed it. */
export interface TimeSpan {
  text: string
  milliseconds: number
}

/**
 * The value of an option that takes a span of time.
 * @param needsUnit whether to refuse a bare number, which could mean hours or days; otherwise, it is in seconds
 * @throws a usage error for anything else
 */
export function timeSpan(option: string, value: string, needsUnit = true): TimeSpan {
  const text = value.trim()
  const milliseconds = parseDuration(text)
  const lacksUnit = needsUnit && /\d$/.test(text)
  if (milliseconds !== undefined && !lacksUnit) return { text, milliseconds }
  const what = needsUnit ? 'number' : 'number of seconds, or one'
  refuseUsage(
    `${option}: '${value}' is not a duration`,
    `use a positive ${what} with s, m, h, d or w: 90s, 65m, 2h, 30d or 1w`,
  )
}

/** Whether a host name, as in `URL.hostname`, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
