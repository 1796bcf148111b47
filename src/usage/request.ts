import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { DEFAULT_INTERVAL, duration } from '../input/values.ts'
import { type FormatOf, formats, refuseWithJson } from '../old/output/formats.ts'
import type { Expectation, Layout, UsageView } from './view.ts'
import { hasNames, type NameOptions, usageNames } from '../names/sources.ts'
import type { UnreadLookups } from '../projects/missing.ts'
import { type ProjectOptions, selectsProjects } from '../projects/selection.ts'

/** The options of `feature usage`. Times are in milliseconds. */
export interface UsageOptions extends NameOptions, ProjectOptions, UsageView {
  since?: number | undefined
  layout?: Layout | undefined
  outputFile?: string | undefined
  watch?: true | undefined
  interval?: number | undefined
  count?: number | undefined
  expect?: Expectation | undefined
  for?: number | undefined
  failFast?: true | undefined
  allowUnseen?: true | undefined
  allowUnknownFilter?: true | undefined
}

/** The flags to read, and the options of the run. */
interface CommonRequest {
  /** Undefined for all flags of the projects. */
  names: readonly string[] | undefined
  /** The lookups in source code that could not be read. */
  unreadLookups: readonly UnreadLookups[]
  options: UsageOptions
}

/** Show what one reading returns. */
export interface ShowRequest extends CommonRequest {
  kind: 'show'
  format: FormatOf<'usage'>
}

/** Read repeatedly and show each reading. */
export interface WatchRequest extends CommonRequest {
  kind: 'watch'
  format: FormatOf<'watch'>
  intervalMs: number
}

/** Check an expectation with one reading, or with several over a duration. */
export interface GateRequest extends CommonRequest {
  kind: 'gate'
  format: FormatOf<'gate'>
  intervalMs: number
  expectation: Expectation
  /** How long to keep reading; 0 for one reading. */
  durationMs: number
}

/** The task of a run of `feature usage`. */
export type UsageRequest = ShowRequest | WatchRequest | GateRequest

/**
 * Turns the command line of `feature usage` into a request.
 * @throws a usage error for options that cannot be combined, and when there are no names
 */
export async function usageRequest(
  context: Context,
  given: readonly string[],
  options: UsageOptions,
): Promise<UsageRequest> {
  refuseWithoutNeeded(options)
  refuseWithoutDuration(options)
  if (options.groupBy === 'project') refuseWithProjectTotals(options, context.options.output)
  const { expect: expectation } = options
  const intervalMs = options.interval ?? duration('--interval', DEFAULT_INTERVAL)
  const readsAll = selectsProjects(options) && !hasNames(given, options)
  // A function, so that the format is checked before names are read from stdin or files.
  const read = async () => {
    const found = readsAll ? undefined : await usageNames(context, given, options)
    const { names, unreadLookups = [] } = found ?? {}
    return { names, unreadLookups, options }
  }
  if (expectation !== undefined) {
    const format = context.format(formats.gate)
    const durationMs = options.for ?? 0
    return { kind: 'gate', format, intervalMs, expectation, durationMs, ...(await read()) }
  }
  if (options.watch) {
    return { kind: 'watch', format: watchFormat(context), intervalMs, ...(await read()) }
  }
  const format = context.format(formats.usage)
  refuseOptionsOf(format, options)
  return { kind: 'show', format, ...(await read()) }
}

function watchFormat(context: Context): FormatOf<'watch'> {
  const { stdout, options } = context
  if (stdout.movesCursor) return context.format(formats.watch)
  if (options.output === undefined && !options.json) return 'jsonl'
  const format = context.format(formats.watch)
  if (format === 'jsonl') return format
  throw new FlagadmError('usage', 'table output with --watch requires a terminal', {
    hint: 'use -o jsonl',
  })
}

/** Refuses to judge by one reading that a flag is unused, because at the start of an hour every flag is. */
function refuseWithoutDuration({ expect, since, for: durationMs }: UsageOptions): void {
  if (expect !== 'unused' || since !== undefined || durationMs !== undefined) return
  throw new FlagadmError('usage', '--expect unused requires --since or --for', {
    hint: 'use --expect unused --since 48h or, if the service has no hourly usage, --expect unused --for 65m',
  })
}

/** Refuses options that require another one, which commander cannot declare. */
function refuseWithoutNeeded(options: UsageOptions): void {
  const { expect, watch } = options
  const byProject = options.groupBy === 'project' ? true : undefined
  const projects = selectsProjects(options) ? true : undefined
  const needs = [
    ['--for', options.for, '--expect', expect],
    ['--fail-fast', options.failFast, '--expect', expect],
    ['--allow-unseen', options.allowUnseen, '--expect', expect],
    ['--allow-unknown-filter', options.allowUnknownFilter, '--expect', expect],
    ['--interval', options.interval, '--watch or --expect', watch ?? expect],
    ['--count', options.count, '--watch', watch],
    ['--by', options.by, '--since', options.since],
    ['--group-by project', byProject, '--project or --all-projects', projects],
  ] as const
  for (const [option, value, needed, other] of needs) {
    if (value === undefined || other !== undefined) continue
    throw new FlagadmError('usage', `${option} requires ${needed}`, {
      hint: `add ${needed} or leave out ${option}`,
    })
  }
}

/** Refuses what needs rows together with totals of projects. */
function refuseWithProjectTotals(
  { watch, by, layout }: UsageOptions,
  output: string | undefined,
): void {
  const given = [
    watch && '--watch',
    by && '--by',
    layout && '--layout',
    output === 'openmetrics' && '-o openmetrics',
  ]
  const option = given.find(Boolean)
  if (!option) return
  throw new FlagadmError('usage', `--group-by project cannot be combined with ${option}`, {
    hint: `leave out ${option}, or use another --group-by`,
  })
}

/** Refuses options without effect on a format; the format is a global option, so commander cannot declare that either. */
function refuseOptionsOf(format: FormatOf<'usage'>, options: UsageOptions): void {
  const { layout, app, environment, groupBy, by, sort, reverse, limit, used, unused } = options
  if (format !== 'table' && layout !== undefined) {
    throw new FlagadmError('usage', `${format} output cannot be combined with --layout`, {
      hint: 'use -o table, or leave out --layout',
    })
  }
  if (format === 'json') {
    refuseWithJson({ app, environment, groupBy, by, sort, reverse, limit, used, unused })
  }
}
