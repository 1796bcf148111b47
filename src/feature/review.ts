import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { givenNames } from '../input/names.ts'
import { timeOf } from '../input/time.ts'
import { choice, choices, collect, count, sortOption, withExamples } from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { counted, type Incomplete, incompleteLines, incompleteText } from '../output/incomplete.ts'
import { byCodeUnit } from '../output/order.ts'
import { printPage } from '../output/page.ts'
import { githubText, junitText, type Problem } from '../output/problems.ts'
import { firstRows, printRows, rowFormats } from '../output/rows.ts'
import { connect } from '../profile/connection.ts'
import {
  projectOption,
  refuseWithoutProjects,
  scopeText,
  singleProject,
  throwFailures,
  unread,
} from '../project/reading.ts'
import type { Connection } from '../service/connection.ts'
import { CUT_MESSAGE } from './evidence.ts'
import { lastSeen, typeOption } from './flags.ts'
import { evidenceOptions, judgeFlags, type Judgements, type JudgementOptions } from './judgement.ts'
import { latest } from './records.ts'
import { spanText } from './span.ts'
import { rankOf, type Row, type Verdict, verdicts } from './verdict.ts'

const formats = [...rowFormats, 'html', 'github', 'junit'] as const
const expectations = ['removable', 'in-use', 'unused'] as const
const sortKeys = ['verdict', 'project', 'name', 'type', 'created', 'last-seen'] as const

/** A verdict as the value of an option: `in-use`. */
const wordOf = (verdict: Verdict) => verdict.replaceAll(' ', '-')

interface ReviewOptions extends JudgementOptions {
  namesFrom?: string | undefined
  verdict?: readonly string[] | undefined
  expect?: (typeof expectations)[number] | undefined
  failOn?: readonly string[] | undefined
  sort: (typeof sortKeys)[number]
  reverse?: true | undefined
  limit?: number | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(options: ReviewOptions): void {
  const { app, environment, verdict, expect, removedSince, scan } = options
  if (removedSince !== undefined && !scan) {
    const hint = 'add --scan <path>'
    throw new FlagadmError('usage', '--removed-since requires --scan', { hint })
  }
  const filter = app ? '--app' : environment && '--environment'
  const isWanted = verdict?.includes('removable')
  if (!filter || (!isWanted && expect !== 'removable')) return
  const wanted = isWanted ? '--verdict removable' : '--expect removable'
  throw new FlagadmError(
    'usage',
    `${wanted} cannot be combined with ${filter}, because it leaves out usage of the flags`,
    { hint: 'use --expect unused, or leave out the filter' },
  )
}

/** The project of a flag; empty if that is not known. */
const projectOf = ({ flag }: Row) => flag?.projectId ?? ''
const seenAt = ({ flag }: Row) => flag && lastSeen(flag, undefined).time

/** What rows are sorted by. */
const sortValues: Record<(typeof sortKeys)[number], (row: Row) => string | number> = {
  verdict: rankOf,
  project: projectOf,
  name: ({ name }) => name,
  type: ({ flag }) => flag?.type ?? '',
  created: ({ flag }) => timeOf(flag?.createdAt) ?? Number.POSITIVE_INFINITY,
  'last-seen': (row) => seenAt(row) ?? 0,
}

function orderBy(key: (typeof sortKeys)[number]) {
  const values = sortValues[key]
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  return (a: Row, b: Row) =>
    compare(values(a), values(b)) ||
    byCodeUnit(projectOf(a), projectOf(b)) ||
    byCodeUnit(a.name, b.name)
}

const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())

/** The environments in which a flag is, or was used, by name; usage without an environment is last. */
function environmentsOf({ flag, usage }: Row) {
  const known = new Map(flag?.environments.map((one) => [one.name, one]))
  const used = new Map(usage?.byEnvironment.map((one) => [one.name, one]))
  const environments = Array.from(new Set([...known.keys(), ...used.keys()]), (name) => {
    const { enabled = null, lastSeenAt = null } = known.get(name ?? '') ?? {}
    const { lastUsed, enabled: yes = 0, disabled: no = 0 } = used.get(name) ?? {}
    return { name: name ?? null, enabled, lastSeenAt, lastUsed: iso(lastUsed), yes, no }
  })
  return environments.sort((a, b) => byCodeUnit(a.name ?? '\uffff', b.name ?? '\uffff'))
}

