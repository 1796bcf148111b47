import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { givenNames } from '../input/names.ts'
import { timeOf } from '../input/time.ts'
import {
  choice,
  choices,
  collect,
  collectPaths,
  count,
  sortOption,
  withExamples,
} from '../options.ts'
import type { RowField } from '../output/fields.ts'
import { counted, type Incomplete, incompleteLines } from '../output/incomplete.ts'
import { byCodeUnit } from '../output/order.ts'
import { githubText, junitText, type Problem } from '../output/problems.ts'
import { firstRows, printRows } from '../output/rows.ts'
import { connect } from '../profile/connection.ts'
import {
  type ProjectOptions,
  projectOption,
  refuseWithoutProjects,
  scopeText,
  singleProject,
  throwFailures,
  unread,
} from '../project/reading.ts'
import type { Connection } from '../service/connection.ts'
import { removedFlags, searchCode } from './code.ts'
import {
  type Counts,
  countsOf,
  type ProjectCounts,
  projectOf,
  shownVerdicts,
  totalsOf,
} from './counts.ts'
import { CUT_MESSAGE } from './evidence.ts'
import { lastSeen, matchesFlag, refuseUnknownTypes, typeOption } from './flags.ts'
import { judge, type JudgementOptions, notSeenForOption, sinceOption } from './judgement.ts'
import { printReviewPage } from './page.ts'
import { latest } from './records.ts'
import { type Selection, selectFlags } from './selection.ts'
import { type Span, spanOf, spanText, warnOfClock } from './span.ts'
import { optionValue, rankOf, type Row, type Verdict } from './verdict.ts'

const formats = [
  'table',
  'json',
  'jsonl',
  'csv',
  'markdown',
  'html',
  'github',
  'junit',
  'names',
] as const
const verdictValues = [
  'removable',
  'in-use',
  'unclear',
  'permanent',
  'archived',
  'not-a-flag',
] as const
const expectations = ['removable', 'in-use', 'unused'] as const
const sortKeys = ['verdict', 'project', 'name', 'type', 'created', 'last-seen'] as const

interface ReviewOptions extends ProjectOptions, Omit<JudgementOptions, 'code'> {
  namesFrom?: string | undefined
  removedSince?: string | undefined
  scan?: readonly string[] | undefined
  since: number
  verdict?: readonly (typeof verdictValues)[number][] | undefined
  type?: readonly string[] | undefined
  expect?: (typeof expectations)[number] | undefined
  failOn?: readonly (typeof verdictValues)[number][] | undefined
  sort: (typeof sortKeys)[number]
  reverse?: true | undefined
  limit?: number | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(options: ReviewOptions): void {
  const { app, environment, verdict, expect, removedSince, scan } = options
  const refuse = (message: string, hint: string): never => {
    throw new FlagadmError('usage', message, { hint })
  }
  if (removedSince !== undefined && !scan)
    refuse('--removed-since requires --scan', 'add --scan <path>')
  const filter = app ? '--app' : environment && '--environment'
  const wanted = verdict?.includes('removable')
    ? '--verdict removable'
    : expect === 'removable' && '--expect removable'
  if (filter && wanted) {
    refuse(
      `${wanted} cannot be combined with ${filter}, because it leaves out usage of the flags`,
      'use --expect unused, or leave out the filter',
    )
  }
}

const byName = (a: Row, b: Row) => byCodeUnit(a.evidence.name, b.evidence.name)
/** Of equal times, the difference is not a number. */
const byTime = (a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY) => (a === b ? 0 : a - b)
const seenAt = ({ evidence: { flag } }: Row) => flag && lastSeen(flag, undefined).time
const createdAt = ({ evidence: { flag } }: Row) => timeOf(flag?.createdAt)

const orders: Record<(typeof sortKeys)[number], (a: Row, b: Row) => number> = {
  verdict: (a, b) => rankOf(a) - rankOf(b),
  project: () => 0,
  name: byName,
  type: (a, b) => byCodeUnit(a.evidence.flag?.type ?? '', b.evidence.flag?.type ?? ''),
  created: (a, b) => byTime(createdAt(a), createdAt(b)),
  'last-seen': (a, b) =>
    byTime(seenAt(a) ?? Number.NEGATIVE_INFINITY, seenAt(b) ?? Number.NEGATIVE_INFINITY),
}

const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())

