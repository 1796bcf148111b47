import { type Connected, connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, errorLines, FlagadmError, failureOfAll, interrupted } from '../errors.ts'
import { type FormatOf, formats } from '../formats.ts'
import { enterScreen } from '../output/screen.ts'
import { terminalSize } from '../output/terminal.ts'
import { isolate, safeText } from '../output/text.ts'
import { usageJsonl } from '../output/usage-jsonl.ts'
import { createTrend, liveHeading, liveTable } from '../output/usage-live.ts'
import { maskRows } from '../output/usage-mask.ts'
import { fitText } from '../output/width.ts'
import type { Service } from '../service/client.ts'
import type { FeatureUsage } from '../service/schema.ts'
import { createFilter } from '../usage/filter.ts'
import { type UsageRow, usageRows } from '../usage/rows.ts'
import { arrangeRows, type FlagRows } from '../usage/arrange.ts'
import { type Window, widenWindow, widerWindow, windowText } from '../usage/time.ts'
import type { UsageView } from '../usage/view.ts'
import { type Reading, readAll } from './usage-reading.ts'
import { nothingToShow } from './usage-report.ts'

// More failures, or longer ones, would leave no room for the table.
const MOST_ERRORS = 3
const MOST_LINES = 3

interface Watch {
  names: readonly string[]
  shape: UsageView
  concurrency: number
  intervalMs: number
  /** The number of readings; undefined for no end. */
  reads: number | undefined
}

/** One reading of all flags. */
interface Snapshot {
  /** Milliseconds since the epoch. */
  readAt: number
  /** The rows of each flag that could be read. */
  rows: Map<string, UsageRow[]>
  /** The window of all records. */
  window: Window | undefined
  failures: { name: string; error: FlagadmError }[]
  /** Whether there is no further reading. */
  last: boolean
}

/**
 * Reads repeatedly: on a terminal it redraws a table in place, elsewhere it appends JSON Lines.
 * Failures are shown; only 401 and 403 end it, because another reading would fail as well.
 * @throws the failure of the last reading, `partial` if only some flags failed, `interrupted` on Ctrl-C
 */
export async function watchUsage(context: Context, watch: Watch): Promise<void> {
  const format = watchFormat(context)
  const connected = await connect(context)
  const last =
    format === 'table'
      ? await watchOnScreen(context, connected, watch)
      : await appendRows(context, connected.service, watch)
  const failures = last?.failures ?? []
  if (failures.length === 0) return
  // The error of a single flag is the one that ends the run.
  const reported = watch.names.length > 1 ? aboutFlags(failures, watch) : []
  for (const failure of reported) context.messages.fail(failure)
  throw failureOfAll(
    failures.map(({ error }) => error),
    watch.names.length,
  )
}

function watchFormat(context: Context): FormatOf<'watch'> {
  const { host, options } = context
  if (host.stdout.isTTY) return context.format(formats.watch)
  if (options.output === undefined && !options.json) return 'jsonl'
  const format = context.format(formats.watch)
  if (format === 'jsonl') return format
  throw new FlagadmError('usage', 'table with --watch requires a terminal (use jsonl)')
}

/** The errors, with the names of their flags if there are several. */
function aboutFlags(failures: Snapshot['failures'], { names }: Watch): FlagadmError[] {
  return failures.map(({ name, error }) => (names.length > 1 ? aboutFeature(error, name) : error))
}

function isFinal({ kind }: FlagadmError): boolean {
  return kind === 'unauthenticated' || kind === 'forbidden'
}

/** What is shown of a usage document. */
interface Shown {
  rows: UsageRow[]
  window: Window | undefined
}

function shownOf(usage: FeatureUsage, name: string): Shown {
  return { rows: usageRows(usage, name), window: widenWindow(undefined, usage.lastHourUsage) }
}

function snapshotOf(
  readings: readonly Reading<Shown>[],
  readAt: number,
  isLast: boolean,
): Snapshot {
  const rows = new Map<string, UsageRow[]>()
  const failures: Snapshot['failures'] = []
  let window: Window | undefined
  for (const { name, answer, error } of readings) {
    if (answer) {
      rows.set(name, answer.rows)
      window = widerWindow(window, answer.window)
    }
    if (error) failures.push({ name, error })
  }
  const last = isLast || failures.some(({ error }) => isFinal(error))
  return { readAt, rows, window, failures, last }
}

/** A snapshot at each interval, until the last reading. */
async function* snapshots(
  { host }: Context,
  service: Service,
  watch: Watch,
): AsyncGenerator<Snapshot> {
  const { clock, signal } = host
  for (let read = 1; ; read++) {
    const readings = await readAll(service, watch.names, watch.concurrency, shownOf)
    if (signal.aborted) throw interrupted()
    const snapshot = snapshotOf(readings, clock.now(), read === watch.reads)
    yield snapshot
    if (snapshot.last) return
    await clock.sleep(watch.intervalMs, signal).catch(() => {
      throw interrupted()
    })
  }
}

