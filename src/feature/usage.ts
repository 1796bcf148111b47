import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import { timeSpan } from '../input/values.ts'
import { choice, collect, count, withExamples } from '../options.ts'
import { type Incomplete, incompleteLines, listed } from '../output/incomplete.ts'
import { printRows } from '../output/rows.ts'
import { connect } from '../profile/connection.ts'
import {
  type Failures,
  type ProjectOptions,
  projectOption,
  singleProject,
  throwFailures,
  unread,
} from '../project/reading.ts'
import type { Connection } from '../service/connection.ts'
import { objectFields, type RowFacts, tableFields } from './columns.ts'
import { CUT_MESSAGE, type UsageFilter } from './evidence.ts'
import { arrange, bucketSizes, groupings, sortKeys, type UsageView } from './figures.ts'
import { environmentsOf, unknownValues } from './flags.ts'
import { type FlagUsage, readInSpan, readUsages } from './hours.ts'
import { usageMetrics } from './openmetrics.ts'
import { latest } from './records.ts'
import {
  readAsking,
  refusePatterns,
  type Selection,
  selectFlags,
  unlistedSelection,
} from './selection.ts'
import {
  durationText,
  HOUR_MS,
  type Span,
  spanOf,
  spanText,
  timeText,
  warnOfClock,
} from './span.ts'
import { watchUsage } from './watch.ts'

const formats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics'] as const

/** The options that select and arrange usage. Times are in milliseconds. */
interface UsageOptions extends UsageView, UsageFilter, ProjectOptions {
  since?: number | undefined
}

/** The failures of flags, and the names that are none. */
function withAbsences(failures: Failures, { absences }: Selection): Failures {
  const absent = Array.from(absences, ([featureName, { reason }]) => {
    return [featureName, new FlagadmError('notFound', reason, { featureName })] as const
  })
  return new Map([...failures, ...absent])
}

/**
 * Finds names without any record that no flag has: the hourly usage of such a name is empty.
 * @returns the selection with them as absent
 */
async function withoutUnknown(
  { service }: Connection,
  selection: Selection,
  usages: readonly FlagUsage[],
): Promise<Selection> {
  const empty = usages.filter(({ isEmpty }) => isEmpty).map(({ flag }) => flag)
  if (selection.hasLists || empty.length === 0) return selection
  const asking = await readAsking(service)
  const unknown = empty.filter((name) => asking.has(name))
  const absences = unknown.map((name) => {
    const by = asking.get(name)?.length ? ` (${listed(asking.get(name) ?? [])})` : ''
    return [name, { kind: 'not a flag', reason: `not a flag; SDKs ask for it${by}` }] as const
  })
  return { ...selection, absences: new Map(absences) }
}

/** Warns about what the figures lack, a message for each reason, and about filters that match nothing. */
function warnAbout(
  { messages }: Context,
  usages: readonly FlagUsage[],
  { flags }: Selection,
  { app, environment }: UsageOptions,
): void {
  const doubts = usages.flatMap(({ flag, doubts: all }) => all.map((doubt) => ({ flag, doubt })))
  for (const [doubt, group] of groupBy(doubts, (one) => one.doubt)) {
    const names = group.map(({ flag }) => flag)
    const subject = names.length > 1 ? `${names.length} flags (${listed(names)})` : names[0]
    messages.warn(`${subject}: ${doubt}`)
  }
  const applications = usages.flatMap((usage) => usage.applications)
  const environments = usages.flatMap((usage) => usage.environments)
  const unknown = [
    ...unknownValues('application', app, applications),
    ...unknownValues('environment', environment, [
      ...environments,
      ...environmentsOf([...flags.values()]),
    ]),
  ]
  for (const warning of unknown) messages.warn(warning)
  const isHidden = usages.some((usage) => usage.isHidden)
  const isNone = usages.every(({ isUsed }) => !isUsed)
  if (isHidden && isNone && unknown.length === 0) messages.warn('no usage matches the filters')
}

/** When figures were counted: `since 2026-11-18 17:00 UTC (47h 10m of 48h)`. */
function whenText(
  usages: readonly FlagUsage[],
  span: Span | undefined,
  from: number | undefined,
): string {
  if (!span) {
    const time = latest(usages.map(({ lastTime }) => lastTime))
    if (time === undefined) return 'in the current clock hour'
    return `in the clock hour from ${timeText(time - (time % HOUR_MS))}`
  }
  return spanText(span, from)
}

