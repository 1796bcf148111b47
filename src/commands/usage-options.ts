import { FlagadmError } from '../errors.ts'
import { duration, wholeNumber } from '../input/numbers.ts'
import { type Grouping, groupings } from '../usage/group.ts'
import { type SortKey, sortKeys } from '../usage/order.ts'
import type { Shape } from '../usage/shape.ts'

/** The options of `feature usage` as commander parses them. */
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
  watch?: true | undefined
  interval?: string | undefined
  count?: string | undefined
  expect?: string | undefined
  for?: string | undefined
  failFast?: true | undefined
  allowUnseen?: true | undefined
  allowUnknownFilter?: true | undefined
}

// From four flags on, one table with a column of flags reads better than a table for each.
const MANY_FLAGS = 4
const DEFAULT_INTERVAL_MS = 10_000
const SHORTEST_INTERVAL_MS = 1000

function oneOf<Value extends string>(
  option: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (text === undefined) return undefined
  const value = values.find((known) => known === text)
  if (value !== undefined) return value
  throw new FlagadmError('usage', `${option}: unknown value '${text}'`, {
    hint: `choose one of ${values.join(', ')}`,
  })
}

/** How many requests may run at once. */
export function concurrencyOf({ concurrency }: UsageOptions): number {
  return wholeNumber('--concurrency', concurrency, 1, 100)
}

/** How to filter, group and sort the rows of the given number of flags. */
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

/** The pause between two readings in milliseconds. */
export function intervalOf({ interval }: UsageOptions): number {
  if (interval === undefined) return DEFAULT_INTERVAL_MS
  const milliseconds = duration('--interval', interval)
  if (milliseconds >= SHORTEST_INTERVAL_MS) return milliseconds
  throw new FlagadmError('usage', `--interval: '${interval}' is shorter than 1s`, {
    hint: 'give --interval at least 1s',
  })
}

/** The number of readings of a live view; undefined for no end. */
export function readsOf({ count }: UsageOptions): number | undefined {
  return count === undefined ? undefined : wholeNumber('--count', count, 1, 999_999_999)
}

/** What a gate expects and on which terms; undefined without --expect. The span is 0 for one reading. */
export function expectationOf(options: UsageOptions) {
  const expectation = oneOf('--expect', options.expect, ['used', 'unused'])
  if (expectation === undefined) return undefined
  return {
    expectation,
    spanMs: options.for === undefined ? 0 : duration('--for', options.for),
    failFast: options.failFast === true,
    allowUnseen: options.allowUnseen === true,
    allowUnknownFilter: options.allowUnknownFilter === true,
  }
}

/** @throws a usage error for options that require another one, or cannot be combined with it */
export function refuseStrayOptions(options: UsageOptions): void {
  const { expect, watch, count, outputFile, groupBy, sort, reverse, limit } = options
  const needs = [
    ['--for', options.for, '--expect', expect],
    ['--fail-fast', options.failFast, '--expect', expect],
    ['--allow-unseen', options.allowUnseen, '--expect', expect],
    ['--allow-unknown-filter', options.allowUnknownFilter, '--expect', expect],
    ['--interval', options.interval, '--watch or --expect', watch ?? expect],
    ['--count', count, '--watch', watch],
  ] as const
  for (const [option, value, needed, other] of needs) {
    if (value === undefined || other !== undefined) continue
    throw new FlagadmError('usage', `${option} requires ${needed}`, {
      hint: `add ${needed} or leave out ${option}`,
    })
  }
  const excludes = [
    ['--output-file', outputFile, '--expect', expect],
    ['--output-file', outputFile, '--watch', watch],
    ['--count', count, '--expect', expect],
    ['--group-by', groupBy, '--expect', expect],
    ['--sort', sort, '--expect', expect],
    ['--reverse', reverse, '--expect', expect],
    ['--limit', limit, '--expect', expect],
  ] as const
  for (const [option, value, beside, other] of excludes) {
    if (value === undefined || other === undefined) continue
    throw new FlagadmError('usage', `${option} cannot be combined with ${beside}`, {
      hint: `leave out one of the two`,
    })
  }
}
