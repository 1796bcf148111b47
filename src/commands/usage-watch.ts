import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, errorLines, FlagadmError } from '../errors.ts'
import { enterScreen } from '../output/screen.ts'
import { terminalSize } from '../output/terminal.ts'
import { safeText } from '../output/text.ts'
import { usageJsonl } from '../output/usage-jsonl.ts'
import { liveLines } from '../output/usage-live.ts'
import { maskRows } from '../output/usage-mask.ts'
import { fitText } from '../output/width.ts'
import type { Service } from '../service/client.ts'
import { createFilter } from '../usage/filter.ts'
import { type UsageRow, usageRows } from '../usage/rows.ts'
import { type FlagRows, type Shape, shapeRows } from '../usage/shape.ts'
import { createTrend } from '../usage/trend.ts'
import { type Window, widenWindow, windowText } from '../usage/window.ts'
import { type Reading, readAll } from './usage-reading.ts'
import { nothingToShow } from './usage-report.ts'

// More failures, or longer ones, would leave no room for the table.
const MOST_ERRORS = 3
const MOST_LINES = 3

interface Watch {
  names: readonly string[]
  shape: Shape
  concurrency: number
  intervalMs: number
  /** How many readings; undefined for no end. */
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
  failures: FlagadmError[]
}

/**
 * Reads again and again: on a terminal a table that is redrawn in place, elsewhere JSON Lines.
 * Failures are shown and do not end it.
 * @throws `interrupted` when the user ends it
 */
export async function watchUsage(context: Context, watch: Watch): Promise<void> {
  const terminal = context.host.stdout.isTTY === true
  const format = context.format(terminal ? ['table', 'jsonl'] : ['jsonl'])
  const { service } = await connect(context)
  if (format === 'table') await watchOnScreen(context, service, watch)
  else await appendRows(context, service, watch)
}

function snapshotOf(readings: readonly Reading[], readAt: number): Snapshot {
  const snapshot: Snapshot = { readAt, rows: new Map(), window: undefined, failures: [] }
  for (const { name, answer, error } of readings) {
    if (answer) {
      snapshot.rows.set(name, usageRows(answer.usage, name))
      snapshot.window = widenWindow(snapshot.window, answer.usage.lastHourUsage)
    }
    if (error) snapshot.failures.push(readings.length > 1 ? aboutFeature(error, name) : error)
  }
  return snapshot
}

/** A snapshot at each interval. Ends after the last reading, throws when interrupted. */
async function* snapshots(
  { host }: Context,
  service: Service,
  watch: Watch,
): AsyncGenerator<Snapshot> {
  const { clock, signal } = host
  for (let read = 1; ; read++) {
    const readings = await readAll(service, watch.names, watch.concurrency)
    if (signal.aborted) throw new FlagadmError('interrupted', 'interrupted')
    yield snapshotOf(readings, clock.now())
    if (read === watch.reads) return
    await clock.sleep(watch.intervalMs, signal).catch(() => {
      throw new FlagadmError('interrupted', 'interrupted')
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

async function appendRows(context: Context, service: Service, watch: Watch): Promise<void> {
  let warned = false
  for await (const { readAt, rows, failures } of snapshots(context, service, watch)) {
    for (const failure of failures) context.messages.fail(failure)
    const flags = filtered(watch, rows)
    const isHidden =
      [...rows.values()].some(({ length }) => length > 0) &&
      flags.every((flag) => flag.rows.length === 0)
    if (isHidden && !warned) {
      warned = true
      context.messages.warn('no usage matches the filters')
    }
    const shown = shapeRows(flags, watch.shape).rows
    await context.write(usageJsonl(shown, new Date(readAt).toISOString()))
  }
}

async function watchOnScreen(context: Context, service: Service, watch: Watch): Promise<void> {
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
  const width = () => terminalSize(stdout).columns
  const shaped = (rows: Snapshot['rows']) =>
    maskRows(shapeRows(filtered(watch, rows), shape).rows, redact)
  const body = () => {
    const rows = shaped(known)
    if (rows.length === 0) return [known.size > 0 ? nothingToShow(shape) : 'Nothing read yet.', '']
    const view = { flag, rows, window: windowText(window), trend }
    return liveLines(view, { width: width(), style, widths })
  }
  const footer = () =>
    snapshot ? footerLines(snapshot, watch, { width: width(), style, redact }) : ['Reading …']
  const screen = enterScreen(stdout, onSuspend)
  const redraw = () => screen.draw(snapshot ? body().map(redact) : [], footer())
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
    if (snapshot) await context.write(`${[...body(), ...footer()].join('\n')}\n`)
  }
}

interface Paper {
  width: number
  style: Awaited<ReturnType<Context['style']>>
  redact: (text: string) => string
}

function footerLines(
  { readAt, failures }: Snapshot,
  { intervalMs }: Watch,
  { width, style, redact }: Paper,
): string[] {
  const time = new Date(readAt).toISOString().slice(11, 19)
  const status = `Read at ${time}Z, every ${intervalMs / 1000} s, Ctrl-C ends`
  // Masked before wrapping, which could divide a key.
  const errors = failures
    .slice(0, MOST_ERRORS)
    .flatMap(errorLines)
    .flatMap((line) => fitText(safeText(redact(line)), width, MOST_LINES))
  const more = failures.length - MOST_ERRORS
  return [
    ...fitText(status, width, MOST_LINES).map((line) => style.dim(line)),
    ...errors.map((line) => style.red(line)),
    ...(more > 0 ? [style.red(`… ${more} more failures`)] : []),
  ]
}
