import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../cli/context.ts'
import { throwFailures, type Results, unread } from '../requests/each.ts'
import { refuseUsage } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import { choice, collect, count, refuseWithJson, spanOption, withExamples } from '../cli/options.ts'
import { filled, type RowField } from '../output/fields.ts'
import { incompleteLines, listed, type Incomplete } from '../output/incomplete.ts'
import { groupDigits, percent } from '../output/numbers.ts'
import { printRows } from '../output/rows.ts'
import { isoText, timeText } from '../output/time.ts'
import { connect } from '../profile/connection.ts'
import {
  projectOption,
  requireProjects,
  selectsProjects,
  singleProject,
} from '../project/projects.ts'
import type { ProjectOptions } from '../project/projects.ts'
import type { Connection } from '../service/connection.ts'
import { arrange, bucketSizes, groupings, readUsages, sortKeys } from './figures.ts'
import type { Figures, FlagUsage, UsageRequest, UsageRow } from './figures.ts'
import { environmentsOf, namesAsGiven, selectFlags, unknownFilters } from './flags.ts'
import type { Selection } from './flags.ts'
import { printMetrics } from './openmetrics.ts'
import { latest, type Counts } from './records.ts'
import { hourOf, spanOf, spanText, warnOfClock } from './span.ts'

const formats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics'] as const
type Format = (typeof formats)[number]

