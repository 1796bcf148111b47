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
import { lastingName, type ShownService } from '../service/connection.ts'
import { type Verdict, verdicts } from './evidence.ts'
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
import {
  compareRows,
  type EarlierReview,
  type ListedRow,
  readEarlier,
  type ReviewSelection,
  selectionOf,
} from './review-comparison.ts'
import { rankOf } from './verdict.ts'

const formats = [...rowFormats, 'html', 'github', 'junit'] as const
type ReviewFormat = (typeof formats)[number]
const expectations = ['removable', 'in-use', 'unused'] as const
type Expectation = (typeof expectations)[number]
// Marks the comment of a job in Markdown, and is the title of a JUnit report.
const COMMAND = 'feature review'

/** A verdict as the value of an option: `in-use`; `gone` for a flag that is gone. */
const wordOf = (verdict: Verdict | null) => (verdict ?? 'gone').replaceAll(' ', '-')

interface ReviewOptions extends EvidenceOptions {
  verdict?: readonly string[] | undefined
  expect?: Expectation | undefined
  failOn?: readonly string[] | undefined
  allowEmpty?: true | undefined
  compare?: string | undefined
  limit?: number | undefined
}

/** An earlier review, if this one is compared with it, and what this one is about. */
interface Comparison {
  selection: ReviewSelection
  earlier: EarlierReview | undefined
}