/** The rows that the filters keep, in the requested order of flags. */
function filtered({ names, shape }: Watch, rows: Snapshot['rows']): FlagRows[] {
  const filter = createFilter(shape)
  return names.flatMap((flag) => {
    const all = rows.get(flag)
    return all ? [{ flag, rows: filter(all) }] : []
  })
}

/** Writes the rows of each reading. Returns the last snapshot, whose failures it does not report. */
async function appendRows(
  context: Context,
  service: Service,
  watch: Watch,
): Promise<Snapshot | undefined> {
  let warned = false
  let snapshot: Snapshot | undefined
  for await (snapshot of snapshots(context, service, watch)) {
    const { readAt, rows, failures, last } = snapshot
    const flags = filtered(watch, rows)
    const isHidden =
      [...rows.values()].some(({ length }) => length > 0) &&
      flags.every((flag) => flag.rows.length === 0)
    if (isHidden && !warned) {
      warned = true
      context.messages.warn('no usage matches the filters')
    }
    const shown = maskRows(arrangeRows(flags, watch.shape).rows, context.redactor.redact)
    const isOpen = await context.write(usageJsonl(shown, new Date(readAt).toISOString()))
    if (!isOpen) return snapshot
    if (!last) for (const failure of aboutFlags(failures, watch)) context.messages.fail(failure)
  }
  return snapshot
}

/** Redraws the table after each reading. Returns the last snapshot, whose failures it does not leave behind. */
async function watchOnScreen(
  context: Context,
  { service, target }: Connected,
  watch: Watch,
): Promise<Snapshot | undefined> {
  const style = await context.style()
  const { stdout, onSuspend } = context.host
  const { redact } = context.redactor
  const { names, shape } = watch
  const flag = names.length === 1 ? redact(names[0] ?? '') : undefined
  const trend = createTrend()
  const widths = new Map<string, number>()
  // A flag that cannot be read this time keeps its previous rows.
  const known = new Map<string, UsageRow[]>()
  let window: Window | undefined
  let snapshot: Snapshot | undefined
  const medium = (): Medium => ({ width: terminalSize(stdout).columns, style, redact })
  const shaped = (rows: Snapshot['rows']) =>
    maskRows(arrangeRows(filtered(watch, rows), shape).rows, redact)
  const content = () => {
    if (known.size === 0) return [unreadText(flag)]
    const rows = shaped(known)
    if (rows.length === 0) return [nothingToShow(shape)]
    return liveTable({ flag, rows, trend }, { width: medium().width, style, widths })
  }
  const body = () => {
    const facts = [safeText(target), ...(known.size > 0 ? [windowText(window)] : [])]
    return [...liveHeading(flag, facts, medium()), '', ...content(), '']
  }
  const status = () => (snapshot ? statusLines(snapshot, watch, medium()) : ['Reading …'])
  const footer = () => [...status(), ...(snapshot ? errorLinesOf(snapshot, watch, medium()) : [])]
  const screen = enterScreen(stdout, onSuspend)
  const redraw = () => screen.draw(snapshot ? body() : [], footer())
  const resize = () => {
    widths.clear()
    redraw()
  }
  stdout.on?.('resize', resize)
  try {
    redraw()
    for await (const next of snapshots(context, service, watch)) {
      for (const [name, rows] of next.rows) known.set(name, rows)
      if (next.rows.size > 0) window = next.window
      trend.add(shaped(next.rows))
      snapshot = next
      redraw()
    }
  } finally {
    stdout.off?.('resize', resize)
    screen.leave()
    if (snapshot) {
      // The failures of the last reading go to stderr.
      const lines = snapshot.last ? [...body(), ...status()] : [...body(), ...footer()]
      await context.write(isolate(`${lines.join('\n')}\n`))
    }
  }
  return snapshot
}

type Style = Awaited<ReturnType<Context['style']>>

interface Medium {
  width: number
  style: Style
  redact: (text: string) => string
}

function unreadText(flag: string | undefined): string {
  return flag === undefined ? 'None of the flags could be read.' : 'The flag could not be read.'
}

function statusLines(
  { readAt }: Snapshot,
  { intervalMs }: Watch,
  { width, style }: Medium,
): string[] {
  const time = new Date(readAt).toISOString().slice(11, 19)
  const status = `Read at ${time}Z, every ${intervalMs / 1000} s, Ctrl-C ends`
  return fitText(status, width, MOST_LINES).map((line) => style.dim(line))
}

function errorLinesOf(
  { failures }: Snapshot,
  watch: Watch,
  { width, style, redact }: Medium,
): string[] {
  // Masked before wrapping, which could divide a key.
  const errors = aboutFlags(failures.slice(0, MOST_ERRORS), watch)
    .flatMap(errorLines)
    .flatMap((line) => fitText(safeText(redact(line)), width, MOST_LINES))
  const more = failures.length - MOST_ERRORS
  return [
    ...errors.map((line) => style.red(line)),
    ...(more > 0 ? [style.red(`… ${more} more failures`)] : []),
  ]
}
