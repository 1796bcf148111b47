import { FlagadmError } from '../errors.ts'
import { duration, wholeNumber } from '../input/numbers.ts'
import { type Grouping, groupings } from '../usage/group.ts'
import { type SortKey, sortKeys } from '../usage/order.ts'
import type { Shape } from '../usage/shape.ts'

/** The options of `feature usage` as commander hands them over. */
export interface UsageOptions {
  namesFrom?: string | undefined
  scan?: string[] | undefined
  match?: string[] | undefined
  concurrency: string
  app?: string[] | undefined
  environment?: string[] | undefined
  groupBy?: string | undefined
  sort?: string | undefined
  reverse?: true | undefined
  limit?: string | undefined
  outputFile?: string | undefined
  watch?: string | true | undefined
  count?: string | undefined
  expect?: string | undefined
  for?: string | undefined
  allowUnseen?: true | undefined
}

// From so many flags on, one table with a column of flags reads better than a table for each.
const MANY_FLAGS = 4
const DEFAULT_INTERVAL_S = 10
const MOST_SECONDS = 86_400

function oneOf<Value extends string>(
  option: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (text === undefined) return undefined
  const value = values.find((known) => known === text)
  if (value !== undefined) return value
  throw new FlagadmError('usage', `${option}: '${text}' is unknown`, {
    hint: `choose one of ${values.join(', ')}`,
  })
}

/** How many requests may be under way at once. */
export function concurrencyOf({ concurrency }: UsageOptions): number {
  return wholeNumber('--concurrency', concurrency, 1, 100)
}

/** How to cut and shape the rows of so many flags. */
export function shapeOf(options: UsageOptions, flags: number): Shape {
  const { app = [], environment = [], groupBy, sort, reverse, limit } = options
  const grouping: Grouping = flags < MANY_FLAGS ? 'flag' : 'none'
  return {
    applications: app,
    environments: environment,
    grouping: oneOf('--group-by', groupBy, groupings) ?? grouping,
    sort: oneOf<SortKey>('--sort', sort, sortKeys),
    reverse: reverse === true,
    limit: limit === undefined ? undefined : wholeNumber('--limit', limit, 1, 999_999_999),
  }
}

/** Milliseconds between two readings. */
export function intervalOf({ watch }: UsageOptions): number {
  if (watch === undefined || watch === true) return DEFAULT_INTERVAL_S * 1000
  return wholeNumber('--watch', watch, 1, MOST_SECONDS) * 1000
}

/** How many readings a live view makes; undefined for no end. */
export function readsOf({ count }: UsageOptions): number | undefined {
  return count === undefined ? undefined : wholeNumber('--count', count, 1, 999_999_999)
}

/** What a gate expects, of how long a span in milliseconds (0 for one reading); undefined without a gate. */
export function expectationOf(options: UsageOptions) {
  const expect = oneOf('--expect', options.expect, ['used', 'unused'])
  if (expect === undefined) return undefined
  const spanMs = options.for === undefined ? 0 : duration('--for', options.for)
  return { expect, spanMs, allowUnseen: options.allowUnseen === true }
}

/** @throws a usage error for options that mean nothing without another one, or beside it */
export function refuseStrayOptions(options: UsageOptions): void {
  const { expect, watch, count, outputFile, allowUnseen, groupBy, sort, limit } = options
  const needs = [
    ['--for', options.for, '--expect', expect],
    ['--allow-unseen', allowUnseen, '--expect', expect],
    ['--count', count, '--watch', watch],
  ] as const
  for (const [option, value, needed, other] of needs) {
    if (value === undefined || other !== undefined) continue
    throw new FlagadmError('usage', `${option} means nothing without ${needed}`, {
      hint: `add ${needed} or leave out ${option}`,
    })
  }
  const excludes = [
    ['--output-file', outputFile, '--expect', expect],
    ['--output-file', outputFile, '--watch', watch],
    ['--count', count, '--expect', expect],
    ['--group-by', groupBy, '--expect', expect],
    ['--sort', sort, '--expect', expect],
    ['--limit', limit, '--expect', expect],
  ] as const
  for (const [option, value, beside, other] of excludes) {
    if (value === undefined || other === undefined) continue
    throw new FlagadmError('usage', `${option} means nothing with ${beside}`, {
      hint: `leave out one of the two`,
    })
  }
}
