import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../command/context.ts'
import { throwFailures, unread } from '../requests/each.ts'
import { type ErrorKind, refuseUsage } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import { timeSpan, type TimeSpan } from '../input/values.ts'
import {
  choice,
  collect,
  count,
  refuseWithJson,
  spanOption,
  withExamples,
} from '../command/options.ts'
import { field } from '../output/fields.ts'
import { factsOf, printsRows, rowFormats } from '../output/formats.ts'
import { type Incomplete, incompleteText, listed } from '../output/incomplete.ts'
import { SILENCE_MS, silenceGaps, silentWhereOn } from '../flags/silence.ts'
import { openRows, printRows, warnOf } from '../output/print.ts'
import { hourOf, isoText, timeText } from '../output/time.ts'
import { connect } from '../profile/connect.ts'
import {
  projectOption,
  type ProjectOptions,
  requireNamesOrProjects,
  scopeText,
  selectsProjects,
  singleProject,
} from '../project/selection.ts'
import type { Connection } from '../service/connection.ts'
import { arrange, bucketSizes, groupings, sortKeys, type UsageRow, type UsageView } from './rows.ts'
import { filterText } from './figure-doubts.ts'
import { type FlagUsage, readUsages, type UsageResults } from './flag-usage.ts'
import { environmentsOf } from '../flags/flag.ts'
import {
  namesAsGiven,
  refuseUnknownFilters,
  selectFlags,
  type Selection,
  unknownFilters,
  type UsageFilter,
} from '../flags/selection.ts'
import {
  collectLabel,
  type Exposition,
  type Label,
  printMetrics,
  type Subject,
} from './openmetrics.ts'
import { distinct, latest } from '../flags/records.ts'
import { warnOfClock } from '../flags/clocks.ts'
import { readableSpan } from './daily-usage.ts'
import { isLong, type Span, spanText } from '../flags/span.ts'
import { usageFields } from './fields.ts'
import { createNameCheck, type NameCheck, warnOfArchived } from './name-check.ts'

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
  label?: readonly Label[] | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(format: Format, options: UsageOptions): void {
  const { by, since, unused, groupBy: grouping, watch, interval } = options
  if (unused && (grouping === 'application' || grouping === 'environment')) {
    refuseUsage(`--unused cannot be combined with --group-by ${grouping}`, 'use --group-by flag')
  }
  if (by && since === undefined) refuseUsage('--by requires --since', 'add --since 48h')
  if (by === 'hour' && since && isLong(since)) {
    refuseUsage('--by hour covers at most 48h', 'use --by day, or --since 48h')
  }
  if (options.label && format !== 'openmetrics') {
    refuseUsage('--label requires -o openmetrics', 'add -o openmetrics')
  }
  if (interval !== undefined && !watch) refuseUsage('--interval requires --watch', 'add --watch')
  if (watch && !factsOf(format).repeats) {
    refuseUsage(`--watch has no ${format} output`, 'use -o jsonl')
  }
}

/** What to read: flags of a service in a span or, without one, in the current clock hour. */
interface UsageQuery {
  connection: Connection
  selection: Selection
  span: Span | undefined
  /** Undefined with projects, whose lists have the names. */
  nameCheck: NameCheck | undefined
}

/** The usage of flags, what could not be read, and what was to be read. */
type UsageAnswers = UsageQuery & UsageResults

/** Prints the usage of each flag as soon as it is read: that of many flags would not fit into memory. */
interface UsageStream {
  add: (usage: FlagUsage) => void
  end: (incomplete: readonly Incomplete[]) => void
}

/**
 * Prints the documents of the service. Several ones are on one line each; those with hourly usage, which have no name, get one.
 */
function openDocuments(
  { out }: Context,
  { selection, span }: UsageQuery,
  options: UsageOptions,
  isSeveral: boolean,
): UsageStream {
  const namedDocument = (flag: string, json: string) => {
    const project = selection.flags.get(flag)?.projectId ?? null
    const names = selectsProjects(options) ? { project, flag } : { flag }
    const fields = Object.entries(names).map(
      ([name, value]) => `"${name}":${JSON.stringify(value)}`,
    )
    return `{${fields.join(',')},"usage":${json}}`
  }
  return {
    add({ flag, documents }) {
      for (const json of documents) {
        // JSON has raw line breaks only between tokens.
        const isLine = isSeveral || documents.length > 1
        const line = isLine ? json.trim().replace(/[\r\n]\s*/g, '') : json
        out.jsonText(isSeveral && span ? namedDocument(flag, line) : line)
      }
    },
    // A document of the service has no place for what is incomplete.
    end: () => undefined,
  }
}

