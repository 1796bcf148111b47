import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../cli/context.ts'
import { throwFailures, type Results, unread } from '../requests/each.ts'
import { type ErrorKind, refuseUsage } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import { choice, collect, count, refuseWithJson, spanOption, withExamples } from '../cli/options.ts'
import { field, filled, type RowField } from '../output/fields.ts'
import { factsOf, printsRows, rowFormats } from '../output/formats.ts'
import { listed, type Incomplete } from '../output/incomplete.ts'
import { groupDigits, percent } from '../output/numbers.ts'
import { openRows, printRows, warnOf } from '../output/print.ts'
import { createIsoText, isoText, timeText } from '../output/time.ts'
import { connect } from '../profile/connect.ts'
import {
  projectOption,
  type ProjectOptions,
  requireProjects,
  selectsProjects,
  singleProject,
} from '../project/projects.ts'
import type { Connection } from '../service/connection.ts'
import {
  arrange,
  bucketSizes,
  type Figures,
  type FlagUsage,
  groupings,
  readUsages,
  sortKeys,
  type UsageRow,
  type UsageView,
} from './figures.ts'
import type { UsageFilter } from './figure-doubts.ts'
import {
  environmentsOf,
  namesAsGiven,
  selectFlags,
  type Selection,
  unknownFilters,
} from './flags.ts'
import { printMetrics } from './openmetrics.ts'
import { latest, type Counts } from './records.ts'
import { warnOfClock } from './clocks.ts'
import { hourOf, type Span, spanOf, spanText } from './span.ts'

// All but `names`, which would leave out the usage.
const formats = [
  ...rowFormats.filter((format) => factsOf(format).rowsAs !== 'name'),
  'openmetrics' as const,
]
type Format = (typeof formats)[number]

