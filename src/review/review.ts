import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { failureOfRun } from '../old/failures.ts'
import { flagOrder, matchingFlags, refuseUnknownFilters } from '../flags/selection.ts'
import { unknownValue } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { asksScan, noteUnread, refuseWithoutPaths, scanRequest } from '../names/scanning.ts'
import { type FormatOf, formats } from '../old/output/formats.ts'
import { writeReport } from '../old/output/file.ts'
import { byCodeUnit } from '../output/order.ts'
import { firstRows } from '../old/output/rows.ts'
import { counted } from '../old/output/phrases.ts'
import { connect } from '../profile/connection.ts'
import { type Flag, readFeatures } from '../projects/flags.ts'
import { refuseUnknown, unreadError } from '../projects/missing.ts'
import { readProjects } from '../projects/reading.ts'
import { refuseWithoutProjects, scopeText, singleProject } from '../projects/selection.ts'
import { type Span, wider } from '../usage/span.ts'
import { type Evidence, knownUsage, type ReviewedFlag, reviewedFlags } from './evidence.ts'
import { type ReviewOptions, type Verdict, verdicts, verdictValues } from './options.ts'
import { type ReviewedCode, readUsage, reviewCode } from './reading.ts'
import { renderReview } from './report/formats.ts'
import type { OptionalPart, ReviewReport } from './report/report.ts'
import { reasonTexts } from './report/reasons.ts'
import { notCheckedText } from './report/table.ts'
import { countsOf, environmentRows, type ReviewedRow, totalsOf } from './rows.ts'
import { decide } from './verdict.ts'

/**
 * Reviews the flags of projects: which can be removed, which are in use, which are unclear, and which
 * are permanent.
 * @throws `checkFailed` for `--fail-on` if flags are removable, otherwise the failures of projects and flags
 */
export async function reviewFeatures(context: Context, options: ReviewOptions): Promise<void> {
  const format = context.format(formats.review)
  const wanted = verdictsOf(options)
  refuseWithoutProjects(options)
  const scan = asksScan(options) ? await scanRequest(context, [], options) : undefined
  if (scan) refuseWithoutPaths(scan)
  const connection = await connect(context)
  const projects = await readProjects(context, connection, options, async (id, isListed) =>
    reviewedFlags(await readFeatures(connection.service, id, isListed), id),
  )
  refuseUnknown(options, projects)
  const flags = flagsToReview(projects.results.flat(), options)
  const names = flags.map(({ name }) => name)
  const code = scan && (await reviewCode(context, scan, names, format))
  const usages = await readUsage(context, connection, names, options)
  const rows = rowsOf(flags, usages, code, options, connection.now())
  const unread = rows.filter((row) => knownUsage(row) === undefined)
  const kept = rows.filter(({ verdict }) => wanted.includes(verdict))
  const withProjects = singleProject(options) === undefined
  const report: ReviewReport = {
    ...firstRows(kept, orderBy(options), options),
    totals: totalsOf(rows),
    sum: countsOf(rows),
    span: widestSpan(rows),
    target: connection.target,
    scope: withProjects ? counted(projects.results.length, 'project') : scopeText(options),
    withProjects,
    failsOnRemovable: options.failOn !== undefined,
    notChecked: notCheckedIn(flags),
    missing: {
      ...projects.missing,
      flags: { names: unread.map(({ flag }) => flag.name), of: names.length },
      lookups: code?.unread ?? [],
    },
  }
  await show(context, format, report, options.outputFile)
  const failures = [unreadFlags(rows), unreadError(projects)].filter(
    (failure) => failure !== undefined,
  )
  refuse(context, report, failures)
}

/** @throws a usage error for an unknown verdict */
function verdictsOf({ verdict }: ReviewOptions): readonly Verdict[] {
  if (!verdict) return verdicts
  return verdict.map((text) => {
    // `in use`, as in reports, is accepted too.
    const known = verdicts[verdictValues.indexOf(text.replace(' ', '-'))]
    if (known !== undefined) return known
    throw unknownValue('--verdict', text, verdictValues)
  })
}