/**
 * Prints the rows of hours, in a format of one line for each; undefined if the rows must be known at once. Which days the service
 * has is known only when all flags were read.
 */
async function openLines(
  context: Context,
  format: Format,
  { span }: UsageQuery,
  options: UsageOptions,
): Promise<UsageStream | undefined> {
  const { by, groupBy: grouping, sort, reverse, limit } = options
  const isAcross = grouping === 'application' || grouping === 'environment'
  if (!by || isAcross || sort || reverse || limit !== undefined) return undefined
  if (span?.firstDay !== undefined) return undefined
  if (!printsRows(format)) return undefined
  const starts = new Map<string | undefined, number | undefined>()
  const facts = {
    ...options,
    span,
    fromOf: ({ flag }: UsageRow) => starts.get(flag),
    isSingle: false,
    hasTotal: false,
    hasHours: false,
    now: undefined,
  }
  // Formats of rows that are printed one by one use the names of fields: without rows, none has a title.
  const fields = usageFields(arrange([], options), facts)
  const printer = await openRows(format, fields, context)
  return (
    printer && {
      add(usage) {
        starts.set(usage.flag, usage.from)
        printer.add(arrange([usage], options).rows)
      },
      end: printer.end,
    }
  )
}

/** What is missing from the figures of flags, and why they may be wrong. */
function incompleteOf(answers: UsageAnswers): Incomplete[] {
  const { selection, results, failures } = answers
  const unreadFlags = unread({ failures, requested: selection.names.length }, 'flag')
  return [...selection.incomplete, ...unreadFlags, ...gapsOf(results), ...silenceOf(answers)]
}

/** Where flags without any usage are on although nothing is reported from there, as far as the lists show that. */
function silenceOf({ selection, nameCheck, results, connection }: UsageAnswers): Incomplete[] {
  const { names } = selection
  const flags = nameCheck?.knownFlags() ?? selection.flags
  if (results.length === 0 || results.some(({ isUsed }) => isUsed)) return []
  const limit = connection.clock.now() - SILENCE_MS
  const wanted = names.flatMap((name) => flags.get(name) ?? [])
  return silenceGaps(silentWhereOn(wanted, limit, flags.values()))
}

/** Why the figures may be wrong, with the names of the flags unless it is all of them. */
function gapsOf(results: readonly FlagUsage[]): Incomplete[] {
  const doubts = results.flatMap(({ flag, doubts }) => doubts.map((message) => ({ flag, message })))
  const groups = [...groupBy(doubts, ({ message }) => message)]
  return groups.map(([message, group]) => {
    return { message, names: group.length < results.length ? group.map(({ flag }) => flag) : [] }
  })
}

/** The line below a table with the applications without a row. */
function seenWithoutRow(usages: readonly FlagUsage[], view: UsageOptions): string[] {
  const seen = usages
    .filter(({ others, isUsed }) => others.length > 0 && (isUsed ? !view.unused : !view.used))
    .map(({ flag, others }) => (usages.length === 1 ? '' : `${flag}: `) + listed(others))
  if (seen.length === 0) return []
  return [`Applications seen in the last 24 hours, without a row: ${seen.join('; ')}`]
}

/** The line instead of an empty table. */
function nothingText({ used, unused }: UsageView): string {
  if (used) return 'No flags in use.'
  return unused ? 'No unused flags.' : 'No usage.'
}

/** The clock hour of all usage, if it is the same for each flag: that of the service, unless a clock is wrong. */
function sharedHour(results: readonly FlagUsage[]): number | undefined {
  const hours = distinct(results.flatMap((usage) => usage.hours))
  const isShared = hours.length === 1 && results.every((usage) => usage.hours.length > 0)
  return isShared ? hours[0] : undefined
}

