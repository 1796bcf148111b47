import type { Context } from '../old/context.ts'
import { groupBy } from '../groups.ts'
import { throwFailures } from '../old/failures.ts'
import { FlagadmError } from '../errors.ts'
import { type Blocks, writeBlocks } from '../old/output/blocks.ts'
import { openOutput } from '../old/output/file.ts'
import type { FormatOf } from '../old/output/formats.ts'
import type { Printer } from '../old/output/printer.ts'
import { createProgress } from '../old/output/terminal.ts'
import { documentReport } from './report/documents.ts'
import type { ReportOptions, Tally, UsageReport } from './report/report.ts'
import { counted, listed } from '../old/output/phrases.ts'
import { addKnown, filterRows, type KnownNames, unknownFilters } from './filter.ts'
import { documentRows, type UsageDocument } from './document.ts'
import type { Missing } from '../projects/missing.ts'
import { summaryOf } from './hourly-summary.ts'
import { shortfallText, sinceText } from './report/sentences.ts'
import { unknownFiltersText, warningText } from './report/warnings.ts'
import { isUsed, type UsageRow } from './rows.ts'
import { coverageOf, wider } from './span.ts'
import type { ShowRequest, WatchRequest } from './request.ts'
import { readInOrder, refuseInterrupted, refuseOtherFlag } from './reading.ts'
import type { UsageSource } from './source.ts'
import { type FlagWarning, missingUsage } from './warnings.ts'

// One table with a column of flags is easier to read than more sections than this.
const MAX_SECTIONS = 3

/**
 * Reads the usage of flags and shows it.
 * @throws the failure of a single flag; for several, an error with the number of failures
 */
export async function showUsage(
  context: Context,
  source: UsageSource,
  request: ShowRequest,
): Promise<void> {
  const { names } = source
  const { format, options } = request
  const { printer, write, close } = openOutput(context, options.outputFile)
  const { signal } = context.host
  const report = await createReport(format, reportOptions(context, source, request), printer)
  let isOpen = true
  const print = async (blocks: Blocks) => {
    // Keep reading flags after the pipe is closed, because failures determine the exit code.
    if (isOpen) isOpen = await writeBlocks(blocks, write, signal).catch(unlessInterrupted)
  }
  const totals = await readAndReport(context, source, request, report, print)
  warnAbout(totals, context, request)
  const read = totals.used + totals.unused
  const hasReport = read > 0 || names.length === 0
  if (hasReport) await print(report.end(totals, missingFrom(source, totals, signal.aborted)))
  refuseInterrupted(context, read, names.length)
  if (hasReport) await close()
  const failures = [...totals.failures.values()]
  if (failures.length > 0) throwFailures(context, failures, names.length)
}

/** The facts about the run that a report needs. */
export function reportOptions(
  context: Context,
  { names, target, projects }: UsageSource,
  { options, ...request }: ShowRequest | WatchRequest,
): ReportOptions {
  // An explicit --group-by none asks for one table.
  const hasSections = options.groupBy === undefined && names.length <= MAX_SECTIONS
  return {
    view: options,
    layout: options.layout ?? (hasSections ? 'sections' : 'table'),
    // The flags of a project are JSON Lines even if there is only one.
    several: request.names === undefined || names.length > 1,
    isHourly: options.since !== undefined,
    target,
    projects,
    verbose: context.options.verbose === true,
  }
}

async function createReport(
  format: FormatOf<'usage'>,
  options: ReportOptions,
  printer: Printer,
): Promise<UsageReport> {
  if (format === 'json') return documentReport(options, printer)
  // Loading the packages for tables takes longer than reading one flag.
  const { rowReport } = await import('./report/report.ts')
  return rowReport(format, options, printer)
}

/** Ends the output of an interrupted run, which goes on to report what is missing. */
function unlessInterrupted(error: unknown): false {
  if (error instanceof FlagadmError && error.kind === 'interrupted') return false
  throw error
}

/** The sums of all flags that were read. */
interface Totals extends Tally {
  failures: Map<string, FlagadmError>
  warnings: { flag: string; warning: FlagWarning }[]
  unconfirmed: string[]
  /** How many rows there are, and how many of them the filters keep. */
  rows: number
  kept: number
  /** The names that the filters could have. */
  known: KnownNames
}

