// What a review prints.
import type { Context } from '../command/context.ts'
import { unread } from '../requests/each.ts'
import { groupBy } from '../groups.ts'
import { shellCommand } from '../shell.ts'
import { factsOf, printsRows, type RowFormat, rowFormats } from '../output/formats.ts'
import { counted, type Incomplete, incompleteText, listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import { type Page, printPage } from './page/page.ts'
import { HOUR_MS } from '../output/time.ts'
import { printReport, printRows } from '../output/print.ts'
import { limitProblems, type Problem } from '../output/problems.ts'
import { firstRows } from '../output/rows.ts'
import { scopeText, singleProject } from '../project/selection.ts'
import { lastingName, type ShownService } from '../service/connection.ts'
import { factsOfVerdict, verdicts, verdictText } from './verdicts.ts'
import { filterText, TOO_MANY_APPLICATIONS } from '../usage/figure-doubts.ts'
import type { ReviewedFlags } from './flags.ts'
import { latest } from '../flags/records.ts'
import { coveredText, type Span, spanText } from '../flags/span.ts'
import { compareRows, type EarlierReview, type ListedRow } from './comparison.ts'
import { checklist } from './checklist.ts'
import { countedVerdicts, countsOf, countsText, type ReviewOptions, severityOf } from './check.ts'
import { reviewFields } from './fields.ts'
import { evidenceCommand, type ReviewSelection } from './options.ts'
import { changedFirst, orderOf, projectOf } from './order.ts'
import { taskOf } from './tasks.ts'
export const reviewFormats = [...rowFormats, 'html', 'github', 'junit'] as const
export type ReviewFormat = (typeof reviewFormats)[number]
// Marks the comment of a job in Markdown, and is the title of a JUnit report.
const COMMAND = 'feature review'
/** An earlier review, if this one is compared with it, and what this one is about. */
interface ReviewComparison {
  selection: ReviewSelection
  earlier: EarlierReview | undefined
}
/** The counts of each project, by its id; without names that are not flags. */
function totalsOf(rows: readonly ListedRow[], tellsFinished: boolean) {
  const flags = rows.filter(({ flag }) => flag)
  const totals = Array.from(groupBy(flags, projectOf), ([project, own]) => {
    return { project, ...countsOf(own, tellsFinished) }
  })
  return totals.sort(orderBy(({ project }) => project))
}
function reviewProblems(rows: readonly ListedRow[], options: ReviewOptions): Problem[] {
  return rows.map((row) => {
    const { name, verdict, before, reasons, code } = row
    const { file, line, column } = code?.places?.[0] ?? {}
    const severity = severityOf(row, options)
    const expected = severity === 'error' && options.expect ? `, expected ${options.expect}` : ''
    const id = projectOf(row)
    const project = id ? ` (project ${id}${expected})` : expected
    const change = before === undefined ? '' : ` (${before ? verdictText(before) : 'new'} before)`
    return {
      code: verdict ?? 'gone',
      severity,
      name,
      message: `${verdictText(verdict)}${change}${project}: ${reasons.join('; ')}`,
      file,
      line,
      column,
    }
  })
}
const NEXT = 'take the check out of the code, deploy, and archive the flag when it is removable'

// The reasons of more flags would not fit below a table.
const MAX_EXPLAINED = 3

/** The flags with more applications than the service reports. */
function missingApplications(rows: readonly ListedRow[]): Incomplete[] {
  const names = rows.filter(({ usage }) => usage?.hasMoreApplications).map(({ name }) => name)
  return names.length > 0 ? [{ message: TOO_MANY_APPLICATIONS, names }] : []
}

/** Whether a terminal shows a row without being asked for its verdict. */
const isWork = ({ verdict }: ListedRow) => verdict === null || factsOfVerdict(verdict).isWork

/** Whether to list only flags that someone acts on, and to count the others: on a terminal, unless others are asked for. */
function listsWork(
  { out }: Context,
  format: ReviewFormat,
  { names }: ReviewSelection,
  { verdict, sort, compare, expect, failOn }: ReviewOptions,
): boolean {
  const isOnScreen = out.width !== undefined && factsOf(format).isBrief === true
  const asked = names ?? verdict ?? compare ?? expect ?? failOn
  return isOnScreen && sort === 'verdict' && asked === undefined
}

/** The rows to print, in order: of a comparison, those that have changed, unless the format has all. */
function printedRows(
  all: readonly ListedRow[],
  context: Context,
  format: ReviewFormat,
  selection: ReviewSelection,
  options: ReviewOptions,
): { rows: ListedRow[]; others: ListedRow[]; beyondLimit: number } {
  const { verdict: wanted, compare, sort } = options
  // A later review is compared with JSON.
  const hasAll = compare !== undefined && (format === 'json' || format === 'html')
  if (hasAll) return { rows: all.toSorted(changedFirst(sort)), others: [], beyondLimit: 0 }
  const matching = all.filter(({ verdict, isChanged }) => {
    // A name alone does not show that its flag is gone.
    if (verdict === null && factsOf(format).rowsAs === 'name') return false
    return isChanged !== false && (!wanted || (verdict !== null && wanted.includes(verdict)))
  })
  const isListed = listsWork(context, format, selection, options) ? isWork : () => true
  const others = matching.filter((row) => !isListed(row))
  return { ...firstRows(matching.filter(isListed), orderOf(sort), options), others }
}

/** That the reviews cover usage of different lengths, and what has changed only for that; undefined if they do not. */
function spanChange(
  all: readonly ListedRow[],
  { covered }: EarlierReview,
  span: Span,
  coveredFrom: number | undefined,
): string | undefined {
  if (covered === undefined || coveredFrom === undefined) return undefined
  const textOf = (length: number) => {
    const whole = Math.ceil(length / HOUR_MS) * HOUR_MS
    return coveredText({ asked: { ...span.asked, milliseconds: whole }, now: length }, 0)
  }
  const [then, now] = [textOf(covered), textOf(span.now - coveredFrom)]
  if (then === now) return undefined
  const count = all.filter(({ isBySpan }) => isBySpan).length
  return `the earlier review covers ${then} of usage, this one ${now}: ${count} changed only for that`
}

/** How to see the flags that a terminal only counts. */
function othersText(others: readonly ListedRow[]): string | undefined {
  if (others.length === 0) return undefined
  const otherVerdicts = verdicts.filter((wanted) =>
    others.some(({ verdict }) => verdict === wanted),
  )
  return `--verdict ${otherVerdicts.join()} shows ${counted(others.length, 'more flag')}`
}

/** What every format prints: the flags with their verdicts, in order, and what is known about all of them. */
export function summaryOf(
  context: Context,
  service: ShownService,
  format: ReviewFormat,
  reviewed: ReviewedFlags,
  { selection, earlier }: ReviewComparison,
  options: ReviewOptions,
) {
  const { baseUrl, target } = service
  const { span, rows: reviewedRows, tellsFinished, failures } = reviewed
  const { project, allProjects } = options
  const all: readonly ListedRow[] = earlier
    ? compareRows(reviewedRows, earlier, reviewed.selection)
    : reviewedRows
  const coveredFrom = latest(reviewedRows.map(({ usage }) => usage?.from))
  const unreadFlags = unread({ failures, requested: reviewedRows.length }, 'flag')
  const isByProject = project !== undefined || allProjects
  const flags = counted(reviewedRows.length, 'flag')
  const about = isByProject ? scopeText(options, reviewed.selection.projects) : flags
  return {
    ...printedRows(all, context, format, selection, options),
    all,
    earlier,
    span,
    target,
    baseUrl,
    service: lastingName(service),
    selection,
    title: `Review of ${about}`,
    counts: `${flags}: ${countsText(all, tellsFinished)}`,
    tellsFinished,
    spanChange: earlier && spanChange(all, earlier, span, coveredFrom),
    /** How many flags have changed; undefined without a comparison. */
    changed: earlier && all.filter(({ isChanged }) => isChanged).length,
    covered: [
      filterText(options) + spanText(span, coveredFrom, reviewed.days),
      ...(options.acceptSilence ? [`silence of ${listed(options.acceptSilence)} accepted`] : []),
    ].join(', '),
    incomplete: [...reviewed.incomplete, ...unreadFlags, ...missingApplications(all)],
  }
}

type Summary = ReturnType<typeof summaryOf>

function pageOf(summary: Summary, context: Context, options: ReviewOptions): Page {
  const { all, rows, earlier, span, title, target, baseUrl, covered, incomplete } = summary
  const isLasting = summary.service === baseUrl
  const archive = evidenceCommand('archive', context, options)
  return {
    title,
    service: { url: isLasting ? baseUrl : undefined, name: target },
    span: covered,
    now: span.now,
    firstHour: span.firstHour,
    earlier,
    all,
    rows,
    verdicts: countedVerdicts(summary.tellsFinished),
    fields: reviewFields(span, {
      withProjects: true,
      isBrief: true,
      isRounded: true,
      isShort: false,
      isCompared: earlier !== undefined,
      owners: rows.map(({ owner }) => owner),
      sort: options.sort,
    }),
    incomplete: incomplete.map(incompleteText),
    archive: new Map([
      ['removable', { command: shellCommand(archive), needsFile: false }],
      ['still-on', { command: shellCommand([...archive, '--include-on']), needsFile: true }],
    ]),
  }
}

/**
 * All answers about a single flag, or the reasons of a few that a table does not have whole: a terminal may cut the one that
 * it shows.
 */
function explanations({ all, rows }: Summary, { out }: Context): string[] {
  const [single] = all
  if (single && all.length === 1 && rows.length === 1) {
    return single.verdict === 'finished' ? [...checklist(single), NEXT] : checklist(single)
  }
  if (rows.length > MAX_EXPLAINED) return []
  return rows
    .filter(({ reasons }) => reasons.length > 1 || out.width !== undefined)
    .map(({ name, reasons }) => `${name}: ${reasons.join('; ')}`)
}

async function printTable(
  context: Context,
  format: RowFormat,
  summary: Summary,
  options: ReviewOptions,
): Promise<void> {
  const { all, rows, others, beyondLimit, incomplete } = summary
  const { title, target, covered, counts, changed } = summary
  const { now } = summary.span
  const isCompared = changed !== undefined
  const isBrief = factsOf(format).isBrief === true
  const { hasTasks } = factsOf(format)
  const isTask = ({ verdict }: ListedRow) => hasTasks && verdict === 'finished'
  const report = {
    rows: rows.filter((row) => !isTask(row)),
    tasks: rows.filter(isTask).map(taskOf),
    beyondLimit,
    noun: 'flag',
    incomplete,
    marker: COMMAND,
    now: context.options.verbose ? undefined : now,
    fields: reviewFields(summary.span, {
      withProjects: singleProject(options) === undefined,
      isBrief,
      isRounded: !context.options.verbose,
      isShort: !context.options.verbose && context.out.width !== undefined,
      isCompared,
      owners: rows.map(({ owner }) => owner),
      sort: options.sort,
    }),
    caption: `${title} on ${target}, ${covered}`,
    nothing: isCompared ? 'No changes.' : `No flags to ${others.length > 0 ? 'act on' : 'show'}.`,
    others: othersText(others),
    below: [
      ...(isBrief ? explanations(summary, context) : []),
      counts,
      ...(isCompared ? [`${changed} changed since the earlier review`] : []),
      ...(summary.spanChange === undefined ? [] : [summary.spanChange]),
    ],
    json: {
      head: {
        service: summary.service,
        selection: summary.selection,
        totals: totalsOf(all, summary.tellsFinished),
      },
      rows: 'flags',
    },
  }
  await printRows(format, report, context)
}

export const showsOwners = (format: ReviewFormat) =>
  format === 'html' || (printsRows(format) && factsOf(format).rowsAs !== 'name')

/** @param empty why a check that fails has nothing to check, for CI systems */
export async function printReview(
  context: Context,
  format: ReviewFormat,
  summary: Summary,
  options: ReviewOptions,
  empty: string | undefined,
): Promise<void> {
  const { rows, beyondLimit, baseUrl, incomplete } = summary
  if (format === 'html') return printPage(pageOf(summary, context, options), context.out)
  if (printsRows(format)) return printTable(context, format, summary, options)
  const problems = [
    ...reviewProblems(rows, options),
    ...limitProblems({ rows, beyondLimit, noun: 'flag' }),
  ]
  if (empty !== undefined) {
    problems.push({ code: 'nothing-to-check', severity: 'error', message: empty })
  }
  const report = {
    title: COMMAND,
    groups: [{ problems }],
    incomplete,
    properties: { service: baseUrl },
  }
  await printReport(format, report, context)
}
