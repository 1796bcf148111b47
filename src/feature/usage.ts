import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import { timeSpan } from '../input/values.ts'
import { choice, collect, count, refuseWithJson, withExamples } from '../options.ts'
import { type Incomplete, incompleteLines, listed } from '../output/incomplete.ts'
import { printRows } from '../output/rows.ts'
import { timeText } from '../output/time.ts'
import { connect } from '../profile/connection.ts'
import {
  type ProjectOptions,
  projectOption,
  type Results,
  singleProject,
  throwFailures,
  unread,
} from '../project/reading.ts'
import type { Connection } from '../service/connection.ts'
import { objectFields, type RowFacts, tableFields } from './columns.ts'
import { CUT_MESSAGE } from './evidence.ts'
import { arrange, bucketSizes, groupings, sortKeys } from './figures.ts'
import { environmentsOf, unknownValues } from './flags.ts'
import { type FlagUsage, readInSpan, readUsages, type UsageRequest } from './hours.ts'
import { printMetrics } from './openmetrics.ts'
import { namesAsGiven, type Selection, selectFlags } from './selection.ts'
import { durationText, hourOf, type Span, spanOf, spanText, warnOfClock } from './span.ts'
import { watchUsage } from './watch.ts'

const formats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics'] as const
type Format = (typeof formats)[number]

