import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, errorLines, FlagadmError, failureOfAll } from '../errors.ts'
import type { OutputStream } from '../host.ts'
import type { Column } from '../output/layout.ts'
import { groupDigits } from '../output/numbers.ts'
import { enterScreen } from '../output/screen.ts'
import { sparkline } from '../output/sparkline.ts'
import { safeText } from '../output/text.ts'
import { usageJsonl } from '../output/usage-jsonl.ts'
import { maskRows } from '../output/usage-mask.ts'
import { usageTable } from '../output/usage-table.ts'
import type { Service } from '../service/client.ts'
import { type UsageRow, usageRows } from '../usage/rows.ts'
import { type Shape, shapeRows } from '../usage/shape.ts'
import { createTrend, type Trend } from '../usage/trend.ts'
import { type Reading, readAll } from './usage-reading.ts'

// More failures would leave no room for the table.
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
  /** Whether no further reading follows. */
  last: boolean
  /** Milliseconds since the epoch. */
  readAt: number
  /** The rows of each flag that could be read. */
  rows: Map<string, UsageRow[]>
  failures: { name: string; error: FlagadmError }[]
}

/**
 * Reads repeatedly: on a terminal it redraws a table in place, elsewhere it appends JSON Lines.
 * Failures are shown; only 401 and 403 end it, because another reading would fail as well.
 * @throws the failure of the last reading, `partial` if only some flags failed, `interrupted` on Ctrl-C
 */
export async function watchUsage(context: Context, watch: Watch): Promise<void> {
  const format = watchFormat(context)
  const { service } = await connect(context)
  const last =
    format === 'table'
      ? await watchOnScreen(context, service, watch)
      : await appendRows(context, service, watch)
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

function watchFormat(context: Context): 'table' | 'jsonl' {
  const { host, options } = context
  if (host.stdout.isTTY) return context.format(['table', 'jsonl'], '--watch')
  if (options.output === undefined && !options.json) return 'jsonl'
  const format = context.format(['table', 'jsonl'], '--watch')
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

function snapshotOf(readings: readonly Reading[], readAt: number, isLast: boolean): Snapshot {
  const rows = new Map<string, UsageRow[]>()
  const failures: Snapshot['failures'] = []
  for (const { name, answer, error } of readings) {
    if (answer) rows.set(name, usageRows(answer.usage, name))
    if (error) failures.push({ name, error })
  }
  const last = isLast || failures.some(({ error }) => isFinal(error))
  return { readAt, rows, failures, last }
}

/** A snapshot at each interval, until the last reading. */
async function* snapshots(
  { host }: Context,
  service: Service,
  watch: Watch,
): AsyncGenerator<Snapshot> {
  const { clock, signal } = host
  for (let read = 1; ; read++) {
    const readings = await readAll(service, watch.names, watch.concurrency)
    if (signal.aborted) throw new FlagadmError('interrupted', 'interrupted')
    const snapshot = snapshotOf(readings, clock.now(), read === watch.reads)
    yield snapshot
    if (snapshot.last) return
    await clock.sleep(watch.intervalMs, signal).catch(() => {
      throw new FlagadmError('interrupted', 'interrupted')
    })
  }
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
    if (!last) for (const failure of aboutFlags(failures, watch)) context.messages.fail(failure)
    const all = [...rows.values()].flat()
    const shown = shapeRows(all, watch.shape).rows
    if (all.length > 0 && shown.length === 0 && !warned) {
      warned = true
      context.messages.warn('no usage matches --app and --environment')
    }
    if (!(await context.write(usageJsonl(shown, new Date(readAt).toISOString())))) return
  }
  return snapshot
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

/** Redraws the table after each reading. Returns the last snapshot, whose failures it does not leave behind. */
async function watchOnScreen(
  context: Context,
  service: Service,
  watch: Watch,
): Promise<Snapshot | undefined> {
  const style = await context.style()
  const { stdout, onSuspend } = context.host
  const { redact } = context.redactor
  const trend = createTrend()
  // A flag that cannot be read this time keeps its previous rows.
  const known = new Map<string, UsageRow[]>()
  let snapshot: Snapshot | undefined
  const shaped = (rows: Snapshot['rows']) =>
    maskRows(shapeRows([...rows.values()].flat(), watch.shape).rows, redact)
  const body = () =>
    known.size > 0
      ? bodyLines(shaped(known), watch, trend, stdout, style)
      : unreadLines(watch, style)
  const status = () => (snapshot ? statusLine(snapshot, watch, style) : 'Reading …')
  const footer = () => [status(), ...(snapshot ? errorFooter(snapshot, watch, style) : [])]
  const screen = enterScreen(stdout, onSuspend)
  const redraw = () => screen.draw(snapshot ? body().map(redact) : [], footer().map(redact))
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
    if (snapshot) {
      // The failures of the last reading go to stderr.
      const lines = snapshot.last ? [...body(), status()] : [...body(), ...footer()]
      await context.write(`${lines.join('\n')}\n`)
    }
  }
  return snapshot
}

type Style = Awaited<ReturnType<Context['style']>>

function titleLines({ names }: Watch, style: Style): string[] {
  const [name = ''] = names
  return names.length === 1 ? [style.bold(safeText(name)), ''] : []
}

function unreadLines(watch: Watch, style: Style): string[] {
  const text =
    watch.names.length === 1 ? 'The flag could not be read.' : 'None of the flags could be read.'
  return [...titleLines(watch, style), text, '']
}

function bodyLines(
  rows: UsageRow[],
  watch: Watch,
  trend: Trend,
  stdout: OutputStream,
  style: Style,
): string[] {
  const single = watch.names.length === 1
  const shown = single ? rows.map((row) => ({ ...row, flag: undefined })) : rows
  const table =
    rows.length > 0
      ? usageTable(shown, stdout.columns ?? 80, style, [changeColumn(rows, trend)])
      : 'No usage to show.'
  return [...titleLines(watch, style), ...table.split('\n'), '']
}

function statusLine({ readAt }: Snapshot, { intervalMs }: Watch, style: Style): string {
  const time = new Date(readAt).toISOString().slice(11, 19)
  return style.dim(`Read at ${time}Z, every ${intervalMs / 1000} s, Ctrl-C ends`)
}

function errorFooter({ failures }: Snapshot, watch: Watch, style: Style): string[] {
  const errors = aboutFlags(failures.slice(0, MOST_ERRORS), watch).flatMap(errorLines)
  const more = failures.length - MOST_ERRORS
  return [
    ...errors.map((line) => style.red(safeText(line))),
    ...(more > 0 ? [style.red(`… ${more} more failures`)] : []),
  ]
}