/** A row of JSON, JSON Lines, CSV and the page. */
function documentOf(row: Row, now: number) {
  const { name, flag, verdict, state, reasons, usage, details, code } = row
  return {
    project: flag?.projectId,
    flag: name,
    verdict,
    usage: state,
    reasons,
    type: flag?.type,
    stale: flag?.stale,
    createdAt: flag?.createdAt,
    lastSeenAt: iso(seenAt(row)),
    lastUsed: iso(usage?.lastUsed),
    from: iso(usage?.from),
    to: iso(now),
    hasDependents: details && details.dependents.length > 0,
    lifecycle: details?.lifecycle,
    yes: usage?.totals.enabled,
    no: usage?.totals.disabled,
    dependents: details?.dependents,
    references: code?.places.map(({ file, line, column }) => ({ file, line, column })),
    environments: environmentsOf(row),
  }
}

type Document = ReturnType<typeof documentOf>
const documentNames: readonly (keyof Document)[] = [
  ...(['project', 'flag', 'verdict', 'usage', 'reasons', 'type', 'stale', 'createdAt'] as const),
  ...(['lastSeenAt', 'lastUsed', 'from', 'to', 'hasDependents', 'lifecycle', 'yes', 'no'] as const),
  ...(['dependents', 'references', 'environments'] as const),
]
const documentFields = documentNames.map((name): RowField<Document> => {
  return { name, value: (document) => document[name], kind: 'word' }
})

// One that is on where no SDK asked for it is not as certain as the others.
const styles: Partial<Record<Verdict, 'green' | 'magenta' | 'red'>> = {
  ...{ removable: 'green', unclear: 'magenta', 'not a flag': 'red' },
}

/** What a table shows: on a terminal, only the first reason of each flag. */
function tableFields(withProjects: boolean, isTerminal: boolean): RowField<Row>[] {
  const project = { title: 'Project', value: projectOf, kind: 'name', isOptional: true } as const
  const typeOf = ({ flag }: Row) => flag?.type && flag.type + (flag.stale ? ' (stale)' : '')
  return [
    { title: 'Flag', value: ({ name }) => name, kind: 'key' },
    ...(withProjects ? [project] : []),
    {
      title: 'Verdict',
      value: ({ verdict, isOn }) => (isOn ? `${verdict} (on)` : verdict),
      kind: 'word',
      style: ({ verdict, isOn }) => (isOn ? 'magenta' : (styles[verdict] ?? 'dim')),
    },
    { title: 'Last seen', value: (row) => iso(seenAt(row)), kind: 'time', isOptional: true },
    { title: 'Type', value: typeOf, kind: 'word', isOptional: true },
    {
      title: 'Reasons',
      value: ({ reasons }) => (isTerminal ? reasons[0] : reasons.join('; ')),
      kind: 'text',
    },
  ]
}

/** How many flags there are, and how many with each verdict. */
function countsOf(rows: readonly Row[]): { flags: number } & Record<Verdict, number> {
  const none = { removable: 0, 'in use': 0, unclear: 0, permanent: 0, archived: 0, 'not a flag': 0 }
  const counts = { flags: rows.length, ...none }
  for (const { verdict } of rows) counts[verdict]++
  return counts
}

/** The counts of each project, by its id; without names that are not flags. */
function totalsOf(rows: readonly Row[]) {
  const flags = rows.filter(({ flag }) => flag)
  const totals = Array.from(groupBy(flags, projectOf), ([project, own]) => {
    return { project, ...countsOf(own) }
  })
  return totals.sort((a, b) => byCodeUnit(a.project, b.project))
}

/** `3 removable, 0 in use`. @param always how many verdicts are shown even if no flag has them */
function countText(rows: readonly Row[], always: number): string {
  const counts = countsOf(rows)
  const shown = verdicts.filter((verdict, index) => index < always || counts[verdict] > 0)
  return shown.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}

/** Whether a row is not as expected, or has a verdict that the command fails on. */
function isFailing({ verdict, state }: Row, { expect, failOn = [] }: ReviewOptions): boolean {
  const [isRemovable, isUsed, isUnused] = [
    verdict === 'removable',
    state === 'used',
    state === 'unused',
  ]
  const holds = { removable: isRemovable, 'in-use': isUsed, unused: isUnused }
  return (expect && !holds[expect]) || failOn.includes(wordOf(verdict))
}