/** The options. Times are in milliseconds. */
interface UsageOptions extends UsageRequest, ProjectOptions {
  since?: number | undefined
  watch?: true | undefined
  interval?: number | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(format: Format, options: UsageOptions): void {
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
  refuseWithJson(format, view, 'rows')
}

/** The usage of flags, and what it covers. */
interface Reading extends Results<FlagUsage> {
  connection: Connection
  selection: Selection
  span: Span | undefined
}

/**
 * Prints the documents of the service, each as soon as it is read: those of many flags would not fit into memory.
 * Several ones are on one line each; those with hourly usage, which have no name, get one.
 */
async function printDocuments(
  { out }: Context,
  { connection, selection, span }: Pick<Reading, 'connection' | 'selection' | 'span'>,
  isSeveral: boolean,
  withProjects: boolean,
): Promise<Results<FlagUsage>> {
  const results: FlagUsage[] = []
  const print = ({ json, ...usage }: FlagUsage) => {
    // JSON has raw line breaks only between tokens.
    const line = isSeveral ? json.trim().replace(/[\r\n]\s*/g, '') : json
    const { flag } = usage
    const project = selection.flags.get(flag)?.projectId ?? null
    const names = JSON.stringify(withProjects ? { project, flag } : { flag })
    out.jsonText(isSeveral && span ? `${names.slice(0, -1)},"usage":${line}}` : line)
    results.push({ ...usage, json: '' })
  }
  const request = { span, wantsJson: true }
  return { ...(await readUsages(connection, selection, request, print)), results }
}

/** The start of the first hour that any flag covers; of those without records only if all have none. */
function firstHourOf(usages: readonly FlagUsage[]): number | undefined {
  const filled = usages.filter(({ isEmpty }) => !isEmpty)
  const starts = filled.flatMap(({ from }) => from ?? [])
  const [first] = starts
  if (first === undefined) return filled.length > 0 ? undefined : usages[0]?.from
  return starts.reduce((a, b) => Math.min(a, b), first)
}

/** What the figures lack: hours, and applications beyond the limit of the service. */
function gapsOf({ results, span }: Pick<Reading, 'results' | 'span'>): Incomplete[] {
  const gap = (message: string, isMissing: (usage: FlagUsage) => boolean): Incomplete[] => {
    const some = results.filter(isMissing)
    const names = some.length === results.length ? [] : some.map(({ flag }) => flag)
    return some.length > 0 ? [{ message, names }] : []
  }
  const asked = durationText(span?.asked ?? 0)
  return [
    ...gap(`the service covers less than the ${asked} requested`, ({ isWhole }) => !isWhole),
    ...gap(CUT_MESSAGE, ({ isCut }) => isCut),
  ]
}

/** Warns about what the figures may lack, a message for each reason, and about filters that match nothing. */
function warnAbout(
  { messages }: Context,
  { results, selection }: Reading,
  { app, environment }: UsageOptions,
): void {
  const doubts = results.flatMap(({ flag, doubts }) => doubts.map((doubt) => ({ flag, doubt })))
  for (const [doubt, group] of groupBy(doubts, (one) => one.doubt)) {
    const names = group.map(({ flag }) => flag)
    const subject = names.length > 1 ? `${names.length} flags (${listed(names)})` : names[0]
    messages.warn(`${subject}: ${doubt}`)
  }
  const applications = results.flatMap((usage) => usage.applications)
  const environments = results.flatMap((usage) => usage.environments)
  const known = [...environments, ...environmentsOf([...selection.flags.values()])]
  const unknown = [
    ...unknownValues('application', app, applications),
    ...unknownValues('environment', environment, known),
  ]
  for (const warning of unknown) messages.warn(warning)
}

/** The lines below a table: how many flags are in use, and the applications without a row. */
function linesBelow(usages: readonly FlagUsage[]): string[] {
  const used = usages.filter(({ isUsed }) => isUsed).length
  const seen = usages
    .filter(({ others }) => others.length > 0)
    .map(({ flag, others }) => (usages.length === 1 ? '' : `${flag}: `) + listed(others))
  return [
    ...(usages.length > 1
      ? [`${usages.length} flags: ${used} in use, ${usages.length - used} unused`]
      : []),
    ...(seen.length > 0
      ? [`Applications seen in the last 24 hours, without a row: ${seen.join('; ')}`]
      : []),
  ]
}

function printFigures(
  { out, messages, options: { verbose } }: Context,
  format: Exclude<Format, 'json'>,
  reading: Reading,
  options: UsageOptions,
  projects: RowFacts['projects'],
): void {
  const { connection, selection, results, failures, span } = reading
  const { names } = selection
  const { used, unused } = options
  if (results.length === 0 && names.length > 0) return
  const figures = arrange(results, options)
  const from = firstHourOf(results)
  const now = span?.now ?? connection.clock.now()
  const when = span ? spanText(span, from) : `in the clock hour from ${timeText(hourOf(now))}`
  const missing = [...selection.incomplete, ...unread(failures, names.length, 'flags')]
  const incomplete = [...missing, ...gapsOf(reading)]
  const isSingle = names.length === 1
  const facts: RowFacts = { span, from, projects, isSingle }
  const report = {
    ...{ rows: figures.rows, cut: figures.cut, incomplete, now: verbose ? undefined : now },
    caption: `Usage${isSingle ? ` of ${names[0]}` : ''} on ${connection.target}, ${when}`,
    nothing: used ? 'No flags in use.' : unused ? 'No unused flags.' : 'No usage.',
    below: linesBelow(results),
  }
  if (format === 'openmetrics') {
    const application = results.filter(({ isCut }) => isCut).length
    const gaps = { flag: failures.size, project: selection.failures.size, application }
    const prefix = span ? 'feature_flag' : 'feature_flag_last_hour'
    printMetrics(figures.rows, prefix, when, gaps, out)
  } else if (format === 'table' || format === 'markdown') {
    const fields = tableFields(figures, facts, options, missing.length === 0)
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
    .argument('[name...]', "names of flags; with a project, '*' matches any text")
    .optionsGroup('Names:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects')
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .optionsGroup('Time:')
    .option('--since <duration>', 'hourly usage over a span such as 24h or 2d', (text) =>
      timeSpan('--since', text),
    )
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
    .option(
      '--watch',
      'read repeatedly: redraw the table or, outside a terminal, append JSON Lines',
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
      const { project, allProjects, since } = options
      const isSeveral = singleProject(options) === undefined
      const projects = project || allProjects ? (isSeveral ? 'several' : 'one') : 'none'
      if (names.length === 0 && projects === 'none') {
        throw new FlagadmError('usage', 'no flag names given', {
          hint: 'pass names, or use --names-from <file> or --project <id>',
        })
      }
      const connection = await connect(context)
      const selection =
        projects === 'none'
          ? namesAsGiven(names)
          : await selectFlags(context, connection, names, options)
      const requested = selection.names.length
      if (options.watch) {
        const facts = {
          span: undefined,
          from: undefined,
          projects,
          isSingle: requested === 1,
        } as const
        return watchUsage(context, connection, selection, options, facts)
      }
      const span = since === undefined ? undefined : spanOf(since, await connection.clock.read())
      const about = { connection, selection, span }
      const isJson = chosen === 'json'
      const read = isJson
        ? await printDocuments(context, about, names.length !== 1, projects !== 'none')
        : span
          ? await readInSpan(connection, selection, { ...options, span })
          : await readUsages(connection, selection, options)
      const reading = { ...about, ...read }
      if (span) warnOfClock(context, connection.clock)
      if (chosen !== 'json') printFigures(context, chosen, reading, options, projects)
      else for (const line of incompleteLines(gapsOf(reading))) context.messages.warn(line)
      warnAbout(context, reading, options)
      throwFailures(context, selection.failures, selection.requested, 'projects')
      throwFailures(context, read.failures, requested, 'flags')
    })
}