/** Warns of usage in the current hour that is of another one. */
function warnOfHours({ messages }: Context, results: readonly FlagUsage[]): void {
  const hours = distinct(results.flatMap((usage) => usage.otherHours)).sort((a, b) => a - b)
  if (hours.length === 0) return
  const affected = results.filter(({ otherHours }) => otherHours.length > 0)
  const texts = listed(hours.map(timeText))
  const message = `there is usage of another clock hour than the current one, from ${texts}: a clock may be wrong`
  const names = affected.length < results.length ? affected.map(({ flag }) => flag) : []
  messages.warn(incompleteText({ message, names }))
}

/** `Usage of dark-mode`, `Usage of project checkout`, `Usage of dark-mode in project checkout` or, of several names, `Usage`. */
function headingText(
  single: string | undefined,
  { projects }: Selection,
  options: UsageOptions,
): string {
  const scope = selectsProjects(options) ? scopeText(options, projects) : undefined
  const subject = [single, scope].filter((text) => text !== undefined).join(' in ')
  return subject === '' ? 'Usage' : `Usage of ${subject}`
}

/** What figures are about: each project or, where none is known, each flag. */
function subjectsOf(
  { selection, results, failures }: UsageAnswers,
  options: UsageOptions,
): Subject[] {
  const { flags } = selection
  const single = singleProject(options)
  const hasProjects = selectsProjects(options)
  const subjectOf = (name: string) => {
    if (hasProjects) return flags.get(name)?.projectId ?? single
    // A name that no flag has must not become a label.
    return failures.get(name)?.kind === 'notFound' ? undefined : name
  }
  const unreadIn = groupBy(failures.keys(), subjectOf)
  const cutFlags = results.flatMap((usage) => (usage.hasMoreApplications ? usage.flag : []))
  const cutIn = groupBy(cutFlags, subjectOf)
  const countsOf = (subject: string | undefined) => ({
    flag: unreadIn.get(subject)?.length ?? 0,
    application: cutIn.get(subject)?.length ?? 0,
  })
  const unnamed = unreadIn.has(undefined) ? [{ unread: countsOf(undefined) }] : []
  if (!hasProjects) {
    const names = distinct([...results.map(({ flag }) => flag), ...unreadIn.keys()])
    return [...names.map((flag) => ({ flag, unread: countsOf(flag) })), ...unnamed]
  }
  const listedIds = Array.from(flags.values(), ({ projectId }) => projectId)
  const ids = distinct([single, ...listedIds, ...selection.failures.keys()]).sort()
  const subjects = ids.map((project) => {
    const isUnread = selection.failures.has(project)
    return { project, unread: { ...countsOf(project), project: isUnread ? 1 : 0 } }
  })
  return [...subjects, ...unnamed]
}

function expositionOf(
  answers: UsageAnswers,
  rows: readonly UsageRow[],
  from: number | undefined,
  options: UsageOptions,
): Exposition {
  const { span } = answers
  return {
    prefix: span ? 'feature_flag' : 'feature_flag_last_hour',
    rows,
    subjects: subjectsOf(answers, options),
    span: span?.asked.text ?? 'hour',
    step: options.by ?? 'hour',
    scope: {
      project: singleProject(options),
      application: options.application?.join(','),
      environment: options.environment?.join(','),
    },
    from: span ? from : hourOf(answers.connection.clock.now()),
    labels: options.label ?? [],
  }
}

async function printFigures(
  context: Context,
  format: Format,
  answers: UsageAnswers,
  options: UsageOptions,
): Promise<void> {
  const { connection, selection, span, results, failures, days } = answers
  const { names } = selection
  const arranged = arrange(results, options)
  const from = latest(results.map((usage) => usage.from))
  const now = span?.now ?? connection.clock.now()
  const hour = sharedHour(results) ?? hourOf(now)
  const hours = span ? spanText(span, from, days) : `in the clock hour from ${timeText(hour)}`
  const when = filterText(options) + hours
  if (format === 'openmetrics') {
    printMetrics(expositionOf(answers, arranged.rows, from, options), context.out)
    return warnOf(gapsOf(results), context)
  }
  const hasAll = failures.size === 0 && selection.incomplete.length === 0
  const single = names.length === 1 ? names[0] : undefined
  const readAt = field.data<UsageRow>('readAt', () => isoText(now))
  const shownNow = context.options.verbose ? undefined : now
  const facts = {
    ...options,
    span,
    fromOf: () => from,
    isSingle: single !== undefined,
    hasTotal: hasAll,
    hasHours: results.some(({ hours }) => hours.some((one) => one !== hour)),
    now: shownNow,
  }
  const fields = usageFields(arranged, facts)
  const report = {
    rows: arranged.rows,
    beyondLimit: arranged.beyondLimit,
    now: shownNow,
    incomplete: incompleteOf(answers),
    fields: options.watch ? [readAt, ...fields] : fields,
    caption: `${headingText(single, selection, options)} on ${connection.target}, ${when}`,
    marker: 'feature usage',
    nothing: nothingText(options),
    below: seenWithoutRow(results, options),
  }
  await printRows(format, report, context)
}