interface UsageOptions extends UsageRequest, ProjectOptions {
  since?: TimeSpan | undefined
  watch?: true | undefined
  interval?: number | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(format: Format, options: UsageOptions): void {
  const { by, since, unused, groupBy, watch, interval } = options
  if (unused && (groupBy === 'application' || groupBy === 'environment')) {
    refuseUsage(`--unused cannot be combined with --group-by ${groupBy}`, 'use --group-by flag')
  }
  if (by && since === undefined) refuseUsage('--by requires --since', 'add --since 48h')
  if (interval !== undefined && !watch) refuseUsage('--interval requires --watch', 'add --watch')
  if (watch && format !== 'table' && format !== 'jsonl') {
    refuseUsage(`--watch has no ${format} output`, 'use -o jsonl')
  }
}

/** The usage of flags, and what was to be read. */
type Reading = Results<FlagUsage> & { connection: Connection; selection: Selection }

/**
 * Prints the documents of the service, each as soon as it is read: those of many flags would not fit into memory.
 * Several ones are on one line each; those with hourly usage, which have no name, get one.
 */
async function printDocuments(
  { out }: Context,
  connection: Connection,
  selection: Selection,
  options: UsageOptions,
  isSeveral: boolean,
): Promise<Results<FlagUsage>> {
  const results: FlagUsage[] = []
  const print = ({ json, ...usage }: FlagUsage) => {
    // JSON has raw line breaks only between tokens.
    const line = isSeveral ? json.trim().replace(/[\r\n]\s*/g, '') : json
    const { flag } = usage
    const project = selection.flags.get(flag)?.projectId ?? null
    const names = JSON.stringify(selectsProjects(options) ? { project, flag } : { flag })
    out.jsonText(isSeveral && options.span ? `${names.slice(0, -1)},"usage":${line}}` : line)
    results.push({ ...usage, json: '' })
  }
  const request = { span: options.span, wantsJson: true }
  return { ...(await readUsages(connection, selection, request, print)), results }
}

/** Why the figures may be wrong, with the names of the flags unless it is all of them. */
function gapsOf(results: readonly FlagUsage[]): Incomplete[] {
  const doubts = results.flatMap(({ flag, doubts }) => doubts.map((message) => ({ flag, message })))
  const groups = [...groupBy(doubts, ({ message }) => message)]
  return groups.map(([message, own]) => {
    return { message, names: own.length < results.length ? own.map(({ flag }) => flag) : [] }
  })
}

/** The line below a table with the applications without a row. */
function linesBelow(usages: readonly FlagUsage[], view: UsageOptions): string[] {
  const seen = usages
    .filter((one) => one.others.length > 0 && (one.isUsed ? !view.unused : !view.used))
    .map(({ flag, others }) => (usages.length === 1 ? '' : `${flag}: `) + listed(others))
  if (seen.length === 0) return []
  return [`Applications seen in the last 24 hours, without a row: ${seen.join('; ')}`]
}

// `--group-by variant` has all of them.
const MAX_VARIANTS = 3

/** `blue 30, red 60 and 2 more`; empty for a row of one variant. */
function variantsText(row: UsageRow): string {
  if (row.variant !== undefined) return ''
  const texts = row.variants.map(({ name, count }) => `${name} ${groupDigits(count)}`)
  return listed(texts, MAX_VARIANTS)
}

/**
 * The fields of rows: those with a name for CSV and JSON Lines, those with a title for tables, as far as they have values.
 * @param isSingle whether there is one flag, which is in the heading
 * @param hasTotal whether nothing is missing, so that tables have a total
 */
function fieldsOf(
  { rows, total, share: all }: Figures,
  { span, by, ...options }: UsageOptions,
  { from, isSingle, hasTotal }: { from: number | undefined; isSingle: boolean; hasTotal: boolean },
): RowField<UsageRow>[] {
  const hasNames = rows.some((row) => row.variant ?? row.application ?? row.environment)
  const isByVariant = rows.some(({ variant }) => variant !== undefined)
  const sum = ({ enabled, disabled }: Counts) => enabled + disabled
  const project = selectsProjects(options) ? 'project' : undefined
  const day = ({ bucket }: UsageRow) => isoText(bucket)?.slice(0, 10)
  const hour = ({ bucket = 0 }: UsageRow) => timeText(bucket)
  const part = (share: number | undefined) => (share === undefined ? undefined : percent(share))
  const fields: RowField<UsageRow>[] = [
    {
      name: 'flag',
      title: isSingle && hasNames ? undefined : 'Flag',
      value: ({ flag }) => flag,
      kind: 'name',
    },
    {
      name: project,
      title: singleProject(options) ? undefined : 'Project',
      value: (row) => row.project,
      kind: 'name',
      isOptional: true,
    },
    { title: 'Variant', value: ({ variant }) => variant, kind: 'name' },
    { name: 'application', title: 'Application', value: (row) => row.application, kind: 'name' },
    { name: 'environment', title: 'Environment', value: (row) => row.environment, kind: 'name' },
    {
      name: 'timestamp',
      title: by && (by === 'day' ? 'Day' : 'Hour'),
      // Without --by, a row of the span adds up several hours, which have no common time.
      value: ({ bucket, time }) => isoText(bucket ?? (span ? undefined : time)),
      cell: by === 'day' ? day : hour,
    },
    {
      name: 'enabled',
      title: isByVariant ? 'Selected' : 'Enabled',
      kind: 'number',
      value: ({ enabled }) => enabled,
      total: total.enabled,
    },
    {
      name: 'disabled',
      title: isByVariant ? undefined : 'Disabled',
      kind: 'number',
      value: ({ disabled }) => disabled,
      total: total.disabled,
      isOptional: true,
    },
    {
      title: isByVariant ? undefined : 'Total',
      value: sum,
      kind: 'number',
      total: sum(total),
    },
    {
      title: 'Share',
      value: ({ share }) => part(share),
      kind: 'number',
      total: part(all),
      isOptional: !isByVariant,
    },
    {
      name: 'variants',
      title: rows.some(variantsText) ? 'Variants' : undefined,
      value: ({ variants }) => Object.fromEntries(variants.map((one) => [one.name, one.count])),
      cell: variantsText,
      kind: 'name',
      isOptional: true,
    },
    {
      name: span && 'lastUsed',
      title: span && !by ? 'Last used' : undefined,
      value: ({ time }) => isoText(time),
      kind: 'time',
    },
    { name: span && 'from', value: () => isoText(from) },
    { name: span && 'to', value: () => isoText(span?.now) },
  ]
  const shown = filled(fields, rows)
  const first = shown.find(({ title }) => title !== undefined)
  return shown.map((one) => {
    return { ...one, total: hasTotal ? (one === first ? 'Total' : one.total) : undefined }
  })
}

function printFigures(
  { out, options: { verbose } }: Context,
  format: Exclude<Format, 'json'>,
  reading: Reading,
  options: UsageOptions,
): void {
  const { connection, selection, results, failures } = reading
  const { names } = selection
  const { span } = options
  const figures = arrange(results, options)
  const from = latest(results.map((usage) => usage.from))
  const now = span?.now ?? connection.clock.now()
  const when = span ? spanText(span, from) : `in the clock hour from ${timeText(hourOf(now))}`
  if (format === 'openmetrics') {
    const application = results.filter(({ isCut }) => isCut).length
    const gaps = { flag: failures.size, project: selection.failures.size, application }
    const prefix = span ? 'feature_flag' : 'feature_flag_last_hour'
    printMetrics(figures.rows, prefix, when, gaps, out)
    return
  }
  const unreadFlags = unread({ failures, requested: names.length }, 'flag')
  const missing = [...selection.incomplete, ...unreadFlags]
  const single = names.length === 1 ? names[0] : undefined
  const readAt = { name: 'readAt', value: () => isoText(now), kind: 'time' as const }
  const facts = { from, isSingle: single !== undefined, hasTotal: missing.length === 0 }
  const fields = fieldsOf(figures, options, facts)
  const report = {
    rows: figures.rows,
    cut: figures.cut,
    now: verbose ? undefined : now,
    incomplete: [...missing, ...gapsOf(results)],
    fields: options.watch ? [readAt, ...fields] : fields,
    caption: `Usage${single === undefined ? '' : ` of ${single}`} on ${connection.target}, ${when}`,
    marker: 'feature usage',
    nothing: options.used ? 'No flags in use.' : options.unused ? 'No unused flags.' : 'No usage.',
    below: linesBelow(results, options),
  }
  printRows(format, report, out)
}

/** Warns of filters that match nothing. */
function warnOfFilters({ messages }: Context, reading: Reading, filter: UsageOptions): void {
  const { results, selection } = reading
  const applications = results.flatMap((usage) => usage.applications)
  const used = results.flatMap((usage) => usage.environments)
  const environments = [...used, ...environmentsOf([...selection.flags.values()])]
  for (const warning of unknownFilters(filter, applications, environments)) messages.warn(warning)
}

const pause = (text: string) => timeSpan('--interval', text, false).milliseconds

// Moves to the top left and clears the screen.
const CLEAR = '\u001b[H\u001b[2J\u001b[3J'

/**
 * Reads usage again and again: redraws a table on a terminal, elsewhere appends JSON Lines.
 * @throws the failures of a reading that the next one would have as well (401, 403)
 */
async function watchUsage(
  context: Context,
  connection: Connection,
  selection: Selection,
  options: UsageOptions,
): Promise<void> {
  const { host, out, signal } = context
  const isTerminal = out.width !== undefined
  for (let isFirst = true; !out.isClosed; isFirst = false) {
    const read = await readUsages(connection, selection, options)
    if (isTerminal) out.raw(CLEAR)
    const reading = { ...read, connection, selection }
    printFigures(context, isTerminal ? 'table' : 'jsonl', reading, options)
    // A terminal is cleared each time.
    if (isFirst || isTerminal) warnOfFilters(context, reading, options)
    if ([...read.failures.values()].some(({ exitCode }) => exitCode === 4 || exitCode === 5)) {
      return throwFailures(context, selection, { ...read, requested: selection.names.length })
    }
    await host.clock.sleep(options.interval ?? 10_000, signal)
  }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  return withExamples(command, [
    'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
    'flagadm feature usage checkout-coupon-banner --since 2d --by day -p sandbox',
    'flagadm feature usage --project checkout --since 48h --unused -p sandbox',
    "flagadm feature usage dark-mode --environment 'prod*' --sort total -p sandbox",
    'flagadm feature usage dark-mode --since 24h --group-by environment -p sandbox',
  ])
    .argument('[name...]', "names of flags; with a project, '*' matches any text")
    .optionsGroup('Names:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .optionsGroup('Time:')
    .addOption(spanOption('--since <duration>', 'hourly usage over a span such as 24h or 2d'))
    .addOption(choice('--by <size>', 'with --since: a row for each hour or day', bucketSizes))
    .optionsGroup('Filters:')
    .option('--app <name>', "only this application; '*' matches any text", collect)
    .option('-e, --environment <name>', "only this environment; '*' matches any text", collect)
    .addOption(new Option('--used', 'only flags in use').conflicts('unused'))
    .option('--unused', 'only unused flags')
    .optionsGroup('View:')
    .addOption(choice('--group-by <part>', 'add up the counts of each of these', groupings))
    .addOption(choice('--sort <key>', 'what to sort by', sortKeys))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows', count('--limit'))
    .optionsGroup('Watch:')
    .addOption(
      new Option('--watch', 'keep reading; in a pipe, print JSON Lines').conflicts('since'),
    )
    .option('--interval <duration>', 'pause between readings (default: 10s)', pause)
    .action(async (given, options, self) => {
      const chosen = format()
      checkOptions(chosen, options)
      refuseWithJson(chosen, self, ['project', 'allProjects', 'namesFrom', 'since'])
      const names = await givenNames(context, given, options.namesFrom)
      if (names.length === 0) requireProjects(options, 'names or projects')
      const connection = await connect(context)
      const selection = selectsProjects(options)
        ? await selectFlags(context, connection, names, options)
        : namesAsGiven(names)
      if (options.watch) return watchUsage(context, connection, selection, options)
      const span = options.since && spanOf(options.since, await connection.clock.read())
      const isJson = chosen === 'json'
      const request = { ...options, span }
      const isSeveral = names.length !== 1 || names.some((name) => name.includes('*'))
      const read = isJson
        ? await printDocuments(context, connection, selection, request, isSeveral)
        : await readUsages(connection, selection, request)
      const requested = selection.names.length
      if (span) warnOfClock(context.messages, connection.clock)
      const hasPlace = ['table', 'markdown', 'jsonl'].includes(chosen)
      const gaps = hasPlace ? [] : gapsOf(read.results)
      if (!isJson && (read.results.length > 0 || requested === 0)) {
        printFigures(context, chosen, { ...read, connection, selection }, request)
      }
      for (const line of incompleteLines(gaps)) context.messages.warn(line)
      warnOfFilters(context, { ...read, connection, selection }, options)
      throwFailures(context, selection, { ...read, requested })
    })
}