interface UsageOptions extends UsageView, UsageFilter, ProjectOptions {
  since?: TimeSpan | undefined
  watch?: true | undefined
  interval?: number | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(format: Format, options: UsageOptions): void {
  const { by, since, unused, groupBy: grouping, watch, interval } = options
  if (unused && (grouping === 'application' || grouping === 'environment')) {
    refuseUsage(`--unused cannot be combined with --group-by ${grouping}`, 'use --group-by flag')
  }
  if (by && since === undefined) refuseUsage('--by requires --since', 'add --since 48h')
  if (interval !== undefined && !watch) refuseUsage('--interval requires --watch', 'add --watch')
  if (watch && !factsOf(format).repeats) {
    refuseUsage(`--watch has no ${format} output`, 'use -o jsonl')
  }
}

/** What to read: flags of a service in a span or, without one, in the current clock hour. */
interface Subject {
  connection: Connection
  selection: Selection
  span: Span | undefined
}

/** The usage of flags, what could not be read, and what was to be read. */
type Reading = Subject & Results<FlagUsage>

/**
 * Prints the documents of the service, each as soon as it is read: those of many flags would not fit into memory.
 * Several ones are on one line each; those with hourly usage, which have no name, get one.
 */
async function printDocuments(
  { out }: Context,
  { connection, selection, span }: Subject,
  options: UsageOptions,
  isSeveral: boolean,
): Promise<Results<FlagUsage>> {
  const results: FlagUsage[] = []
  const namedDocument = (flag: string, json: string) => {
    const project = selection.flags.get(flag)?.projectId ?? null
    const names = selectsProjects(options) ? { project, flag } : { flag }
    const fields = Object.entries(names).map(
      ([name, value]) => `"${name}":${JSON.stringify(value)}`,
    )
    return `{${fields.join(',')},"usage":${json}}`
  }
  const print = (usage: FlagUsage) => {
    const { flag, json = '' } = usage
    // JSON has raw line breaks only between tokens.
    const line = isSeveral ? json.trim().replace(/[\r\n]\s*/g, '') : json
    out.jsonText(isSeveral && span ? namedDocument(flag, line) : line)
    results.push({ ...usage, json: undefined })
  }
  const request = { span, wantsJson: true }
  return { ...(await readUsages(connection, selection, request, print)), results }
}

/** What is missing from the figures of flags, and why they may be wrong. */
function incompleteOf({ selection, results, failures }: Reading): Incomplete[] {
  const unreadFlags = unread({ failures, requested: selection.names.length }, 'flag')
  return [...selection.incomplete, ...unreadFlags, ...gapsOf(results)]
}

/**
 * Prints the rows of each hour or day as soon as those of a flag are read, in a format that does not need all of them:
 * those of many flags would not fit into memory.
 * @returns undefined if the rows must be known at once
 */
async function streamRows(
  context: Context,
  format: Format,
  subject: Subject,
  options: UsageOptions,
): Promise<Results<FlagUsage> | undefined> {
  const { connection, selection, span } = subject
  const { by, groupBy: grouping, sort, reverse, limit } = options
  const isAcross = grouping === 'application' || grouping === 'environment'
  if (!by || isAcross || sort || reverse || limit !== undefined) return undefined
  if (!printsRows(format)) return undefined
  const starts = new Map<string | undefined, number | undefined>()
  const fromOf = ({ flag }: UsageRow) => starts.get(flag)
  const facts = { span, fromOf, isSingle: false, hasTotal: false }
  // Formats of rows that are printed one by one use the names of fields: without rows, none has a title.
  const fields = usageFields(arrange([], options), options, facts)
  const printer = await openRows(format, fields, context)
  if (!printer) return undefined
  const results: FlagUsage[] = []
  const print = (usage: FlagUsage) => {
    starts.set(usage.flag, usage.from)
    printer.add(arrange([usage], options).rows)
    results.push({ ...usage, rows: [] })
  }
  const read = await readUsages(connection, selection, { ...options, span }, print)
  const reading = { ...subject, ...read, results }
  if (results.length > 0 || selection.names.length === 0) printer.end(incompleteOf(reading))
  return reading
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
function seenWithoutRow(usages: readonly FlagUsage[], view: UsageOptions): string[] {
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

/** How often each variant was selected, by name. */
function variantCounts({ variants }: UsageRow): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { name, count } of variants) {
    // An assignment would set the prototype.
    if (name === '__proto__')
      Object.defineProperty(counts, name, { value: count, enumerable: true })
    else counts[name] = count
  }
  return counts
}

/** What determines the fields of rows besides the figures. */
interface FieldFacts {
  span: Span | undefined
  /** Returns the start of the first hour that the figures of a row cover. */
  fromOf: (row: UsageRow) => number | undefined
  /** Whether there is one flag, which is in the heading. */
  isSingle: boolean
  /** Whether nothing is missing, so that tables have a total. */
  hasTotal: boolean
}

/** `Total` in the first column, and the sums in others; nothing without a total. */
function withTotals(fields: readonly RowField<UsageRow>[], hasTotal: boolean) {
  const first = fields.find(({ title }) => title !== undefined)
  return fields.map((one) => {
    const total = one === first ? 'Total' : one.total
    return { ...one, total: hasTotal ? total : undefined }
  })
}

/** The fields of rows, as far as they have values. */
function usageFields(
  { rows, total, share: totalShare }: Figures,
  { by, ...options }: UsageOptions,
  { span, fromOf, isSingle, hasTotal }: FieldFacts,
): RowField<UsageRow>[] {
  const hasNames = rows.some((row) => row.variant ?? row.application ?? row.environment)
  const isByVariant = rows.some(({ variant }) => variant !== undefined)
  const sum = ({ enabled, disabled }: Counts) => enabled + disabled
  const project = selectsProjects(options) ? 'project' : undefined
  const projectTitle = singleProject(options) ? undefined : 'Project'
  const isoText = createIsoText()
  const day = ({ bucket }: UsageRow) => isoText(bucket)?.slice(0, 10)
  const hour = ({ bucket = 0 }: UsageRow) => timeText(bucket)
  // Without --by, a row of the span adds up several hours, which have no common time.
  const timestamp = ({ bucket, time }: UsageRow) => isoText(bucket ?? (span ? undefined : time))
  const part = (share: number | undefined) => (share === undefined ? undefined : percent(share))
  const fields: RowField<UsageRow>[] = [
    field.name('flag', isSingle && hasNames ? undefined : 'Flag', ({ flag }) => flag),
    field.name(project, projectTitle, (row) => row.project, {
      isOptional: true,
    }),
    field.name(undefined, 'Variant', ({ variant }) => variant),
    field.name('application', 'Application', ({ application }) => application),
    field.name('environment', 'Environment', ({ environment }) => environment),
    field.word('timestamp', by && (by === 'day' ? 'Day' : 'Hour'), timestamp, {
      cell: by === 'day' ? day : hour,
    }),
    field.number('enabled', isByVariant ? 'Selected' : 'Enabled', ({ enabled }) => enabled, {
      total: total.enabled,
    }),
    field.number('disabled', isByVariant ? undefined : 'Disabled', ({ disabled }) => disabled, {
      total: total.disabled,
      isOptional: true,
    }),
    field.number(undefined, isByVariant ? undefined : 'Total', sum, {
      total: sum(total),
    }),
    field.number(undefined, 'Share', ({ share }) => part(share), {
      total: part(totalShare),
      isOptional: !isByVariant,
    }),
    field.name('variants', rows.some(variantsText) ? 'Variants' : undefined, variantCounts, {
      cell: variantsText,
      isOptional: true,
    }),
    field.time(span && 'lastUsed', span && !by ? 'Last used' : undefined, ({ time }) =>
      isoText(time),
    ),
    field.data(span && 'from', (row) => isoText(fromOf(row))),
    field.data(span && 'to', () => isoText(span?.now)),
  ]
  return withTotals(filled(fields, rows), hasTotal)
}

/** The line instead of an empty table. */
function nothingText({ used, unused }: UsageView): string {
  if (used) return 'No flags in use.'
  return unused ? 'No unused flags.' : 'No usage.'
}

async function printFigures(
  context: Context,
  format: Format,
  reading: Reading,
  options: UsageOptions,
): Promise<void> {
  const { connection, selection, span, results, failures } = reading
  const { names } = selection
  const figures = arrange(results, options)
  const from = latest(results.map((usage) => usage.from))
  const now = span?.now ?? connection.clock.now()
  const when = span ? spanText(span, from) : `in the clock hour from ${timeText(hourOf(now))}`
  if (format === 'openmetrics') {
    const application = results.filter((usage) => usage.hasMoreApplications).length
    const gaps = { flag: failures.size, project: selection.failures.size, application }
    const prefix = span ? 'feature_flag' : 'feature_flag_last_hour'
    printMetrics(figures.rows, prefix, when, gaps, context.out)
    return warnOf(gapsOf(results), context)
  }
  const hasAll = failures.size === 0 && selection.incomplete.length === 0
  const single = names.length === 1 ? names[0] : undefined
  const readAt = field.data<UsageRow>('readAt', () => isoText(now))
  const facts = { span, fromOf: () => from, isSingle: single !== undefined, hasTotal: hasAll }
  const fields = usageFields(figures, options, facts)
  const report = {
    rows: figures.rows,
    beyondLimit: figures.beyondLimit,
    now: context.options.verbose ? undefined : now,
    incomplete: incompleteOf(reading),
    fields: options.watch ? [readAt, ...fields] : fields,
    caption: `Usage${single === undefined ? '' : ` of ${single}`} on ${connection.target}, ${when}`,
    marker: 'feature usage',
    nothing: nothingText(options),
    below: seenWithoutRow(results, options),
  }
  await printRows(format, report, context)
}

/** Warns of filters that match nothing. */
function warnOfFilters({ messages }: Context, reading: Reading, filter: UsageOptions): void {
  const { results, selection } = reading
  const applications = results.flatMap((usage) => usage.applications)
  const used = results.flatMap((usage) => usage.environments)
  const environments = [...used, ...environmentsOf([...selection.flags.values()])]
  for (const warning of unknownFilters(filter, applications, environments)) messages.warn(warning)
}

const parseInterval = (text: string) => timeSpan('--interval', text, false).milliseconds

// Moves to the top left and clears the screen.
const CLEAR = '\u001b[H\u001b[2J\u001b[3J'

/** Failures that the next reading would have as well. */
const lasting: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'forbidden'])