/** The problems of formats for CI systems. */
function problemsOf(
  rows: readonly Row[],
  incomplete: readonly Incomplete[],
  options: ReviewOptions,
): Problem[] {
  const isCheck = options.expect !== undefined || options.failOn !== undefined
  const problems = rows.map((row): Problem => {
    const { name, flag, verdict, reasons, code } = row
    const { file, line, column } = code?.places[0] ?? {}
    const isFailed = isFailing(row, options)
    const isWarning = !isCheck && verdict === 'removable'
    const expected = isFailed && options.expect ? `, expected ${options.expect}` : ''
    const project = flag ? ` (project ${flag.projectId}${expected})` : expected
    return {
      code: wordOf(verdict),
      severity: isFailed ? 'error' : isWarning ? 'warning' : 'info',
      name,
      message: `${verdict}${project}: ${reasons.join('; ')}`,
      ...{ file, line, column },
    }
  })
  const message = incompleteLines(incomplete).join('; ')
  if (message !== '') problems.push({ code: 'incomplete', severity: 'warning', message })
  return problems
}

/** The error for flags that are not as expected, or for names that are not flags; undefined without any. */
function refusalOf(rows: readonly Row[], options: ReviewOptions): FlagadmError | undefined {
  const failing = rows.filter((row) => isFailing(row, options))
  if (failing.some(({ verdict }) => verdict !== 'not a flag')) {
    const expected = options.expect ? `, expected ${options.expect}` : ''
    const [first] = failing
    const what =
      first && failing.length === 1
        ? `${first.name} is ${first.verdict}`
        : `${failing.length} of ${rows.length} flags fail the check: ${countText(failing, 0)}`
    return new FlagadmError('checkFailed', what + expected)
  }
  const unknown = rows.filter(({ verdict }) => verdict === 'not a flag')
  const names = unknown.map(({ name }) => name)
  const [first] = unknown
  if (!first) return undefined
  if (unknown.length > 1) {
    return new FlagadmError('notFound', `${names.length} names are not flags`, { names })
  }
  return new FlagadmError('notFound', first.reasons[0] ?? '', { featureName: first.name })
}

// More flags in use would hide what can be done.
const MAX_IN_USE = 20
// The reasons of more flags would not fit below a table.
const MAX_EXPLAINED = 3

/** What was found, to print. */
interface Found extends Judgements {
  connection: Connection
  incomplete: readonly Incomplete[]
}

/** Prints a table: of many flags in use, only their number; on a terminal, all reasons of few flags below it. */
function printTable(
  { out, options: { verbose } }: Context,
  format: 'table' | 'markdown',
  { span, rows: all, incomplete }: Found,
  report: { rows: readonly Row[]; cut: number; caption: string; marker: string },
  options: ReviewOptions,
): void {
  const isCommon = ({ verdict, isOnEverywhere }: Row) => verdict === 'in use' && !isOnEverywhere
  const inUse = report.rows.filter(isCommon).length
  const isShort = inUse > MAX_IN_USE && !options.verdict?.includes('in-use')
  const rows = isShort ? report.rows.filter((row) => !isCommon(row)) : report.rows
  const isTerminal = format === 'table' && out.width !== undefined
  const explained = isTerminal && rows.length <= MAX_EXPLAINED ? rows : []
  const below = [
    ...explained.map(({ name, reasons }) => `${name}: ${reasons.join('; ')}`),
    ...(isShort ? [`${inUse} more flags are in use (--verdict in-use shows them)`] : []),
    `${counted(all.length, 'flag')}: ${countText(all, 4)}`,
  ]
  const fields = tableFields(singleProject(options) === undefined, isTerminal)
  const now = verbose ? undefined : span.now
  const nothing = 'No flags to show.'
  printRows(format, { ...report, rows, fields, nothing, below, incomplete, now }, out)
}