/** What the figures lack: hours, and applications beyond the limit of the service. */
function gapsOf(usages: readonly FlagUsage[], span: Span | undefined): Incomplete[] {
  if (!span) return []
  const short = usages.filter(({ isWhole }) => !isWhole)
  const cut = usages.filter(({ isCut }) => isCut)
  const message = `the service covers less than the ${durationText(span.asked)} requested`
  const namesOf = (some: readonly FlagUsage[]) =>
    some.length === usages.length ? [] : some.map(({ flag }) => flag)
  return [
    ...(short.length > 0 ? [{ message, names: namesOf(short) }] : []),
    ...(cut.length > 0 ? [{ message: CUT_MESSAGE, names: namesOf(cut) }] : []),
  ]
}

/** The line with the applications that the service has seen, but that have no row. */
function seenLines(usages: readonly FlagUsage[]): string[] {
  const seen = usages
    .filter(({ others }) => others.length > 0)
    .map(({ flag, others }) => (usages.length === 1 ? '' : `${flag}: `) + listed(others))
  return seen.length > 0 ? [`Seen by the service, without a row: ${seen.join('; ')}`] : []
}

/** `12 flags: 9 in use, 3 unused` */
function countLines(usages: readonly FlagUsage[]): string[] {
  if (usages.length < 2) return []
  const used = usages.filter(({ isUsed }) => isUsed).length
  return [`${usages.length} flags: ${used} in use, ${usages.length - used} unused`]
}