/**
 * Reads usage again and again, and prints it in the format that was asked for: a table replaces the last one on a
 * terminal; everything else is printed below.
 * @throws the failures of a reading that the next one would have as well
 */
async function watchUsage(
  context: Context,
  chosen: Format,
  subject: Subject,
  options: UsageOptions,
): Promise<void> {
  const { connection, selection } = subject
  const { host, out, messages, closing } = context
  const { output, json } = context.options
  // Without a screen to draw a table on, and unless one is asked for, readings are appended as data.
  const isAppended = output === undefined && !json && out.width === undefined
  const format = isAppended ? 'jsonl' : chosen
  const isInPlace = factsOf(format).repeats === 'in place' && out.width !== undefined
  for (let isFirst = true; !out.isClosed; isFirst = false) {
    const read = await readUsages(connection, selection, options)
    if (isInPlace) out.raw(CLEAR)
    else if (!isFirst && factsOf(format).reader === 'people') out.line('')
    const reading = { ...subject, ...read }
    await printFigures(context, format, reading, options)
    // A warning is lost when the screen is cleared.
    if (isFirst || isInPlace) warnOfFilters(context, reading, options)
    const failures = [...read.failures.values()]
    if (failures.some(({ kind }) => lasting.has(kind))) {
      return throwFailures(context, selection, { ...read, requested: selection.names.length })
    }
    // A single flag that cannot be read leaves nothing else to look at.
    if (selection.names.length === 1) for (const failure of failures) messages.fail(failure)
    await host.clock.sleep(options.interval ?? 10_000, closing)
  }
}

