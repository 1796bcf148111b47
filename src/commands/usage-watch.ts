import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, errorLines, FlagadmError } from '../errors.ts'
import type { OutputStream } from '../host.ts'
import type { Column } from '../output/layout.ts'
import { groupDigits } from '../output/numbers.ts'
import { enterScreen } from '../output/screen.ts'
import { sparkline } from '../output/sparkline.ts'
import { safeText } from '../output/text.ts'
import { usageJsonl } from '../output/usage-jsonl.ts'
import { usageTable } from '../output/usage-table.ts'
import type { Service } from '../service/client.ts'
import { type UsageRow, usageRows } from '../usage/rows.ts'
import { type Shape, shapeRows } from '../usage/shape.ts'
import { createTrend, type Trend } from '../usage/trend.ts'
import { type Reading, readAll } from './usage-reading.ts'

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
  rows: UsageRow[]
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

function snapshotOf(
  readings: readonly Reading[],
  { shape, names }: Watch,
  readAt: number,
): Snapshot {
  const rows = readings.flatMap(({ name, answer }) => (answer ? usageRows(answer.usage, name) : []))
  const failures = readings.flatMap(({ name, error }) => {
    if (!error) return []
    return names.length > 1 ? aboutFeature(error, name) : error
  })
  return { readAt, rows: shapeRows(rows, shape), failures }
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
    yield snapshotOf(readings, watch, clock.now())
    if (read === watch.reads) return
    await clock.sleep(watch.intervalMs, signal).catch(() => {
      throw new FlagadmError('interrupted', 'interrupted')
    })
  }
}

async function appendRows(context: Context, service: Service, watch: Watch): Promise<void> {
  for await (const { readAt, rows, failures } of snapshots(context, service, watch)) {
    for (const failure of failures) context.messages.fail(failure)
    await context.write(usageJsonl(rows, new Date(readAt).toISOString()))
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
  const { stdout } = context.host
  const trend = createTrend()
  let snapshot: Snapshot | undefined
  const lines = () => (snapshot ? frame(snapshot, watch, trend, stdout, style) : ['Reading …'])
  const screen = enterScreen(stdout)
  const redraw = () => screen.draw(lines())
  stdout.on?.('resize', redraw)
  try {
    redraw()
    for await (const next of snapshots(context, service, watch)) {
      const kept = next.failures.length === watch.names.length ? snapshot?.rows : undefined
      if (!kept) trend.add(next.rows)
      snapshot = { ...next, rows: kept ?? next.rows }
      redraw()
    }
  } finally {
    stdout.off?.('resize', redraw)
    screen.leave()
    if (snapshot) await context.write(`${lines().join('\n')}\n`)
  }
}

function frame(
  { readAt, rows, failures }: Snapshot,
  { intervalMs, names }: Watch,
  trend: Trend,
  stdout: OutputStream,
  style: Awaited<ReturnType<Context['style']>>,
): string[] {
  const single = names.length === 1
  const shown = single ? rows.map((row) => ({ ...row, flag: undefined })) : rows
  const width = stdout.columns ?? 80
  const table =
    rows.length > 0
      ? usageTable(shown, width, style, [changeColumn(rows, trend)])
      : 'No usage to show.'
  const title = single ? `${style.bold(safeText(names[0] ?? ''))}\n\n` : ''
  const time = new Date(readAt).toISOString().slice(11, 19)
  const status = `Read at ${time}Z, every ${intervalMs / 1000} s, Ctrl-C ends`
  const errors = failures.flatMap(errorLines).map((line) => style.red(safeText(line)))
  return [...`${title}${table}\n\n${style.dim(status)}`.split('\n'), ...errors]
}
