import type { Context, Define } from '../cli/context.ts'
import { throwFailures, unread } from '../requests/each.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { emptyList, givenNames } from '../input/names.ts'
import {
  allowEmptyOption,
  choice,
  choices,
  collect,
  count,
  refuseEmpty,
  withExamples,
} from '../cli/options.ts'
import { field, type RowField } from '../output/fields.ts'
import { factsOf, fitsTerminal, printsRows, type RowFormat, rowFormats } from '../output/formats.ts'
import { counted, type Incomplete, incompleteText, listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { type Page, printPage } from '../output/page.ts'
import { printReport, printRows } from '../output/print.ts'
import { limitProblems, type Problem, type Severity } from '../output/problems.ts'
import { firstRows } from '../output/rows.ts'
import { isoText } from '../output/time.ts'
import { connect } from '../profile/connect.ts'
import {
  projectOption,
  requireProjects,
  scopeText,
  singleProject,
  withoutFlagsText,
} from '../project/projects.ts'
import type { Connection } from '../service/connection.ts'
import { type Row, type Verdict, verdicts } from './evidence.ts'
import { TOO_MANY_APPLICATIONS } from './figure-doubts.ts'
import { isOfType, typeOption } from './flag-types.ts'
import { type Flag, lastSeen, type Selection, typeText } from './flags.ts'
import {
  evidenceOptions,
  type EvidenceOptions,
  type ReviewedFlags,
  reviewFlags,
} from './review-flags.ts'
import { latest } from './records.ts'
import { spanText } from './span.ts'
import { rankOf } from './verdict.ts'

const formats = [...rowFormats, 'html', 'github', 'junit'] as const
const expectations = ['removable', 'in-use', 'unused'] as const
type Expectation = (typeof expectations)[number]
// Marks the comment of a job in Markdown, and is the title of a JUnit report.
const COMMAND = 'feature review'

/** A verdict as the value of an option: `in-use`. */
const wordOf = (verdict: Verdict) => verdict.replaceAll(' ', '-')

interface ReviewOptions extends EvidenceOptions {
  verdict?: readonly string[] | undefined
  expect?: Expectation | undefined
  failOn?: readonly string[] | undefined
  allowEmpty?: true | undefined
  limit?: number | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(options: ReviewOptions): void {
  const { app, environment, verdict, expect } = options
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

const order = orderBy<Row>(rankOf, projectOf, ({ name }) => name)

/**
 * The environments in which a flag is, or was used, by name; usage without an environment is last. When the flag was seen there is as the
 * service wrote it: null for never, undefined if that is not reported.
 */
function usageByEnvironment({ flag, usage }: Row) {
  const known = new Map(flag?.environments.map((one) => [one.name, one]))
  const used = new Map(usage?.byEnvironment.map((one) => [one.name, one]))
  const none = usage ? 0 : null
  const environments = Array.from(new Set([...known.keys(), ...used.keys()]), (name) => {
    const { enabled = null, lastSeenAt } = known.get(name ?? '') ?? {}
    const { lastUsed, enabled: yes = none, disabled: no = none } = used.get(name) ?? {}
    return { name: name ?? null, enabled, lastSeenAt, lastUsed: isoText(lastUsed) ?? null, yes, no }
  })
  return environments.sort(orderBy(({ name }) => name ?? '\uffff'))
}

/** What to do with a flag, for programs; null for nothing. */
function adviceOf({ verdict, isOnEverywhere }: Row): 'remove' | 'make-permanent' | null {
  if (verdict === 'removable') return 'remove'
  return isOnEverywhere ? 'make-permanent' : null
}

/** When a flag was last seen; `?` if that is not known. */
function sightingCell(flag: Flag): string | undefined {
  const { time, isReported } = lastSeen(flag)
  return isoText(time) ?? (isReported ? undefined : '?')
}

/** The styles of verdicts, other than of a flag that is on; the other verdicts are dim. */
const styles: Partial<Record<Verdict, 'green' | 'magenta' | 'red'>> = {
  removable: 'green',
  unclear: 'magenta',
  'not a flag': 'red',
}

/** The fields of rows. @param isBrief whether to show only the first reason of each flag, so that it fits a line of a terminal */
function reviewFields(
  now: number,
  { withProjects, isBrief }: { withProjects: boolean; isBrief: boolean },
): RowField<Row>[] {
  return [
    field.key('flag', 'Flag', ({ name }) => name),
    field.name('project', withProjects ? 'Project' : undefined, ({ flag }) => flag?.projectId, {
      isOptional: true,
    }),
    field.word('verdict', 'Verdict', ({ verdict }) => verdict, {
      cell: ({ verdict, isOn }) => (isOn ? `${verdict} (on)` : verdict),
      // One that is on where no SDK asked for it is not as certain as the others.
      style: ({ verdict, isOn }) => (isOn ? 'magenta' : (styles[verdict] ?? 'dim')),
    }),
    field.time('lastSeenAt', 'Last seen', ({ flag }) => flag && isoText(lastSeen(flag).time), {
      cell: ({ flag }) => flag && sightingCell(flag),
      isOptional: true,
    }),
    field.word('type', 'Type', ({ flag }) => flag?.type, {
      cell: ({ flag }) => flag && typeText(flag),
      isOptional: true,
    }),
    field.text('reasons', 'Reasons', ({ reasons }) => reasons, {
      cell: ({ reasons }) => (isBrief ? reasons[0] : reasons.join('; ')),
    }),
    field.data('usage', ({ usageState }) => usageState),
    field.data('stale', ({ flag }) => flag?.stale),
    field.data('createdAt', ({ flag }) => flag?.createdAt),
    field.data('lastUsed', ({ usage }) => isoText(usage?.lastUsed)),
    field.data('from', ({ usage }) => isoText(usage?.from)),
    field.data('to', () => isoText(now)),
    field.data('lifecycle', ({ lifecycle }) => lifecycle),
    field.data('yes', ({ usage }) => usage?.totals.enabled),
    field.data('no', ({ usage }) => usage?.totals.disabled),
    field.data('dependents', ({ dependents }) => dependents),
    field.data('references', ({ code }) =>
      code?.places.map(({ file, line, column }) => ({ file, line, column })),
    ),
    field.data('environments', usageByEnvironment),
    field.data('createdBy', ({ createdBy }) => createdBy),
    field.data('advice', adviceOf),
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
  return totals.sort(orderBy(({ project }) => project))
}

// The line below a table has these even if no flag has them.
const MAIN_VERDICTS: readonly Verdict[] = ['removable', 'in use', 'unclear', 'permanent']

/** `3 removable, 0 in use`: the verdicts that flags have, and others that are always shown. */
function verdictCounts(rows: readonly Row[], always: readonly Verdict[] = []): string {
  const counts = countsOf(rows)
  const shown = verdicts.filter((verdict) => always.includes(verdict) || counts[verdict] > 0)
  return shown.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}

function isExpected({ verdict, usageState }: Row, expect: Expectation): boolean {
  switch (expect) {
    case 'removable':
      return verdict === 'removable'
    case 'in-use':
      return usageState === 'used'
    case 'unused':
      return usageState === 'unused'
  }
}

/** Whether a row is not as expected, or has a verdict that the command fails on. */
function isFailing(row: Row, { expect, failOn = [] }: ReviewOptions): boolean {
  if (expect !== undefined && !isExpected(row, expect)) return true
  return failOn.includes(wordOf(row.verdict))
}

/** Without a check, what can go is worth a warning. */
function severityOf(row: Row, options: ReviewOptions): Severity {
  if (isFailing(row, options)) return 'error'
  const isCheck = options.expect !== undefined || options.failOn !== undefined
  return !isCheck && row.verdict === 'removable' ? 'warning' : 'info'
}

/** The problems of formats for CI systems. */
function reviewProblems(rows: readonly Row[], options: ReviewOptions): Problem[] {
  return rows.map((row) => {
    const { name, flag, verdict, reasons, code } = row
    const { file, line, column } = code?.places[0] ?? {}
    const severity = severityOf(row, options)
    const expected = severity === 'error' && options.expect ? `, expected ${options.expect}` : ''
    const project = flag ? ` (project ${flag.projectId}${expected})` : expected
    return {
      code: wordOf(verdict),
      severity,
      name,
      message: `${verdict}${project}: ${reasons.join('; ')}`,
      file,
      line,
      column,
    }
  })
}

/** The error for flags that are not as expected, or for names that are not flags; undefined without any. */
function refusalOf(rows: readonly Row[], options: ReviewOptions): FlagadmError | undefined {
  const failing = rows.filter((row) => isFailing(row, options))
  // Alone, names that are not flags are another error, unless the check asks for them.
  const failsOnUnknown = options.failOn?.includes('not-a-flag')
  const decisive = failing.filter(({ verdict }) => failsOnUnknown || verdict !== 'not a flag')
  if (decisive.length > 0) {
    const expected = options.expect ? `, expected ${options.expect}` : ''
    const [first] = failing
    const what =
      first && failing.length === 1
        ? `${first.name} is ${first.verdict}`
        : `${failing.length} of ${rows.length} flags fail the check: ${verdictCounts(failing)}`
    return new FlagadmError('checkFailed', what + expected)
  }
  const unknown = rows.filter(({ verdict }) => verdict === 'not a flag')
  if (unknown.length === 0) return undefined
  const names = unknown.map(({ name }) => name)
  const why = names.length > 1 ? 'not flags' : unknown[0]?.reasons[0]
  return new FlagadmError('notFound', `${listed(names)}: ${why}`, { names })
}

/**
 * Refuses a check without flags, wherever the code has them.
 * @param given the names that were given
 */
function refuseWithoutFlags(
  { messages }: Context,
  given: readonly string[],
  { names, flags, ...projects }: Selection,
  options: ReviewOptions,
): void {
  const { expect, failOn, type, namesFrom } = options
  const isCheck = expect !== undefined || failOn !== undefined
  if (!isCheck || names.some((name) => isOfType(flags.get(name), type))) return
  const which = type ? `flags of type ${type.join(' or ')}` : 'flags'
  if (given.length > 0) {
    refuseEmpty(messages, options, { why: `no ${which} among those given` })
  } else if (namesFrom === undefined) {
    refuseEmpty(messages, options, { why: withoutFlagsText(options, projects, which) })
  } else refuseEmpty(messages, options, emptyList(namesFrom))
}

// More flags in use would hide what can be done.
const MAX_IN_USE = 20
// The reasons of more flags would not fit below a table.
const MAX_EXPLAINED = 3

/** The flags with more applications than the service reports. */
function missingApplications(rows: readonly Row[]): Incomplete[] {
  const names = rows.filter(({ usage }) => usage?.hasMoreApplications).map(({ name }) => name)
  return names.length > 0 ? [{ message: TOO_MANY_APPLICATIONS, names }] : []
}

/** The rows that people read in a table: of many flags in use, only how many there are. */
function shortened(rows: readonly Row[], { verdict }: ReviewOptions) {
  const isCommon = (row: Row) => row.verdict === 'in use' && !row.isOnEverywhere
  const inUse = rows.filter(isCommon).length
  if (inUse <= MAX_IN_USE || verdict?.includes('in-use')) return { shown: rows, notes: [] }
  return {
    shown: rows.filter((row) => !isCommon(row)),
    notes: [`${inUse} more flags are in use (--verdict in-use shows them)`],
  }
}

/** What every format prints: the flags with their verdicts, in order, and what is known about all of them. */
function summaryOf({ target }: Connection, found: ReviewedFlags, options: ReviewOptions) {
  const { selection, span, rows: all, failures } = found
  const { verdict: wanted, project, allProjects } = options
  const unreadFlags = unread({ failures, requested: all.length }, 'flag')
  const matching = all.filter(({ verdict }) => !wanted || wanted.includes(wordOf(verdict)))
  const isByProject = project !== undefined || allProjects
  const about = isByProject ? scopeText(options, selection.projects) : counted(all.length, 'flag')
  return {
    ...firstRows(matching, order, options),
    all,
    span,
    target,
    title: `Review of ${about}`,
    covered: spanText(span, latest(all.map(({ usage }) => usage?.from))),
    incomplete: [...found.incomplete, ...unreadFlags, ...missingApplications(all)],
  }
}

type Summary = ReturnType<typeof summaryOf>

/** The review as a page. */
function pageOf(
  { all, rows, span, title, target, covered, incomplete }: Summary,
  url: string,
): Page {
  return {
    title,
    service: { url, name: target },
    span: covered,
    now: span.now,
    firstHour: span.firstHour,
    counts: countsOf(all),
    projects: totalsOf(all),
    rows: rows.map((row) => {
      return { ...row, rank: rankOf(row), environments: usageByEnvironment(row) }
    }),
    incomplete: incomplete.map(incompleteText),
  }
}

async function printTable(
  context: Context,
  format: RowFormat,
  { all, rows, beyondLimit, span, title, target, covered, incomplete }: Summary,
  options: ReviewOptions,
): Promise<void> {
  const { now } = span
  const isForPeople = factsOf(format).reader === 'people'
  const { shown, notes } = isForPeople ? shortened(rows, options) : { shown: rows, notes: [] }
  const isBrief = fitsTerminal(format, context.out)
  const explained = isBrief && shown.length <= MAX_EXPLAINED ? shown : []
  const report = {
    rows: shown,
    beyondLimit,
    incomplete,
    marker: COMMAND,
    now: context.options.verbose ? undefined : now,
    fields: reviewFields(now, { withProjects: singleProject(options) === undefined, isBrief }),
    caption: `${title} on ${target}, ${covered}`,
    nothing: 'No flags to show.',
    below: [
      ...explained.map(({ name, reasons }) => `${name}: ${reasons.join('; ')}`),
      ...notes,
      `${counted(all.length, 'flag')}: ${verdictCounts(all, MAIN_VERDICTS)}`,
    ],
    json: { head: { totals: totalsOf(all) }, rows: 'flags' },
  }
  await printRows(format, report, context)
}

async function print(
  context: Context,
  format: (typeof formats)[number],
  connection: Connection,
  found: ReviewedFlags,
  options: ReviewOptions,
): Promise<void> {
  const { baseUrl } = connection
  const summary = summaryOf(connection, found, options)
  const { rows, beyondLimit, incomplete } = summary
  if (format === 'html') return printPage(pageOf(summary, baseUrl), context.out)
  if (printsRows(format)) return printTable(context, format, summary, options)
  const report = {
    title: COMMAND,
    groups: [{ problems: [...reviewProblems(rows, options), ...limitProblems(beyondLimit)] }],
    incomplete,
    properties: { service: baseUrl },
  }
  await printReport(format, report, context)
}

export const define: Define = (command, context) => {
  const format = context.formats(command, formats)
  const verdictWords = verdicts.map(wordOf)
  const described = withExamples(
    command,
    [
      'flagadm feature review --all-projects -p sandbox',
      'flagadm feature review --project checkout --verdict removable -o markdown -p sandbox',
      'flagadm feature review --all-projects --scan src --not-seen-for 30d -p sandbox',
      'flagadm feature review legacy-invoice-export --expect unused --since 48h -p sandbox',
    ],
    'Changes nothing.',
  )
    .argument('[name...]', "names of flags; '*' matches any text")
    .optionsGroup('Flags:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .addOption(choices('--verdict <verdict>', 'show only this verdict', verdictWords))
    .addOption(typeOption())
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .option('--removed-since <revision>', 'with --scan: only flags removed from the code since')
  return evidenceOptions(described)
    .optionsGroup('Usage that counts:')
    .option('--app <name>', "only this application; '*' matches any text", collect)
    .option('-e, --environment <name>', "only this environment; '*' matches any text", collect)
    .optionsGroup('Check:')
    .addOption(choice('--expect <state>', 'exit with 9 unless every flag is this', expectations))
    .addOption(choices('--fail-on <verdict>', 'exit with 9 if a flag is this', verdictWords))
    .addOption(allowEmptyOption())
    .optionsGroup('View:')
    .option('--limit <n>', 'show at most n flags', count('--limit'))
    .action(async (given, options) => {
      const chosen = format()
      checkOptions(options)
      const { removedSince, namesFrom, allowEmpty = false } = options
      const names = await givenNames(context, given, namesFrom, allowEmpty)
      if (names.length === 0 && namesFrom === undefined && removedSince === undefined) {
        requireProjects(options, 'names or projects')
      }
      const connection = await connect(context)
      const found = await reviewFlags(context, connection, names, options)
      const { selection, rows, failures } = found
      if (rows.length === 0 && removedSince !== undefined) {
        context.messages.note(`no flag was removed from the code since ${removedSince}`)
      }
      await print(context, chosen, connection, found, options)
      const refusal = refusalOf(rows, options)
      try {
        throwFailures(context, selection, { failures, requested: rows.length })
      } catch (error) {
        if (!refusal) throw error
        context.messages.fail(failureOf(error))
      }
      if (refusal) throw refusal
      refuseWithoutFlags(context, names, selection, options)
    })
}
