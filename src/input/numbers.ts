import { FlagadmError } from '../errors.ts'

/**
 * The whole number that an option gives.
 * @throws a usage error when it is none or out of range
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

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 }

/**
 * The milliseconds of a duration such as `90s`, `65m` or `2h`.
 * @throws a usage error when it is none
 */
export function duration(option: string, text: string): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  const milliseconds = Number(amount) * (units[unit] ?? Number.NaN)
  if (milliseconds > 0) return milliseconds
  throw new FlagadmError('usage', `${option}: '${text}' is not a duration`, {
    hint: 'give a number and s, m or h, for example 90s, 65m or 2h',
  })
}