/** An environment in which a flag is, or was used. */
interface EnvironmentRow {
  name: string | null
  enabled: boolean | null
  lastSeenAt: string | null
  lastUsed: string | null
  yes: number
  no: number
}

/** The environments of a flag, by name; usage without an environment is last. */
function environmentsOfRow({ evidence: { flag, usage } }: Row): EnvironmentRow[] {
  const used = usage instanceof FlagadmError ? [] : usage.byEnvironment
  const known = flag?.environments ?? []
  const names = new Set([...known, ...used].map(({ name }) => name))
  return Array.from(names, (name) => {
    const { enabled, lastSeenAt } = known.find((one) => one.name === name) ?? {}
    const usage = used.find((one) => one.name === name)
    return {
      ...{ name: name ?? null, enabled: enabled ?? null, lastSeenAt: lastSeenAt ?? null },
      ...{ lastUsed: iso(usage?.lastUsed), yes: usage?.enabled ?? 0, no: usage?.disabled ?? 0 },
    }
  }).sort((a, b) => byCodeUnit(a.name ?? '\uffff', b.name ?? '\uffff'))
}

/** What is known about the usage of a flag; undefined if it could not be read. */
function usageOf({ evidence: { usage } }: Row) {
  return usage instanceof FlagadmError ? undefined : usage
}

/** The fields of JSON, JSON Lines and CSV. */
function objectFields(span: Span): RowField<Row>[] {
  const field = (name: string, value: RowField<Row>['value']): RowField<Row> => {
    return { name, value, kind: 'word' }
  }
  const detailsOf = ({ evidence: { details } }: Row) =>
    details instanceof FlagadmError ? undefined : details
  const dependents = (row: Row) => detailsOf(row)?.dependents
  return [
    field('project', ({ evidence }) => evidence.flag?.projectId),
    field('flag', ({ evidence }) => evidence.name),
    field('verdict', ({ verdict }) => verdict),
    field('usage', ({ usage }) => usage),
    field('reasons', ({ reasons }) => reasons),
    field('type', ({ evidence }) => evidence.flag?.type),
    field('stale', ({ evidence }) => evidence.flag?.stale),
    field('createdAt', ({ evidence }) => evidence.flag?.createdAt),
    field('lastSeenAt', (row) => iso(usageOf(row)?.seen.time)),
    field('lastUsed', (row) => iso(usageOf(row)?.lastUsed)),
    field('from', (row) => iso(usageOf(row)?.from)),
    field('to', () => iso(span.now)),
    field('hasDependents', (row) => dependents(row) && dependents(row)?.length !== 0),
    field('lifecycle', (row) => detailsOf(row)?.lifecycle),
    field('yes', (row) => usageOf(row)?.totals.enabled),
    field('no', (row) => usageOf(row)?.totals.disabled),
    field('dependents', dependents),
    field('references', ({ evidence: { code } }) =>
      code?.places.map(({ file, line, column }) => ({ file, line, column })),
    ),
    field('environments', environmentsOfRow),
  ]
}

const styles: Partial<Record<Verdict, 'green' | 'yellow'>> = {
  removable: 'green',
  unclear: 'yellow',
}

