import { FlagadmError } from '../errors.ts'

/**
 * The whole number given to an option.
 * @throws a usage error if the text is not a whole number or out of range
 */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new FlagadmError(
    'usage',
    `${option}: '${text}' is not a whole number from ${least} to ${most}`,
    {
      hint: `give ${option} a number from ${least} to ${most}`,
    },
  )
}

const DAY_MS = 86_400_000
const LONGEST_DAYS = 365
const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS }

/**
 * The milliseconds of a duration: seconds (`10`, `0.5`) or a number with a unit (`10s`, `5m`, `2h`, `30d`).
 * @throws a usage error if the text is not a duration, is shorter than 1 ms or longer than a year
 */
export function duration(option: string, text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd])?$/.exec(text) ?? []
  const milliseconds = Math.round(Number(amount) * (units[unit] ?? Number.NaN))
  if (milliseconds > LONGEST_DAYS * DAY_MS) {
    throw new FlagadmError('usage', `${option}: '${text}' is longer than ${LONGEST_DAYS}d`, {
      hint: `give ${option} at most ${LONGEST_DAYS}d`,
    })
  }
  if (milliseconds > 0) return milliseconds
  throw new FlagadmError('usage', `${option}: '${text}' is not a duration`, {
    hint: 'give seconds or a number with s, m, h or d, for example 10, 90s, 65m, 2h or 30d',
  })
}
