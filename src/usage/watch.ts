import type { Context } from '../old/context.ts'
import { reportByCause, throwFailures } from '../old/failures.ts'
import { type FlagadmError, interrupted } from '../errors.ts'
import { missingJsonl } from '../projects/report/missing.ts'
import { isoText } from '../old/output/dates.ts'
import { enterScreen } from '../old/output/terminal.ts'
import { joined, linesOf, type Safe, safe } from '../old/output/text.ts'
import { usageJsonl } from './report/jsonl.ts'
import { failureLines, liveLines, type LiveLines, statusLines } from './report/live.ts'
import type { UsageDocument } from './document.ts'
import { arrangeRows, type FlagRows } from './arrange.ts'
import { withoutSingleProject } from './report/report.ts'
import { filterRows } from './filter.ts'
import type { Missing } from '../projects/missing.ts'
import { type UsageRow, usageRows } from './rows.ts'
import { windowText } from './report/sentences.ts'
import { type Coverage, coverageOf, wider } from './span.ts'
import type { WatchRequest } from './request.ts'
import { type Reading, readAll, refuseOtherFlag } from './reading.ts'
import type { UsageSource } from './source.ts'
import { createTrend } from './trend.ts'

/** One reading of all flags. */
interface Snapshot {
  /** Milliseconds since the epoch. */
  readAt: number
  /** The rows of each flag that could be read. */
  rows: Map<string, UsageRow[]>
  /** The time of all records. */
  covered: Coverage | undefined
  /** The errors of the other flags, by their names. */
  failures: Map<string, FlagadmError>
  /** Whether this is the last reading. */
  last: boolean
}

/**
 * Reads repeatedly: on a terminal it redraws a table in place, elsewhere it appends JSON Lines.
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
      ? await watchOnScreen(context, source, watch)
      : await appendRows(context, source, watch)
  const failures = [...(last?.failures.values() ?? [])]
  if (failures.length > 0) throwFailures(context, failures, source.names.length)
}

/** The missing parts of a reading. A name that is not a flag counts as unread: without `--project`, it may be one later. */
function missingFrom({ names, missing }: UsageSource, { failures }: Snapshot): Missing {
  return { ...missing, flags: { names: [...failures.keys()], of: names.length } }
}

function isFinal({ kind }: FlagadmError): boolean {
  return kind === 'unauthenticated' || kind === 'forbidden'
}

function shownOf({ data: usage }: UsageDocument, name: string) {
  refuseOtherFlag(usage, name)
  return { rows: usageRows(usage, name), covered: coverageOf(usage.lastHourUsage) }
}

function snapshotOf(
  readings: readonly Reading<ReturnType<typeof shownOf>>[],
  readAt: number,
  isLast: boolean,
): Snapshot {
  const rows = new Map<string, UsageRow[]>()
  const failures = new Map<string, FlagadmError>()
  let covered: Coverage | undefined
  for (const { name, result, error } of readings) {
    if (result) {
      rows.set(name, result.rows)
      covered = wider(covered, result.covered)
    }
    if (error) failures.set(name, error)
  }
  const last = isLast || [...failures.values()].some(isFinal)
  return { readAt, rows, covered, failures, last }
}

/** A snapshot at each interval, until the last reading. */
async function* snapshots(
  { host }: Context,
  source: UsageSource,
  watch: WatchRequest,
): AsyncGenerator<Snapshot> {
  const { clock, signal } = host
  for (let read = 1; ; read++) {
    const readings = await readAll(source, source.names, shownOf, true)
    if (signal.aborted) throw interrupted()
    const snapshot = snapshotOf(readings, clock.now(), read === watch.options.count)
    yield snapshot
    if (snapshot.last) return
    await clock.sleep(watch.intervalMs, signal).catch(() => {
      throw interrupted()
    })
  }
}

/** The rows that the filters keep, in the requested order of flags. */
function filtered(
  { names, projects }: UsageSource,
  { options }: WatchRequest,
  rows: Snapshot['rows'],
): FlagRows[] {
  return names.flatMap((flag) => {
    const all = rows.get(flag)
    return all ? [{ flag, project: projects?.projectOf(flag), rows: filterRows(all, options) }] : []
  })
}