function nothingText({ used, unused }: UsageView, isComplete: boolean): string {
  if (!used && !unused) return 'No usage to show.'
  const flag = isComplete ? 'No flag' : 'No flag that could be read'
  return used ? `${flag} is in use.` : `${flag} is unused.`
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(
  format: (typeof formats)[number],
  options: UsageOptions & { watch?: true; interval?: number },
): void {
  const { by, since, watch, interval } = options
  const refuse = (message: string, hint: string): never => {
    throw new FlagadmError('usage', message, { hint })
  }
  if (by && since === undefined) refuse('--by requires --since', 'add --since 48h')
  if (interval !== undefined && !watch) refuse('--interval requires --watch', 'add --watch')
  if (watch && since !== undefined) {
    refuse('--watch cannot be combined with --since', 'leave out one of them')
  }
  if (watch && format !== 'table' && format !== 'jsonl') {
    refuse(`--watch has no ${format} output`, 'use -o jsonl')
  }
  const { app, environment, groupBy: grouping, sort, reverse, limit, used, unused } = options
  const view = [app, environment, grouping, by, sort, reverse, limit, used, unused]
  if (format === 'json' && view.some((one) => one !== undefined)) {
    refuse("json is the service's own document", 'use -o jsonl to select, group or sort')
  }
}

/** The documents of the service; those of several flags with hourly usage, which have no name, get one. */
function printDocuments(
  { out }: Context,
  usages: readonly FlagUsage[],
  isSeveral: boolean,
  isHourly: boolean,
  projects: RowFacts['projects'],
): void {
  for (const { flag, project, json } of usages) {
    // JSON has raw line breaks only between tokens.
    const line = isSeveral ? json.trim().replace(/[\r\n]\s*/g, '') : json
    if (!isSeveral || !isHourly) out.jsonText(line)
    else {
      const names = projects === 'none' ? { flag } : { project: project ?? null, flag }
      out.jsonText(`${JSON.stringify(names).slice(0, -1)},"usage":${line}}`)
    }
  }
}

function projectsOf(options: ProjectOptions): RowFacts['projects'] {
  if (!options.project && !options.allProjects) return 'none'
  return singleProject(options) === undefined ? 'several' : 'one'
}

async function selectionOf(
  context: Context,
  connection: Connection,
  names: readonly string[],
  options: UsageOptions,
): Promise<Selection> {
  if (options.project || options.allProjects) {
    return selectFlags(context, connection, names, options)
  }
  refusePatterns(names)
  return unlistedSelection(names)
}

/** What was read, to print. */
interface Reading {
  connection: Connection
  selection: Selection
  usages: readonly FlagUsage[]
  failures: Failures
  span: Span | undefined
  /** The start of the first hour that all flags cover. */
  from: number | undefined
  projects: RowFacts['projects']
}

function printFigures(
  { out, messages }: Context,
  format: Exclude<(typeof formats)[number], 'json'>,
  { connection, selection, usages, failures, span, from, projects }: Reading,
  options: UsageOptions,
): void {
  const { names, absences } = selection
  if (usages.length === 0 && names.length > 0) return
  const figures = arrange(usages, options)
  const when = whenText(usages, span, from)
  const single = names.length === 1 ? names[0] : undefined
  const missing = [...selection.incomplete, ...unread(failures, names.length, 'flags')]
  const incomplete: Incomplete[] = [
    ...missing,
    ...(absences.size > 0 ? [{ message: 'not a flag', names: [...absences.keys()] }] : []),
    ...gapsOf(usages, span),
  ]
  const isHourly = span !== undefined
  const facts: RowFacts = {
    from,
    to: span?.now ?? 0,
    firstHour: span?.firstHour ?? 0,
    isHourly,
    projects,
    isSingle: single !== undefined,
    isNarrow: out.width !== undefined,
  }
  const report = {
    rows: figures.rows,
    cut: figures.cut,
    caption: `Usage${single === undefined ? '' : ` of ${single}`} on ${connection.target}, ${when}`,
    nothing: nothingText(options, missing.length === 0),
    below: [...countLines(usages), ...seenLines(usages)],
    incomplete,
  }
  if (format === 'openmetrics') {
    const application = usages.filter(({ isCut }) => isCut).length
    const gaps = { flag: failures.size, project: selection.failures.size, application }
    usageMetrics(figures.rows, isHourly, when, gaps, out)
  } else if (format === 'table' || format === 'markdown') {
    const fields = tableFields(figures, options, facts, missing.length === 0)
    printRows(format, { ...report, fields }, out)
  } else {
    printRows(format, { ...report, fields: objectFields(facts, options) }, out)
    // CSV has no place for it.
    for (const line of format === 'csv' ? incompleteLines(incomplete) : []) messages.warn(line)
  }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  return command
    .description(
      withExamples(
        command.summary(),
        'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
        'flagadm feature usage checkout-coupon-banner --since 2d --by day -p sandbox',
        'flagadm feature usage --project checkout --since 48h --unused -p sandbox',
        "flagadm feature usage dark-mode --environment 'prod*' --sort total -p sandbox",
        'flagadm feature usage dark-mode --since 24h --group-by environment -p sandbox',
      ),
    )
    .argument('[name...]', "names of the flags; with a project, '*' is any text")
    .optionsGroup('Names:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
    .optionsGroup('Time:')
    .option('--since <duration>', 'hourly usage over a span such as 24h or 2d', (text) =>
      timeSpan('--since', text),
    )
    .addOption(choice('--by <size>', 'with --since: a row for each hour or day', bucketSizes))
    .optionsGroup('Filters:')
    .option('--app <name>', "only this application; '*': any text", collect)
    .option('-e, --environment <name>', "only this environment; '*': any text", collect)
    .addOption(new Option('--used', 'only flags in use').conflicts('unused'))
    .option('--unused', 'only flags without usage')
    .optionsGroup('View:')
    .addOption(choice('--group-by <part>', 'add up the counts by this part', groupings))
    .addOption(choice('--sort <key>', 'what to sort by', sortKeys))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows', count('--limit'))
    .optionsGroup('Watch:')
    .option(
      '--watch',
      'read repeatedly: redraws a table on a terminal, elsewhere appends JSON Lines',
    )
    .option(
      '--interval <duration>',
      'with --watch: pause between readings (default: 10s)',
      (text) => timeSpan('--interval', text, false),
    )
    .action(async (given, options) => {
      const chosen = format()
      checkOptions(chosen, options)
      const names = await givenNames(context, given, options.namesFrom)
      const projects = projectsOf(options)
      if (names.length === 0 && projects === 'none') {
        throw new FlagadmError('usage', 'no flag names given', {
          hint: 'pass names, or use --names-from <file> or --project <id>',
        })
      }
      const connection = await connect(context)
      const found = await selectionOf(context, connection, names, options)
      if (options.watch) return watchUsage(context, connection, found, options, projects)
      const span =
        options.since === undefined
          ? undefined
          : spanOf(options.since, await connection.clock.read())
      const request = { view: options, keepsJson: chosen === 'json' }
      const { results, failures, from } = span
        ? await readInSpan(connection, found, { ...request, span })
        : { ...(await readUsages(connection, found, request)), from: undefined }
      const selection = span ? await withoutUnknown(connection, found, results) : found
      const usages = results.filter(({ flag }) => !selection.absences.has(flag))
      const requested = selection.names.length
      if (span) warnOfClock(context, connection.clock)
      if (chosen === 'json') {
        printDocuments(context, usages, names.length !== 1, span !== undefined, projects)
        for (const line of incompleteLines(gapsOf(usages, span))) context.messages.warn(line)
      } else {
        const read = { connection, selection, usages, failures, span, from, projects }
        printFigures(context, chosen, read, options)
      }
      warnAbout(context, usages, selection, options)
      throwFailures(context, selection.failures, selection.requested, 'projects')
      throwFailures(context, withAbsences(failures, selection), requested, 'flags')
    })
}
