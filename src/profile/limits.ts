import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT, MAX_RETRIES, parseDuration } from '../input/values.ts'
import { type Configurations, configured } from './profiles.ts'
import { isFile, optionOrVariable, type Source } from './source.ts'

const unconfigured: Source = { kind: 'default', name: 'default' }

const MAX_TIMEOUT_MS = 86_400_000

/** The limits; `parse` returns undefined for text that is invalid or out of range. */
const limits = {
  /** Milliseconds. */
  timeout: {
    fallback: DEFAULT_TIMEOUT,
    parse(text: string) {
      const milliseconds = parseDuration(text)
      return milliseconds && milliseconds <= MAX_TIMEOUT_MS ? milliseconds : undefined
    },
    expected: 'a duration of up to 24h',
    hint: 'use seconds, or a number with s, m or h: 10, 90s, 5m or 2h',
  },
  retries: {
    fallback: DEFAULT_RETRIES,
    parse(text: string) {
      const count = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
      return count <= MAX_RETRIES ? count : undefined
    },
    expected: `a whole number from 0 to ${MAX_RETRIES}`,
    hint: `use a whole number from 0 to ${MAX_RETRIES}`,
  },
}

/**
 * The effective value of a limit as text and as a number (a deadline in milliseconds), and its source.
 * @throws a usage or configuration error for an invalid one
 */
export function limitOf(
  { host, options }: Context,
  configurations: Configurations,
  name: keyof typeof limits,
) {
  const { fallback, parse, expected, hint } = limits[name]
  const variable = `FLAGADM_${name.toUpperCase()}`
  const given =
    optionOrVariable(`--${name}`, options[name], variable, host.env) ??
    configured(configurations, name)
  const { value: written, source } = given ?? { value: fallback, source: unconfigured }
  const value = `${written}`
  const number = parse(value)
  if (number !== undefined) return { value, number, source }
  const from = isFile(source) ? `${source.name}: ${name}` : source.name
  const kind = source.kind === 'flag' ? 'usage' : 'configuration'
  throw new FlagadmError(kind, `${from}: '${value}' is not ${expected}`, { hint })
}