function tableFields(
  rows: readonly Row[],
  withProjects: boolean,
  isNarrow: boolean,
): RowField<Row>[] {
  const typeOf = ({ evidence: { flag } }: Row) =>
    flag && `${flag.type ?? ''}${flag.stale ? ' (stale)' : ''}`
  return [
    { title: 'Flag', value: ({ evidence }) => evidence.name, kind: 'name' },
    ...(withProjects ? [{ title: 'Project', value: projectOf, kind: 'name' as const }] : []),
    {
      title: 'Verdict',
      value: ({ verdict, isOn }) => (isOn ? `${verdict} (on)` : verdict),
      kind: 'word',
      // One that is on where no SDK asked for it is not as certain.
      style: ({ verdict, isOn }) => (isOn ? 'yellow' : (styles[verdict] ?? 'dim')),
    },
    ...(rows.some(typeOf)
      ? [{ title: 'Type', value: typeOf, kind: 'word' as const, isOptional: true }]
      : []),
    {
      title: 'Reasons',
      value: ({ reasons }) => reasons.join('; '),
      // A terminal cuts them.
      kind: isNarrow ? 'name' : 'word',
    },
  ]
}

/** `12 flags: 3 removable, 5 in use, 2 unclear, 2 permanent` */
function countText(counts: Counts): string {
  const parts = shownVerdicts(counts).map((verdict) => `${counts[verdict]} ${verdict}`)
  return `${counted(counts.flags, 'flag')}: ${parts.join(', ')}`
}

function totalFields(counts: Counts): RowField<ProjectCounts>[] {
  const title = (verdict: Verdict) => verdict.charAt(0).toUpperCase() + verdict.slice(1)
  return [
    { title: 'Project', value: ({ project }) => project, kind: 'name' },
    { title: 'Flags', value: ({ flags }) => flags, kind: 'number' },
    ...shownVerdicts(counts).map((verdict): RowField<ProjectCounts> => {
      return { title: title(verdict), value: (totals) => totals[verdict], kind: 'number' }
    }),
  ]
}

/** Why an expectation does not hold for a row; undefined if it does. */
function failsExpectation({ verdict, usage }: Row, expected: ReviewOptions['expect']): boolean {
  switch (expected) {
    case undefined:
      return false
    case 'removable':
      return verdict !== 'removable'
    case 'in-use':
      return usage !== 'used'
    case 'unused':
      return usage !== 'unused'
  }
}

/** Whether a row makes the command exit with 9. */
function isFailing(row: Row, { expect, failOn = [] }: ReviewOptions): boolean {
  return (
    failsExpectation(row, expect) || failOn.some((verdict) => verdict === optionValue(row.verdict))
  )
}

function problemsOf(
  rows: readonly Row[],
  incomplete: readonly Incomplete[],
  options: ReviewOptions,
): Problem[] {
  const isCheck = options.expect !== undefined || options.failOn !== undefined
  const problems = rows.map((row): Problem => {
    const { verdict, reasons, evidence } = row
    const { file, line, column } = evidence.code?.places[0] ?? {}
    const isWarning = !isCheck && verdict === 'removable'
    const expected = failsExpectation(row, options.expect) ? `, expected ${options.expect}` : ''
    const project = evidence.flag ? ` (project ${evidence.flag.projectId}${expected})` : expected
    return {
      code: optionValue(verdict),
      severity: isFailing(row, options) ? 'error' : isWarning ? 'warning' : 'info',
      name: evidence.name,
      message: `${verdict}${project}: ${reasons.join('; ')}`,
      ...{ file, line, column },
    }
  })
  const message = incompleteLines(incomplete).join('; ')
  return [
    ...problems,
    ...(message === '' ? [] : [{ code: 'incomplete', severity: 'warning' as const, message }]),
  ]
}

/** @throws `checkFailed` for flags that are not as expected, `notFound` for names that are not flags */
function refuse(rows: readonly Row[], options: ReviewOptions): void {
  const failing = rows.filter((row) => isFailing(row, options))
  const unknown = rows.filter(({ verdict }) => verdict === 'not a flag')
  if (failing.some(({ verdict }) => verdict !== 'not a flag')) {
    const [first] = failing
    const expected = options.expect ? `, expected ${options.expect}` : ''
    const what =
      first && failing.length === 1
        ? `${first.evidence.name} is ${first.verdict}${expected}`
        : `${failing.length} of ${rows.length} flags fail the check: ${countText(countsOf(failing))}${expected}`
    throw new FlagadmError('checkFailed', what)
  }
  const [first, ...others] = unknown
  if (!first) return
  const names = unknown.map(({ evidence }) => evidence.name)
  if (others.length === 0) {
    const message = first.reasons[0] ?? 'not a flag'
    throw new FlagadmError('notFound', message, { featureName: first.evidence.name })
  }
  throw new FlagadmError('notFound', `${names.length} names are not flags`, { names })
}