/**
 * Refuses figures by application if the service has no applications in the current hour, as that of Unleash.
 * @throws a usage error
 */
function refuseWithoutApplications(
  { span, results }: UsageAnswers,
  { application, groupBy: grouping, watch }: UsageOptions,
): void {
  const isGrouped = grouping === 'application'
  if (span || results.length === 0 || !(application || isGrouped)) return
  if (results.some(({ hasApplications }) => hasApplications)) return
  const option = application ? '--app' : '--group-by application'
  const what = `${option}: the service reports no applications in the current clock hour`
  refuseUsage(what, watch ? 'leave out --watch and add --since 24h' : 'add --since 24h')
}

/**
 * Refuses filters that match none of the names that are known: of the usage that was read, and of the lists.
 * @throws `notFound` with those names
 */
async function refuseFilters(
  context: Context,
  { results, selection, failures, nameCheck }: UsageAnswers,
  filter: UsageFilter,
): Promise<void> {
  if (results.length === 0) return
  const { environment } = filter
  const used = results.flatMap((usage) => usage.environments)
  const environments = [...used, ...environmentsOf([...selection.flags.values()])]
  let isPart = failures.size + selection.failures.size > 0
  if (nameCheck && unknownFilters({ environment }, [], environments).length > 0) {
    // A flag may have environments in which it is not used.
    const listedPlaces = await nameCheck.environments()
    environments.push(...listedPlaces.environments)
    isPart ||= listedPlaces.isPart
  }
  refuseUnknownFilters(context, filter, {
    applications: results.flatMap((usage) => usage.applications),
    environments,
    isPart,
  })
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
  query: UsageQuery,
  options: UsageOptions,
): Promise<void> {
  const { connection, selection, nameCheck } = query
  const { host, out, messages, closing } = context
  const { output, json } = context.options
  // Without a screen to draw a table on, and unless one is asked for, readings are appended as data.
  const isAppended = output === undefined && !json && out.width === undefined
  const format = isAppended ? 'jsonl' : chosen
  const isInPlace = factsOf(format).repeats === 'in place' && out.width !== undefined
  for (let isFirst = true; !out.isClosed; isFirst = false) {
    const read = await readUsages(connection, selection, { ...options, nameCheck })
    const answers = { ...query, ...read }
    if (isFirst) {
      refuseWithoutApplications(answers, options)
      await refuseFilters(context, answers, options)
    }
    if (isInPlace) out.raw(CLEAR)
    else if (!isFirst && factsOf(format).reader === 'people') out.line('')
    await printFigures(context, format, answers, options)
    // A warning is lost when the screen is cleared.
    if (isFirst || isInPlace) warnOfHours(context, read.results)
    const failures = [...read.failures.values()]
    const isLasting = failures.some(({ kind }) => lasting.has(kind))
    const notFound = failures.filter(({ kind }) => kind === 'notFound')
    if (isLasting || (notFound.length > 0 && notFound.length === selection.names.length)) {
      return throwFailures(context, selection, { ...read, requested: selection.names.length })
    }
    // A single flag that cannot be read leaves nothing else to look at.
    if (selection.names.length === 1) for (const failure of failures) messages.fail(failure)
    const interval = options.interval ?? 10_000
    if (isInPlace) {
      const time = isoText(connection.clock.now())?.slice(11, 19)
      out.line({ dim: `read at ${time} UTC, every ${interval / 1000} s; Ctrl-C ends` })
    }
    await host.clock.sleep(interval, closing)
  }
}