/** Writes the rows of each reading. Returns the last snapshot, whose failures it does not report. */
async function appendRows(
  context: Context,
  source: UsageSource,
  watch: WatchRequest,
): Promise<Snapshot | undefined> {
  let warned = false
  let snapshot: Snapshot | undefined
  for await (snapshot of snapshots(context, source, watch)) {
    const { readAt, rows, failures, last } = snapshot
    const flags = filtered(source, watch, rows)
    const isHidden =
      [...rows.values()].some(({ length }) => length > 0) &&
      flags.every((flag) => flag.rows.length === 0)
    if (isHidden && !warned) {
      warned = true
      context.messages.warn('no usage matches the filters')
    }
    const { printer } = context
    const shown = arrangeRows(flags, watch.options).rows
    const at = isoText(readAt)
    const missing = missingFrom(source, snapshot)
    const gap = rows.size > 0 ? missingJsonl(missing, printer, at) : safe``
    const isOpen = await context.write(
      joined([usageJsonl(shown, { projects: source.projects, readAt: at }, printer), gap]),
    )
    if (!isOpen) return snapshot
    if (!last) reportByCause(context, [...failures.values()])
  }
  return snapshot
}

/** The lines of a live view, which has a place for every row that was read. */
function createView(context: Context, source: UsageSource, watch: WatchRequest) {
  const { options, intervalMs } = watch
  const { names, target, projects } = source
  const trend = createTrend()
  const widths = new Map<string, number>()
  // A flag that could not be read this time keeps its previous rows.
  const known = new Map<string, UsageRow[]>()
  let covered: Coverage | undefined
  let snapshot: Snapshot | undefined
  const printer = () => ({ ...context.printer, width: context.stdout.size().columns })
  const arranged = (rows: Snapshot['rows']) =>
    arrangeRows(filtered(source, watch, rows), options).rows
  return {
    /** Takes the next reading. */
    add(next: Snapshot): void {
      for (const [name, rows] of next.rows) known.set(name, rows)
      if (next.rows.size > 0) covered = next.covered
      trend.add(arranged(next.rows))
      snapshot = next
    },
    /** Forgets where the columns were, because the terminal has another width. */
    resize: () => widths.clear(),
    /** The title and the table; nothing before the first reading. */
    body(height = Number.POSITIVE_INFINITY): LiveLines {
      if (!snapshot) return { lines: [], pinned: [] }
      const live = {
        flag: names.length === 1 ? names[0] : undefined,
        target,
        window: known.size > 0 ? windowText(covered) : undefined,
        rows: withoutSingleProject(arranged(known), projects),
        trend,
        missing: missingFrom(source, snapshot),
      }
      return liveLines(live, options, printer(), widths, height)
    },
    status(isEnded = false): Safe[] {
      if (!snapshot) return [safe`Reading …`]
      return statusLines(snapshot.readAt, isEnded ? undefined : intervalMs, printer())
    },
    failures: () => failureLines([...(snapshot?.failures.values() ?? [])], printer()),
  }
}

/** Redraws the table after each reading. Returns the last snapshot, without leaving its failures on the screen. */
async function watchOnScreen(
  context: Context,
  source: UsageSource,
  watch: WatchRequest,
): Promise<Snapshot | undefined> {
  const { stdout } = context
  const view = createView(context, source, watch)
  let snapshot: Snapshot | undefined
  const screen = enterScreen(stdout, context.host.onSuspend)
  const redraw = () => {
    const below = [...view.status(), ...view.failures()]
    // The line below the last one stays free.
    const { lines, pinned } = view.body(stdout.size().rows - below.length - 1)
    screen.draw(lines, [...pinned, ...below])
  }
  const unsubscribe = stdout.onResize(() => {
    view.resize()
    redraw()
  })
  try {
    redraw()
    for await (snapshot of snapshots(context, source, watch)) {
      view.add(snapshot)
      redraw()
    }
  } finally {
    unsubscribe()
    screen.leave()
    if (snapshot) {
      const { lines, pinned } = view.body()
      // The failures of the last reading go to stderr.
      const below = [...view.status(true), ...(snapshot.last ? [] : view.failures())]
      await context.write(linesOf([...lines, ...pinned, ...below]))
    }
  }
  return snapshot
}