// More of them would hide what can be done.
const MAX_IN_USE = 20

/** What a table shows: with many flags in use, only how many they are. */
function forPeople(rows: readonly Row[], options: ReviewOptions) {
  const inUse = rows.filter(
    ({ verdict, isOnEverywhere }) => verdict === 'in use' && !isOnEverywhere,
  )
  if (inUse.length <= MAX_IN_USE || options.verdict?.includes('in-use')) return { rows, below: [] }
  const line = `${inUse.length} more flags are in use (--verdict in-use shows them)`
  return { rows: rows.filter((row) => !inUse.includes(row)), below: [line] }
}

/** Makes checks that may throw. @throws the last error; reports those before it */
function endWithWorst({ messages }: Context, checks: readonly (() => void)[]): void {
  const errors = checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      return [failureOf(error)]
    }
  })
  const last = errors.pop()
  for (const error of errors) messages.fail(error)
  if (last) throw last
}

/** What was found, to print. */
interface Review {
  connection: Connection
  selection: Selection
  span: Span
  rows: readonly Row[]
  incomplete: readonly Incomplete[]
}

function print(
  { out, messages }: Context,
  format: (typeof formats)[number],
  { connection, selection, span, rows: all, incomplete }: Review,
  options: ReviewOptions,
): void {
  const isWanted = ({ verdict }: Row) =>
    !options.verdict || options.verdict.some((value) => value === optionValue(verdict))
  const order = (a: Row, b: Row) =>
    orders[options.sort](a, b) || byCodeUnit(projectOf(a), projectOf(b)) || byName(a, b)
  const { rows, cut } = firstRows(all.filter(isWanted), order, options)
  const counts = countsOf(all)
  const totals = totalsOf(all)
  const report = { cut, incomplete, rows, nothing: 'No flags to show.' }
  const from = latest(all.map((row) => usageOf(row)?.from))
  const scope = scopeText(options, selection.projects)
  if (format === 'html') {
    const { notSeenFor } = options
    const page = { connection, scope, span, from, notSeenFor, rows, counts, totals, incomplete }
    printReviewPage(page, out)
  } else if (format === 'table' || format === 'markdown') {
    const { rows: shown, below } = forPeople(rows, options)
    const withProjects = singleProject(options) === undefined
    const caption = `Review of ${scope} on ${connection.target}, ${spanText(span, from)}`
    const fields = tableFields(shown, withProjects, out.width !== undefined)
    const sum = countText(counts)
    const hasTotals = withProjects && totals.length > 1
    const lines = [...below, ...(hasTotals ? [] : [sum])]
    printRows(format, { ...report, rows: shown, fields, caption, below: lines }, out)
    if (!hasTotals) return
    out.line()
    printRows(format, { rows: totals, fields: totalFields(counts), nothing: '', below: [sum] }, out)
  } else if (format === 'github') {
    out.raw(githubText(problemsOf(rows, incomplete, options), out))
  } else if (format === 'junit') {
    const properties = { service: connection.baseUrl }
    out.raw(junitText(problemsOf(rows, incomplete, options), 'feature review', out, properties))
  } else {
    const fields = format === 'names' ? tableFields(rows, false, false) : objectFields(span)
    printRows(format, { ...report, fields, json: { head: { totals }, rows: 'flags' } }, out)
    // These have no place for it.
    if (format !== 'csv' && format !== 'names') return
    for (const line of incompleteLines(incomplete)) messages.warn(line)
  }
}