/** Reads usage once, and prints it: as it is read if the format allows that. */
async function printUsage(
  context: Context,
  format: Format,
  query: UsageQuery,
  options: UsageOptions,
  isSeveral: boolean,
): Promise<void> {
  const { connection, selection, span, nameCheck } = query
  const isJson = format === 'json'
  const stream = isJson
    ? openDocuments(context, query, options, isSeveral)
    : await openLines(context, format, query, options)
  const request = isJson ? { span, nameCheck, wantsJson: true } : { ...options, span, nameCheck }
  const read = await readUsages(connection, selection, request, stream?.add)
  const { results } = read
  const answers = { ...query, ...read }
  const requested = selection.names.length
  const hasRows = results.length > 0 || requested === 0
  if (hasRows) stream?.end(incompleteOf(answers))
  refuseWithoutApplications(answers, options)
  await refuseFilters(context, answers, options)
  if (span) warnOfClock(context.messages, connection.clock)
  if (isJson) warnOf(gapsOf(results), context)
  else if (hasRows && !stream) await printFigures(context, format, answers, options)
  warnOfHours(context, results)
  await warnOfArchived(context, nameCheck, results)
  throwFailures(context, selection, { ...read, requested })
}

function groupByOption() {
  const description = 'add up the counts of each of these; app is application'
  const app = { word: 'app', value: 'application' } as const
  return choice('--group-by <part>', description, groupings, app)
}

const NOTES = `JSON is the documents of the service: with --since of days, a flag has two, its hours and its days. Of several flags, each is a line, with --since {"flag":…,"usage":…}:
  … --since 48h --json | jq '.flag, ([(.usage // .).data[].yes] | add // 0)'`

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  return withExamples(
    command,
    [
      'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
      'flagadm feature usage checkout-coupon-banner --since 2d --by day -p sandbox',
      'flagadm feature usage --project checkout --since 48h --unused -p sandbox',
      "flagadm feature usage dark-mode --environment 'prod*' --sort total -p sandbox",
      'flagadm feature usage dark-mode --since 24h --group-by environment -p sandbox',
    ],
    NOTES,
  )
    .argument('[name...]', "names of flags; with a project, '*' matches any text")
    .optionsGroup('Names:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .optionsGroup('Time:')
    .addOption(spanOption('--since <duration>', 'usage over a span such as 24h or 30d'))
    .addOption(choice('--by <size>', 'with --since: a row for each hour or day', bucketSizes))
    .optionsGroup('Filters:')
    .option('--app, --application <name>', "only this application; '*' matches any text", collect)
    .option('-e, --environment <name>', "only this environment; '*' matches any text", collect)
    .addOption(new Option('--used', 'only flags in use').conflicts('unused'))
    .option('--unused', 'only unused flags')
    .optionsGroup('View:')
    .addOption(groupByOption())
    .addOption(choice('--sort <key>', 'what to sort by', sortKeys))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n rows', count('--limit'))
    .option('--label <name=value>', 'with -o openmetrics: a label of every series', collectLabel)
    .optionsGroup('Watch:')
    .addOption(
      new Option(
        '--watch',
        'keep reading the current hour, so without --since; in a pipe, print JSON Lines unless -o is given',
      ).conflicts('since'),
    )
    .option('--interval <duration>', 'pause between readings (default: 10s)', parseInterval)
    .action(async (given, options, self) => {
      const chosen = format()
      checkOptions(chosen, options)
      refuseWithJson(chosen, self, ['project', 'allProjects', 'namesFrom', 'since'])
      const names = await givenNames(context, given, options.namesFrom)
      if (names.length === 0) requireNamesOrProjects(options, context)
      const connection = await connect(context)
      const isListed = selectsProjects(options)
      const selection = isListed
        ? await selectFlags(context, connection, names, options)
        : namesAsGiven(names)
      const nameCheck = isListed ? undefined : createNameCheck(connection, names.length)
      const { since, watch } = options
      const span = since && (await readableSpan(connection, since))
      const query = { connection, selection, span, nameCheck }
      if (watch) return watchUsage(context, chosen, query, options)
      const isSeveral = names.length !== 1 || names.some((name) => name.includes('*'))
      await printUsage(context, chosen, query, options, isSeveral)
    })
}