async function readAndReport(
  { host, stderr, options }: Context,
  source: UsageSource,
  request: ShowRequest,
  report: UsageReport,
  print: (blocks: Blocks) => Promise<void>,
): Promise<Totals> {
  const { names, projects } = source
  const totals: Totals = {
    used: 0,
    unused: 0,
    covered: undefined,
    failures: new Map(),
    warnings: [],
    unconfirmed: [],
    rows: 0,
    kept: 0,
    known: { applications: new Set(), environments: new Set() },
  }
  const checked = (document: UsageDocument, name: string) => {
    // JSON output passes documents on without looking at their rows.
    if (request.format !== 'json') refuseOtherFlag(document.data, name)
    return document
  }
  const progress = createProgress(stderr, names.length, host.clock, !options.quiet)
  for await (const { name, result, error } of readInOrder(source, names, checked, progress.tick)) {
    progress.clear()
    if (error) totals.failures.set(name, error)
    if (result) {
      const rows = addFlag(totals, source, request, name, result)
      const flag = { flag: name, project: projects?.projectOf(name), rows, span: result.span }
      await print(report.add(flag, result))
    }
    progress.redraw()
  }
  progress.clear()
  return totals
}

/** Adds a flag to the totals, with warnings about what its document lacks; returns its rows that the filters keep. */
function addFlag(
  totals: Totals,
  { environments, exists }: UsageSource,
  { options, format }: ShowRequest,
  flag: string,
  { data, span }: UsageDocument,
): UsageRow[] {
  const warn = (warning: FlagWarning) => totals.warnings.push({ flag, warning })
  if (data.maturity === 'deprecated') warn({ kind: 'deprecated' })
  const all = format === 'json' ? [] : documentRows(data, flag, span, options)
  const rows = filterRows(all, options)
  if (span && data.lastHourUsage.length === 0 && !exists(flag)) totals.unconfirmed.push(flag)
  if (span && format !== 'json') {
    const summary = summaryOf(data, all, options, span)
    const missing = missingUsage(summary, environments(flag))
    if (summary.isCut) warn({ kind: 'cut' })
    else if (missing) warn(missing)
  }
  if (options.app || options.environment) addKnown(totals.known, data)
  totals.covered = wider(totals.covered, span ?? coverageOf(data.lastHourUsage))
  totals.rows += all.length
  totals.kept += rows.length
  totals[isUsed(rows) ? 'used' : 'unused']++
  return rows
}

function missingFrom(
  { names, missing }: UsageSource,
  { failures, used, unused }: Totals,
  isInterrupted: boolean,
): Missing {
  const unread = [...failures].filter(([, { kind }]) => kind !== 'notFound')
  const notFound = [...failures].filter(([, { kind }]) => kind === 'notFound')
  return {
    ...missing,
    flags: { names: unread.map(([name]) => name), of: names.length },
    notFlags: notFound.map(([name]) => name),
    interruptedAfter: isInterrupted ? used + unused : undefined,
  }
}

/** Warns about what the figures lack, and about filters that match nothing. */
function warnAbout(totals: Totals, context: Context, { format, options }: ShowRequest): void {
  const { messages } = context
  const { covered, unconfirmed, rows, kept, known } = totals
  reportWarnings(context, totals.warnings)
  if (rows > 0 && kept === 0) {
    const unknown = unknownFiltersText(unknownFilters(options, known))
    messages.warn(['no usage matches the filters', unknown].filter(Boolean).join(': '))
  }
  // Only hourly usage has a span that was asked for.
  if (!covered || !('asked' in covered)) return
  const shortfall = shortfallText(covered)
  if (shortfall !== undefined) messages.warn(shortfall)
  // A table ends with the flags that no application reported.
  if (unconfirmed.length === 0 || format === 'table' || format === 'markdown') return
  messages.note(
    `no application reported ${listed(unconfirmed)} ${sinceText(covered)}; --project checks that a flag exists`,
  )
}

/** Prints one message for each reason, because hundreds of flags may have the same one; with `--verbose`, one for each flag. */
function reportWarnings({ messages, options }: Context, all: Totals['warnings']): void {
  for (const [reason, warnings] of groupBy(all, ({ warning }) => warningText(warning, true))) {
    const flags = warnings.map(({ flag }) => flag)
    if (flags.length > 1 && !options.verbose) {
      messages.warn(`${counted(flags.length, 'flag')} (${listed(flags)}): ${reason}`)
    } else
      for (const { flag, warning } of warnings) messages.warn(`${flag}: ${warningText(warning)}`)
  }
}