/** Reads usage once, and prints it as it is read if the format allows that. */
async function printUsage(
  context: Context,
  format: Format,
  subject: Subject,
  options: UsageOptions,
  isSeveral: boolean,
): Promise<void> {
  const { connection, selection, span } = subject
  const isJson = format === 'json'
  const streamed = isJson
    ? await printDocuments(context, subject, options, isSeveral)
    : await streamRows(context, format, subject, options)
  const read = streamed ?? (await readUsages(connection, selection, { ...options, span }))
  const reading = { ...subject, ...read }
  const requested = selection.names.length
  if (span) warnOfClock(context.messages, connection.clock)
  if (isJson) warnOf(gapsOf(read.results), context)
  else if (!streamed && (read.results.length > 0 || requested === 0)) {
    await printFigures(context, format, reading, options)
  }
  warnOfFilters(context, reading, options)
  throwFailures(context, selection, { ...read, requested })
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
      new Option(
        '--watch',
        'keep reading; in a pipe, print JSON Lines unless -o is given',
      ).conflicts('since'),
    )
    .option('--interval <duration>', 'pause between readings (default: 10s)', parseInterval)
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
      const { since, watch } = options
      const span = since && spanOf(since, await connection.clock.read())
      const subject = { connection, selection, span }
      if (watch) return watchUsage(context, chosen, subject, options)
      const isSeveral = names.length !== 1 || names.some((name) => name.includes('*'))
      await printUsage(context, chosen, subject, options, isSeveral)
    })
}
