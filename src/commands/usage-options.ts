import { FlagadmError } from '../errors.ts'
import type { FormatOf } from '../formats.ts'
import { duration, wholeNumber } from '../input/values.ts'
import {
  type Grouping,
  groupings,
  type Layout,
  layouts,
  type SortKey,
  sortKeys,
  type UsageView,
} from '../usage/view.ts'

/** The options of `feature usage` as commander parses them. */
export interface UsageOptions {
  namesFrom?: string | undefined
  scan?: string[] | undefined
  match?: string[] | undefined
  removedSince?: string | undefined
  concurrency: string
  app?: string[] | undefined
  environment?: string[] | undefined
  groupBy?: string | undefined
  sort?: string | undefined
  reverse?: true | undefined
  limit?: string | undefined
  used?: true | undefined
  unused?: true | undefined
  layout?: string | undefined
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

// One table with a column of flags is easier to read than more sections than this.
const MOST_SECTIONS = 3
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

/** How to select and arrange rows. */
export function shapeOf(options: UsageOptions): UsageView {
  const { app = [], environment = [], used, unused, groupBy, sort, reverse, limit } = options
  return {
    applications: app,
    environments: environment,
    usage: used ? 'used' : unused ? 'unused' : undefined,
    grouping: oneOf<Grouping>('--group-by', groupBy, groupings) ?? 'none',
    sort: oneOf<SortKey>('--sort', sort, sortKeys),
    reverse: reverse === true,
    limit: limit === undefined ? undefined : wholeNumber('--limit', limit, 1, 999_999_999),
  }
}

/** Whether to print a section for each flag or one table, for this number of flags. */
export function layoutOf({ layout, groupBy }: UsageOptions, flags: number): Layout {
  const byDefault = groupBy === undefined && flags <= MOST_SECTIONS ? 'sections' : 'table'
  return oneOf<Layout>('--layout', layout, layouts) ?? byDefault
}

/** @throws a usage error for options that have no effect on an output format */
export function refuseOptionsOf(format: FormatOf<'usage'>, options: UsageOptions): void {
  const { layout, app, environment, groupBy, sort, reverse, limit, used, unused } = options
  if (format !== 'table' && layout !== undefined) {
    throw new FlagadmError('usage', `${format} output cannot be combined with --layout`, {
      hint: 'use -o table, or leave out --layout',
    })
  }
  const shaping = { app, environment, 'group-by': groupBy, sort, reverse, limit, used, unused }
  const given = Object.entries(shaping).find(([, value]) => value !== undefined)
  if (format !== 'json' || !given) return
  throw new FlagadmError('usage', `json output cannot be combined with --${given[0]}`, {
    hint: `json is the service's own document; use -o jsonl`,
  })
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
  const { used, unused, layout } = options
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
    ['--used', used, '--expect', expect],
    ['--unused', unused, '--expect', expect],
    ['--layout', layout, '--expect', expect],
    ['--layout', layout, '--watch', watch],
    ['--used', used, '--unused', unused],
  ] as const
  for (const [option, value, beside, other] of excludes) {
    if (value === undefined || other === undefined) continue
    throw new FlagadmError('usage', `${option} cannot be combined with ${beside}`, {
      hint: `leave out one of the two`,
    })
  }
}
