import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, errorLines, FlagadmError } from '../errors.ts'
import type { OutputStream } from '../host.ts'
import type { Column } from '../output/layout.ts'
import { groupDigits } from '../output/numbers.ts'
import type { Redact } from '../output/redact.ts'
import { enterScreen } from '../output/screen.ts'
import { sparkline } from '../output/sparkline.ts'
import { isolate, safeText } from '../output/text.ts'
import { usageJsonl } from '../output/usage-jsonl.ts'
import { maskRows } from '../output/usage-mask.ts'
import { usageTable } from '../output/usage-table.ts'
import type { Service } from '../service/client.ts'
import { type UsageRow, usageRows } from '../usage/rows.ts'
import { type Shape, shapeRows } from '../usage/shape.ts'
import { createTrend, type Trend } from '../usage/trend.ts'
import { type Reading, readAll } from './usage-reading.ts'

// So many failures leave room for the table.
const MOST_ERRORS = 3

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
  const snapshot: Snapshot = { readAt, rows: new Map(), failures: [] }
  for (const { name, answer, error } of readings) {
    if (answer) snapshot.rows.set(name, usageRows(answer.usage, name))
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

async function appendRows(context: Context, service: Service, watch: Watch): Promise<void> {
  let told = false
  for await (const { readAt, rows, failures } of snapshots(context, service, watch)) {
    for (const failure of failures) context.messages.fail(failure)
    const all = [...rows.values()].flat()
    const shown = shapeRows(all, watch.shape).rows
    if (all.length > 0 && shown.length === 0 && !told) {
      told = true
      context.messages.warn('the filters --app and --environment let no usage through')
    }
    const rowsShown = maskRows(shown, context.redactor.redact)
    await context.write(usageJsonl(rowsShown, new Date(readAt).toISOString()))
  }
}

function changeColumn(rows: readonly UsageRow[], trend: Trend): Column {
  const cell = (row: UsageRow) => {
    const changes = trend.changes(row)
    const last = changes.at(-1)
    return last === undefined ? '' : `${sparkline(changes)} +${groupDigits(last)}`
  }
  const cells = () => [...rows.map(cell), '']
  return { align: 'left', elastic: false, forms: [{ title: 'Change', cells }] }
}

async function watchOnScreen(context: Context, service: Service, watch: Watch): Promise<void> {
  const style = await context.style()
  const { stdout, onSuspend } = context.host
  const { redact } = context.redactor
  const trend = createTrend()
  // A flag that cannot be read for once keeps the rows that it had.
  const known = new Map<string, UsageRow[]>()
  let snapshot: Snapshot | undefined
  const shaped = (rows: Snapshot['rows']) =>
    maskRows(shapeRows([...rows.values()].flat(), watch.shape).rows, redact)
  const body = () =>
    bodyLines(shaped(known), redact(watch.names[0] ?? ''), watch, trend, stdout, style)
  const footer = () => (snapshot ? footerLines(snapshot, watch, style, redact) : ['Reading …'])
  const screen = enterScreen(stdout, onSuspend)
  const redraw = () => screen.draw(snapshot ? body() : [], footer())
  stdout.on?.('resize', redraw)
  try {
    redraw()
    for await (const next of snapshots(context, service, watch)) {
      for (const [name, rows] of next.rows) known.set(name, rows)
      trend.add(shaped(next.rows))
      snapshot = next
      redraw()
    }
  } finally {
    stdout.off?.('resize', redraw)
    screen.leave()
    if (snapshot) await context.write(isolate(`${[...body(), ...footer()].join('\n')}\n`))
  }
}

type Style = Awaited<ReturnType<Context['style']>>

function bodyLines(
  rows: UsageRow[],
  first: string,
  { names }: Watch,
  trend: Trend,
  stdout: OutputStream,
  style: Style,
): string[] {
  const single = names.length === 1
  const shown = single ? rows.map((row) => ({ ...row, flag: undefined })) : rows
  const table =
    rows.length > 0
      ? usageTable(shown, stdout.columns ?? 80, style, [changeColumn(rows, trend)])
      : 'No usage to show.'
  const title = single ? `${style.bold(safeText(first))}\n\n` : ''
  return `${title}${table}\n`.split('\n')
}

function footerLines(
  { readAt, failures }: Snapshot,
  { intervalMs }: Watch,
  style: Style,
  redact: Redact,
): string[] {
  const time = new Date(readAt).toISOString().slice(11, 19)
  const status = `Read at ${time}Z, every ${intervalMs / 1000} s, Ctrl-C ends`
  const errors = failures.slice(0, MOST_ERRORS).flatMap(errorLines)
  const more = failures.length - MOST_ERRORS
  return [
    style.dim(status),
    ...errors.map((line) => style.red(safeText(redact(line)))),
    ...(more > 0 ? [style.red(`… ${more} more failures`)] : []),
  ]
}