/** The flags to review, those that are given or all of the projects, and how to find them in code. */
async function selectionOf(
  context: Context,
  connection: Connection,
  names: readonly string[],
  options: ReviewOptions,
): Promise<{ selection: Selection; code: JudgementOptions['code'] }> {
  const { scan, removedSince, type } = options
  const selection = await selectFlags(context, connection, names, options)
  const all = [...selection.flags.values()]
  refuseUnknownTypes(type, all)
  const matches = matchesFlag({ type })
  const isKept = (name: string) => {
    const flag = selection.flags.get(name)
    return flag ? matches(flag) : type === undefined
  }
  const kept = selection.names.filter(isKept)
  // The flags that depend on removable ones are searched for, too.
  const searched = [...new Set([...kept, ...selection.flags.keys()])]
  if (scan && removedSince !== undefined) {
    const removed = await removedFlags(context, scan, removedSince, searched)
    const isRemoved = new Set(removed.names)
    const own = kept.filter((name) => isRemoved.has(name))
    return { selection: { ...selection, names: own }, code: removed.evidence }
  }
  const code = scan && (await searchCode(context, scan, searched))
  return { selection: { ...selection, names: kept }, code }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  return command
    .description(
      withExamples(
        `${command.summary()}. Changes nothing`,
        'flagadm feature review --all-projects -p sandbox',
        'flagadm feature review --project checkout --verdict removable -o markdown -p sandbox',
        'flagadm feature review --all-projects --scan src --not-seen-for 30d -p sandbox',
        'flagadm feature review legacy-invoice-export --expect unused --since 48h -p sandbox',
      ),
    )
    .argument('[name...]', "names of the flags; '*': any text")
    .optionsGroup('Names:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
    .option(
      '--removed-since <revision>',
      'with --scan: flags that the code no longer contains since this git revision',
    )
    .optionsGroup('Evidence:')
    .addOption(sinceOption())
    .addOption(notSeenForOption())
    .option('--include-permanent', 'review kill-switch and permission flags like others')
    .option(
      '--scan <path>',
      'search source code for the flags: a file, folder or glob',
      collectPaths,
    )
    .option('--app <name>', "only usage by this application; '*': any text", collect)
    .option('-e, --environment <name>', "only usage in this environment; '*': any text", collect)
    .optionsGroup('Filters:')
    .addOption(choices('--verdict <verdict>', 'only this verdict', verdictValues))
    .addOption(typeOption())
    .optionsGroup('Check:')
    .addOption(choice('--expect <state>', 'exit with 9 unless every flag is this', expectations))
    .addOption(
      choices('--fail-on <verdict>', 'exit with 9 if a flag has this verdict', verdictValues),
    )
    .optionsGroup('View:')
    .addOption(sortOption(sortKeys))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n flags', count('--limit'))
    .action(async (given, options) => {
      const chosen = format()
      checkOptions(options)
      const names = await givenNames(context, given, options.namesFrom)
      if (names.length === 0 && options.removedSince === undefined) refuseWithoutProjects(options)
      const connection = await connect(context)
      const { selection, code } = await selectionOf(context, connection, names, options)
      if (selection.names.length === 0 && options.removedSince !== undefined) {
        context.messages.note(`no flag was removed from the code since ${options.removedSince}`)
      }
      const span = spanOf(options.since, await connection.clock.read())
      warnOfClock(context, connection.clock)
      const { rows, failures } = await judge(context, connection, selection, span, {
        ...options,
        code,
      })
      const cut = rows.filter((row) => usageOf(row)?.isCut)
      const incomplete: Incomplete[] = [
        ...selection.incomplete,
        ...unread(failures, rows.length, 'flags'),
        ...(cut.length > 0
          ? [{ message: CUT_MESSAGE, names: cut.map(({ evidence }) => evidence.name) }]
          : []),
      ]
      print(context, chosen, { connection, selection, span, rows, incomplete }, options)
      endWithWorst(context, [
        () => throwFailures(context, selection.failures, selection.requested, 'projects'),
        () => throwFailures(context, failures, rows.length, 'flags'),
        () => refuse(rows, options),
      ])
    })
}