/** The flags that the filters keep, by project and name. */
function flagsToReview(flags: readonly ReviewedFlag[], options: ReviewOptions): ReviewedFlag[] {
  const { environment = [] } = options
  refuseUnknownFilters(flags, options)
  const isWanted = matcherOf(environment)
  return matchingFlags(flags, options)
    .filter((flag) => environment.length === 0 || flag.environments.some((it) => isWanted(it.name)))
    .sort(byProject)
}

function byProject(a: Flag, b: Flag): number {
  return byCodeUnit(a.projectId, b.projectId) || byCodeUnit(a.name, b.name)
}

function rowsOf(
  flags: readonly ReviewedFlag[],
  usages: readonly (Evidence['usage'] | undefined)[],
  code: ReviewedCode | undefined,
  options: ReviewOptions,
  now: number,
): ReviewedRow[] {
  const isShown = matcherOf(options.environment)
  return flags.flatMap((flag, index) => {
    const usage = usages[index]
    if (!usage) return []
    const evidence = { flag, usage, code: code?.evidenceOf(flag.name) }
    const environments = environmentRows(evidence).filter(({ name }) => isShown(name))
    const { verdict, reasons } = decide(evidence, { ...options, now })
    return { ...evidence, verdict, reasons: reasonTexts(reasons, flag, now), environments }
  })
}

/** The order of rows by a key; equal verdicts by project and name. */
function orderBy({ sort = 'project' }: ReviewOptions) {
  const byFlag = sort === 'project' || sort === 'verdict' ? byProject : flagOrder({ sort })
  const rank = ({ verdict }: ReviewedRow) => (sort === 'verdict' ? verdicts.indexOf(verdict) : 0)
  return (a: ReviewedRow, b: ReviewedRow) => rank(a) - rank(b) || byFlag(a.flag, b.flag)
}

function widestSpan(rows: readonly ReviewedRow[]): Span | undefined {
  const spans = rows.map((row) => knownUsage(row)?.summary.span)
  return spans.reduce<Span | undefined>((a, b) => wider(a, b), undefined)
}

function notCheckedIn(flags: readonly ReviewedFlag[]): OptionalPart[] {
  const parts: OptionalPart[] = []
  if (flags.some(({ lifecycle }) => lifecycle === undefined)) parts.push('lifecycle')
  if (flags.some(({ hasDependents }) => hasDependents === undefined)) parts.push('dependencies')
  return parts
}

/** Prints the report, and on stderr what the format has no room for. */
async function show(
  context: Context,
  format: FormatOf<'review'>,
  report: ReviewReport,
  outputFile: string | undefined,
): Promise<void> {
  await writeReport(context, outputFile, (printer) => renderReview(format, report, printer))
  if (format !== 'csv' && format !== 'names') return
  noteUnread(context, report.missing.lookups)
  if (report.notChecked.length === 0) return
  context.messages.note(`not checked: ${notCheckedText(report.notChecked)}`)
}

/** The error for flags that could not be read; undefined if all could be. */
function unreadFlags(rows: readonly ReviewedRow[]): FlagadmError | undefined {
  const unread = rows.map(({ usage }) => usage).filter((usage) => usage instanceof FlagadmError)
  return unread.length > 0 ? failureOfRun(unread, rows.length) : undefined
}

/** @throws `checkFailed` for removable flags that `--fail-on` asks for, otherwise the last failure; reports the others */
function refuse(
  { messages }: Context,
  { sum: { removable }, failsOnRemovable }: ReviewReport,
  failures: readonly FlagadmError[],
): void {
  if (failsOnRemovable && removable > 0) {
    for (const failure of failures) messages.fail(failure)
    const verb = removable === 1 ? 'is' : 'are'
    throw new FlagadmError('checkFailed', `${counted(removable, 'flag')} ${verb} removable`)
  }
  const last = failures.at(-1)
  for (const failure of failures.slice(0, -1)) messages.fail(failure)
  if (last) throw last
}