/** @throws a usage error for options that cannot be combined */
function checkOptions(options: ReviewOptions): void {
  const { app, environment, verdict, expect, compare } = options
  if (compare !== undefined && expect !== undefined) {
    throw new FlagadmError('usage', '--compare cannot be combined with --expect', {
      hint: 'use --fail-on, which counts changed flags',
    })
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
const projectOf = ({ flag, goneFrom }: ListedRow) => flag?.projectId ?? goneFrom ?? ''

const order = orderBy<ListedRow>(rankOf, projectOf, ({ name }) => name)
const changedFirst = orderBy<ListedRow>(
  ({ isChanged }) => (isChanged ? 0 : 1),
  rankOf,
  projectOf,
  ({ name }) => name,
)

/**
 * The environments in which a flag is, or was used, by name; usage without an environment is last. When the flag was seen there is as the
 * service wrote it: null for never, undefined if that is not reported.
 */
function usageByEnvironment({ flag, usage }: ListedRow) {
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
function adviceOf({ verdict, isOnEverywhere }: ListedRow): 'remove' | 'make-permanent' | null {
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

/** What the verdict was, and whether it has changed. */
const comparisonFields: readonly RowField<ListedRow>[] = [
  field.word('before', 'Before', ({ before }) => before, {
    cell: ({ before }) => before ?? 'new',
    before: 'lastSeenAt',
  }),
  field.data('changed', ({ isChanged }) => isChanged),
]

interface FieldChoice {
  withProjects: boolean
  /** Whether to show only the first reason of each flag, so that it fits a line of a terminal. */
  isBrief: boolean
  /** Whether the review is compared with an earlier one. */
  isCompared: boolean
}

function reviewFields(
  now: number,
  { withProjects, isBrief, isCompared }: FieldChoice,
): RowField<ListedRow>[] {
  return [
    field.key('flag', 'Flag', ({ name }) => name),
    field.name('project', withProjects ? 'Project' : undefined, (row) => projectOf(row) || null, {
      isOptional: true,
    }),
    field.word('verdict', 'Verdict', ({ verdict }) => verdict, {
      cell: ({ verdict, isOn }) => (isOn ? `${verdict} (on)` : (verdict ?? 'gone')),
      // One that is on where no SDK asked for it is not as certain as the others.
      style: ({ verdict, isOn }) => (isOn ? 'magenta' : ((verdict && styles[verdict]) ?? 'dim')),
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
    ...(isCompared ? comparisonFields : []),
  ]
}

/** How many flags there are, and how many with each verdict. */
function countsOf(rows: readonly ListedRow[]): { flags: number } & Record<Verdict, number> {
  const none = { removable: 0, 'in use': 0, unclear: 0, permanent: 0, archived: 0, 'not a flag': 0 }
  const counts = { flags: rows.length, ...none }
  for (const { verdict } of rows) if (verdict) counts[verdict]++
  return counts
}

/** The counts of each project, by its id; without names that are not flags. */
function totalsOf(rows: readonly ListedRow[]) {
  const flags = rows.filter(({ flag }) => flag)
  const totals = Array.from(groupBy(flags, projectOf), ([project, own]) => {
    return { project, ...countsOf(own) }
  })
  return totals.sort(orderBy(({ project }) => project))
}

// The line below a table has these even if no flag has them.
const MAIN_VERDICTS: readonly Verdict[] = ['removable', 'in use', 'unclear', 'permanent']

/** `3 removable, 0 in use`: the verdicts that flags have, and others that are always shown. */
function verdictCounts(rows: readonly ListedRow[], always: readonly Verdict[] = []): string {
  const counts = countsOf(rows)
  const shown = verdicts.filter((verdict) => always.includes(verdict) || counts[verdict] > 0)
  return shown.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}

function isExpected({ verdict, usageState }: ListedRow, expect: Expectation): boolean {
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
function isFailing(row: ListedRow, { expect, failOn = [] }: ReviewOptions): boolean {
  if (row.isChanged === false) return false
  if (expect !== undefined && !isExpected(row, expect)) return true
  return failOn.includes(wordOf(row.verdict))
}

/** Without a check, what can go is worth a warning. */
function severityOf(row: ListedRow, options: ReviewOptions): Severity {
  if (isFailing(row, options)) return 'error'
  const isCheck = options.expect !== undefined || options.failOn !== undefined
  return !isCheck && row.verdict === 'removable' ? 'warning' : 'info'
}

/** The problems of formats for CI systems. */
function reviewProblems(rows: readonly ListedRow[], options: ReviewOptions): Problem[] {
  return rows.map((row) => {
    const { name, verdict, before, reasons, code } = row
    const { file, line, column } = code?.places[0] ?? {}
    const severity = severityOf(row, options)
    const expected = severity === 'error' && options.expect ? `, expected ${options.expect}` : ''
    const id = projectOf(row)
    const project = id ? ` (project ${id}${expected})` : expected
    const change = before === undefined ? '' : ` (${before ?? 'new'} before)`
    return {
      code: wordOf(verdict),
      severity,
      name,
      message: `${verdict ?? 'gone'}${change}${project}: ${reasons.join('; ')}`,
      file,
      line,
      column,
    }
  })
}

/** The error for flags that are not as expected, or for names that are not flags; undefined without any. */
function refusalOf(rows: readonly ListedRow[], options: ReviewOptions): FlagadmError | undefined {
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
function missingApplications(rows: readonly ListedRow[]): Incomplete[] {
  const names = rows.filter(({ usage }) => usage?.hasMoreApplications).map(({ name }) => name)
  return names.length > 0 ? [{ message: TOO_MANY_APPLICATIONS, names }] : []
}

/** The rows that people read in a table: of many flags in use, only how many there are. */
function shortened(rows: readonly ListedRow[], { verdict }: ReviewOptions) {
  const isCommon = (row: ListedRow) => row.verdict === 'in use' && !row.isOnEverywhere
  const inUse = rows.filter(isCommon).length
  if (inUse <= MAX_IN_USE || verdict?.includes('in-use')) return { shown: rows, notes: [] }
  return {
    shown: rows.filter((row) => !isCommon(row)),
    notes: [`${inUse} more flags are in use (--verdict in-use shows them)`],
  }
}

/** The rows to print, in order: of a comparison, those that have changed, unless the format has all. */
function printedRows(
  all: readonly ListedRow[],
  format: ReviewFormat,
  options: ReviewOptions,
): { rows: ListedRow[]; beyondLimit: number } {
  const { verdict: wanted, compare } = options
  // A later review is compared with JSON.
  const hasAll = compare !== undefined && (format === 'json' || format === 'html')
  if (hasAll) return { rows: all.toSorted(changedFirst), beyondLimit: 0 }
  const matching = all.filter(({ verdict, isChanged }) => {
    return isChanged !== false && (!wanted || wanted.includes(wordOf(verdict)))
  })
  return firstRows(matching, order, options)
}

/** What every format prints: the flags with their verdicts, in order, and what is known about all of them. */
function summaryOf(
  service: ShownService,
  format: ReviewFormat,
  found: ReviewedFlags,
  { selection, earlier }: Comparison,
  options: ReviewOptions,
) {
  const { baseUrl, target } = service
  const { span, rows: reviewed, failures } = found
  const { project, allProjects } = options
  const all: readonly ListedRow[] = earlier
    ? compareRows(reviewed, earlier, found.selection)
    : reviewed
  const unreadFlags = unread({ failures, requested: reviewed.length }, 'flag')
  const isByProject = project !== undefined || allProjects
  const flags = counted(reviewed.length, 'flag')
  const about = isByProject ? scopeText(options, found.selection.projects) : flags
  return {
    ...printedRows(all, format, options),
    all,
    span,
    target,
    baseUrl,
    service: lastingName(service),
    selection,
    title: `Review of ${about}`,
    counts: `${flags}: ${verdictCounts(all, MAIN_VERDICTS)}`,
    /** How many flags have changed; undefined without a comparison. */
    changed: earlier && all.filter(({ isChanged }) => isChanged).length,
    covered: spanText(span, latest(reviewed.map(({ usage }) => usage?.from))),
    incomplete: [...found.incomplete, ...unreadFlags, ...missingApplications(all)],
  }
}

type Summary = ReturnType<typeof summaryOf>

/** The review as a page. */
function pageOf({ all, rows, span, title, target, baseUrl, covered, incomplete }: Summary): Page {
  return {
    title,
    service: { url: baseUrl, name: target },
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
  summary: Summary,
  options: ReviewOptions,
): Promise<void> {
  const { all, rows, beyondLimit, title, target, covered, counts, changed, incomplete } = summary
  const { now } = summary.span
  const isCompared = changed !== undefined
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
    fields: reviewFields(now, {
      withProjects: singleProject(options) === undefined,
      isBrief,
      isCompared,
    }),
    caption: `${title} on ${target}, ${covered}`,
    nothing: isCompared ? 'No changes.' : 'No flags to show.',
    below: [
      ...explained.map(({ name, reasons }) => `${name}: ${reasons.join('; ')}`),
      ...notes,
      counts,
      ...(isCompared ? [`${changed} changed since the earlier review`] : []),
    ],
    json: {
      head: {
        service: summary.service,
        selection: summary.selection,
        totals: totalsOf(all),
      },
      rows: 'flags',
    },
  }
  await printRows(format, report, context)
}

async function print(
  context: Context,
  format: ReviewFormat,
  summary: Summary,
  options: ReviewOptions,
): Promise<void> {
  const { rows, beyondLimit, baseUrl, incomplete } = summary
  if (format === 'html') return printPage(pageOf(summary), context.out)
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
    .option('--compare <file>', 'show what has changed since the JSON of an earlier review')
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
      const { compare } = options
      const isWhole = compare !== undefined
      const about = selectionOf(names, options, isWhole ? {} : options)
      const earlier = isWhole
        ? await readEarlier(context, compare, lastingName(connection), about)
        : undefined
      const found = await reviewFlags(context, connection, names, options)
      const { selection, rows, failures } = found
      if (rows.length === 0 && removedSince !== undefined) {
        context.messages.note(`no flag was removed from the code since ${removedSince}`)
      }
      const summary = summaryOf(connection, chosen, found, { selection: about, earlier }, options)
      await print(context, chosen, summary, options)
      const refusal = refusalOf(summary.all, options)
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