function print(
  context: Context,
  format: (typeof formats)[number],
  found: Found,
  options: ReviewOptions,
): void {
  const { out, messages } = context
  const { connection, selection, span, rows: all, incomplete } = found
  const { baseUrl: url, target } = connection
  const { now, firstHour } = span
  const { verdict: wanted, project, allProjects } = options
  const shown = all.filter(({ verdict }) => !wanted || wanted.includes(wordOf(verdict)))
  const { rows, cut } = firstRows(shown, orderBy(options.sort), options)
  const isByProject = project !== undefined || allProjects
  const about = isByProject ? scopeText(options, selection.projects) : counted(all.length, 'flag')
  const title = `Review of ${about}`
  const covered = spanText(span, latest(all.map(({ usage }) => usage?.from)))
  if (format === 'table' || format === 'markdown') {
    const caption = `${title} on ${target}, ${covered}`
    const report = { rows, cut, caption, marker: 'feature review' }
    printTable(context, format, found, report, options)
  } else if (format === 'html') {
    const page = { title, service: { url, name: target }, span: covered, now, firstHour }
    const pageRows = rows.map((row) => {
      const { isOn, usage } = row
      return { ...documentOf(row, now), rank: rankOf(row), isOn, hourly: usage?.hourly }
    })
    const figures = { counts: countsOf(all), projects: totalsOf(all), rows: pageRows }
    printPage({ ...page, ...figures, incomplete: incomplete.map(incompleteText) }, out)
  } else if (format === 'github') {
    out.raw(githubText(problemsOf(rows, incomplete, options), out))
  } else if (format === 'junit') {
    const problems = problemsOf(rows, incomplete, options)
    out.raw(junitText(problems, 'feature review', out, { service: url }))
  } else {
    const fields = format === 'names' ? documentFields.slice(1) : documentFields
    const json = { head: { totals: totalsOf(all) }, rows: 'flags' }
    const documents = rows.map((row) => documentOf(row, now))
    printRows(format, { rows: documents, fields, nothing: '', incomplete, json }, out)
    // These have no place for it.
    if (format !== 'csv' && format !== 'names') return
    for (const line of incompleteLines(incomplete)) messages.warn(line)
  }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  const verdictWords = verdicts.map(wordOf)
  const described = command
    .description(
      withExamples(
        `${command.summary()}. Changes nothing`,
        'flagadm feature review --all-projects -p sandbox',
        'flagadm feature review --project checkout --verdict removable -o markdown -p sandbox',
        'flagadm feature review --all-projects --scan src --not-seen-for 30d -p sandbox',
        'flagadm feature review legacy-invoice-export --expect unused --since 48h -p sandbox',
      ),
    )
    .argument('[name...]', "names of flags; '*' matches any text")
    .optionsGroup('Flags:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .addOption(choices('--verdict <verdict>', 'show only this verdict', verdictWords))
    .addOption(typeOption())
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .option('--removed-since <revision>', 'with --scan: only flags that the code lost since then')
  return evidenceOptions(described)
    .option('--app <name>', "only usage by this application; '*' matches any text", collect)
    .option(
      '-e, --environment <name>',
      "only usage in this environment; '*' matches any text",
      collect,
    )
    .optionsGroup('Check:')
    .addOption(choice('--expect <state>', 'exit with 9 unless every flag is this', expectations))
    .addOption(choices('--fail-on <verdict>', 'exit with 9 if a flag is this', verdictWords))
    .optionsGroup('View:')
    .addOption(sortOption(sortKeys))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n flags', count('--limit'))
    .action(async (given, options) => {
      const chosen = format()
      checkOptions(options)
      const { removedSince } = options
      const names = await givenNames(context, given, options.namesFrom)
      if (names.length === 0 && removedSince === undefined) refuseWithoutProjects(options)
      const connection = await connect(context)
      const found = await judgeFlags(context, connection, names, options)
      const { selection, rows, failures } = found
      if (rows.length === 0 && removedSince !== undefined) {
        context.messages.note(`no flag was removed from the code since ${removedSince}`)
      }
      const cut = rows.filter(({ usage }) => usage?.isCut).map(({ name }) => name)
      const incomplete: Incomplete[] = [
        ...selection.incomplete,
        ...unread(failures, rows.length, 'flags'),
        ...(cut.length > 0 ? [{ message: CUT_MESSAGE, names: cut }] : []),
      ]
      print(context, chosen, { ...found, connection, incomplete }, options)
      const refusal = refusalOf(rows, options)
      try {
        throwFailures(context, selection.failures, selection.requested, 'projects')
        throwFailures(context, failures, rows.length, 'flags')
      } catch (error) {
        if (!refusal) throw error
        context.messages.fail(failureOf(error))
      }
      if (refusal) throw refusal
    })
}
