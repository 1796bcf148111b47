import type { Context } from '../old/context.ts'
import { reportByCause, throwFailures } from '../old/failures.ts'
import { type FlagadmError, interrupted } from '../errors.ts'
import { missingJsonl } from '../projects/report/missing.ts'
import { wholeText } from '../old/output/blocks.ts'
import { isoText } from '../old/output/dates.ts'
import type { Printer } from '../old/output/printer.ts'
import { clearScreen } from '../old/output/terminal.ts'
import { joined, linesOf, type Safe, safe } from '../old/output/text.ts'
import { usageJsonl } from './report/jsonl.ts'
import { rowReport, type Tally } from './report/report.ts'
import type { UsageDocument } from './document.ts'
import { arrangeRows, type FlagRows } from './arrange.ts'
import { filterRows } from './filter.ts'
import type { Missing } from '../projects/missing.ts'
import { isUsed, type UsageRow, usageRows } from './rows.ts'
import { coverageOf, wider } from './span.ts'
import type { WatchRequest } from './request.ts'
import { readAll, refuseOtherFlag } from './reading.ts'
import { reportOptions } from './show.ts'
import type { UsageSource } from './source.ts'

/** One reading of all flags. */
interface Snapshot<Result> {
  /** Milliseconds since the epoch. */
  readAt: number
  /** The results of the flags that could be read. */
  results: Map<string, Result>
  /** The errors of the other flags, by their names. */
  failures: Map<string, FlagadmError>
  /** Whether this is the last reading. */
  last: boolean
}

/**
 * Reads repeatedly: on a terminal it prints a table in place of the last one, elsewhere it appends JSON Lines.
 * Failures are shown; only 401 and 403 end the watch, because another reading would fail too.
 * @throws the failure of the last reading, `partial` if only some flags failed, `interrupted` on Ctrl-C
 */
export async function watchUsage(
  context: Context,
  source: UsageSource,
  watch: WatchRequest,
): Promise<void> {
  const last =
    watch.format === 'table'
      ? await printTables(context, source, watch)
      : await appendRows(context, source, watch)
  const failures = [...(last?.failures.values() ?? [])]
  if (failures.length > 0) throwFailures(context, failures, source.names.length)
}

/** The missing parts of a reading. A name that is not a flag counts as unread: without `--project`, it may be one later. */
function missingFrom(
  { names, missing }: UsageSource,
  { failures }: Pick<Snapshot<unknown>, 'failures'>,
): Missing {
  return { ...missing, flags: { names: [...failures.keys()], of: names.length } }
}

function isFinal({ kind }: FlagadmError): boolean {
  return kind === 'unauthenticated' || kind === 'forbidden'
}

/**
 * A snapshot at each interval, until the last reading.
 * @param digest extracts the result from the document of a flag
 */
async function* snapshots<Result>(
  { host }: Context,
  source: UsageSource,
  watch: WatchRequest,
  digest: (document: UsageDocument, name: string) => Result,
): AsyncGenerator<Snapshot<Result>> {
  const { clock, signal } = host
  for (let read = 1; ; read++) {
    const results = new Map<string, Result>()
    const failures = new Map<string, FlagadmError>()
    const checked = (document: UsageDocument, name: string) => {
      refuseOtherFlag(document.data, name)
      return digest(document, name)
    }
    for (const { name, result, error } of await readAll(source, source.names, checked, true)) {
      if (error) failures.set(name, error)
      else if (result !== undefined) results.set(name, result)
    }
    if (signal.aborted) throw interrupted()
    const last = read === watch.options.count || [...failures.values()].some(isFinal)
    yield { readAt: clock.now(), results, failures, last }
    if (last) return
    await clock.sleep(watch.intervalMs, signal).catch(() => {
      throw interrupted()
    })
  }
}

/** The rows of a flag that the filters keep. */
function filtered(
  { projects }: UsageSource,
  { options }: WatchRequest,
  flag: string,
  rows: UsageRow[],
): FlagRows {
  return { flag, project: projects?.projectOf(flag), rows: filterRows(rows, options) }
}

/** Writes the rows of each reading. Returns the last snapshot, whose failures it does not report. */
async function appendRows(
  context: Context,
  source: UsageSource,
  watch: WatchRequest,
): Promise<Snapshot<UsageRow[]> | undefined> {
  let warned = false
  let snapshot: Snapshot<UsageRow[]> | undefined
  const rowsOf = ({ data }: UsageDocument, name: string) => usageRows(data, name)
  for await (snapshot of snapshots(context, source, watch, rowsOf)) {
    const { readAt, results, failures, last } = snapshot
    const flags = source.names.flatMap((flag) => {
      const rows = results.get(flag)
      return rows ? [filtered(source, watch, flag, rows)] : []
    })
    const isHidden =
      [...results.values()].some(({ length }) => length > 0) &&
      flags.every((flag) => flag.rows.length === 0)
    if (isHidden && !warned) {
      warned = true
      context.messages.warn('no usage matches the filters')
    }
    const { printer } = context
    const shown = arrangeRows(flags, watch.options).rows
    const at = isoText(readAt)
    const missing = missingFrom(source, snapshot)
    const gap = results.size > 0 ? missingJsonl(missing, printer, at) : safe``
    const isOpen = await context.write(
      joined([usageJsonl(shown, { projects: source.projects, readAt: at }, printer), gap]),
    )
    if (!isOpen) return snapshot
    if (!last) reportByCause(context, [...failures.values()])
  }
  return snapshot
}

/** Clears the terminal and prints the table of each reading. Returns the last snapshot, whose failures it does not report. */
async function printTables(
  context: Context,
  source: UsageSource,
  watch: WatchRequest,
): Promise<Snapshot<UsageDocument> | undefined> {
  const { stdout, printer } = context
  const status = printer.text(`every ${watch.intervalMs / 1000} s, Ctrl-C to stop`)
  let snapshot: Snapshot<UsageDocument> | undefined
  for await (snapshot of snapshots(context, source, watch, (document) => document)) {
    // The terminal may have another width than before.
    const table = tableOf(context, source, watch, snapshot, {
      ...printer,
      width: stdout.size().columns,
    })
    clearScreen(stdout)
    await context.write(table)
    if (snapshot.last) return snapshot
    reportByCause(context, [...snapshot.failures.values()])
    await context.write(linesOf([safe``, printer.style.dim(status)]))
  }
  return snapshot
}

/** The same report as without `--watch`; empty if no flag could be read. */
function tableOf(
  context: Context,
  source: UsageSource,
  watch: WatchRequest,
  snapshot: Snapshot<UsageDocument>,
  printer: Printer,
): Safe {
  if (snapshot.results.size === 0) return safe``
  const report = rowReport('table', reportOptions(context, source, watch), printer)
  const tally: Tally = { used: 0, unused: 0, covered: undefined, unconfirmed: [] }
  for (const name of source.names) {
    const document = snapshot.results.get(name)
    if (!document) continue
    const { lastHourUsage } = document.data
    const flag = filtered(source, watch, name, usageRows(document.data, name))
    tally.covered = wider(tally.covered, coverageOf(lastHourUsage))
    tally[isUsed(flag.rows) ? 'used' : 'unused']++
    report.add(flag, document)
  }
  return wholeText(report.end(tally, missingFrom(source, snapshot)))
}
