import Table from 'cli-table3'
import { isolate } from '../escapes.ts'
import { cellText, columnsOf, type RowField, totalText } from '../fields.ts'
import { linesBelow, type WriteRows, type RowReport } from '../rows.ts'
import type { Line, Writer } from '../text.ts'
import { cutText, textWidth, wrapText } from '../width.ts'

/** The cell for a value that is missing. */
const NOTHING = '—'

const GAP = 2
// cli-table3 is quadratic in rows; with blocks of this size it is fastest.
const BLOCK = 25
// Shorter names are hard to recognise.
const MIN_NAME = 11
// Longer texts are cut before optional columns are left out.
const MIN_TEXT = 20
// Drawing a wider cell takes minutes, and JSON has all of it.
const MAX_CELL = 2000

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
  'mid-mid': '',
}

interface Column<Row> {
  field: RowField<Row>
  title: string
  width: number
}

/** The columns that fit: first optional ones are left out, then names and texts are cut, then the last ones are left out. */
function fit<Row>(columns: readonly Column<Row>[], room: number | undefined) {
  const total = (all: readonly Column<Row>[], isShort = false) =>
    all.reduce((sum, { field, width }) => {
      const isCut = isShort && field.kind === 'text'
      return sum + (isCut ? Math.min(width, MIN_TEXT) : width) + GAP
    }, -GAP)
  if (room === undefined || total(columns) <= room) return [...columns]
  let placed = [...columns]
  for (const column of columns.toReversed()) {
    if (total(placed, true) > room && column.field.isOptional) {
      placed = placed.filter((one) => one !== column)
    }
  }
  const names = placed.filter(({ field }) => field.kind === 'name' || field.kind === 'text')
  for (let over = total(placed) - room; over > 0; over--) {
    const [widest] = names
      .filter(({ title, width }) => width > Math.max(MIN_NAME, textWidth(title)))
      .sort((a, b) => b.width - a.width)
    if (!widest) break
    widest.width--
  }
  while (total(placed) > room && placed.length > 1) placed.pop()
  return placed
}

/** The line that says what a narrow terminal does not show; undefined if it shows everything. */
function noteOf(cut: readonly string[], leftOut: readonly string[], isTerminal: boolean) {
  const parts = [
    cut.length > 0 && `cut: ${cut.join(', ')}`,
    leftOut.length > 0 && `not shown: ${leftOut.join(', ')}`,
  ].filter(Boolean)
  const remedy = isTerminal ? 'a wider terminal or a pipe shows all' : 'JSON shows all'
  return parts.length > 0 ? `${parts.join('; ')} (${remedy})` : undefined
}

/**
 * Draws rows as a table. A terminal cuts what does not fit into its width, so that each row is one line.
 * @param now the current time, for times as ages
 * @returns its text in parts, and the line that says what was cut or left out
 */
function tableText<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
  out: Writer,
  now: number | undefined,
): { blocks: Iterable<string>; note: string | undefined } {
  const cell = (field: RowField<Row>, row: Row) =>
    out.printable(cellText(field, row, now) ?? NOTHING)
  const columns = columnsOf(fields).map((field): Column<Row> => {
    const title = out.printable(field.title ?? '')
    const least = Math.max(textWidth(title), textWidth(totalText(field)))
    const width = rows.reduce((most, row) => Math.max(most, textWidth(cell(field, row))), least)
    return { field, title, width }
  })
  const natural = new Map(columns.map(({ field, width }) => [field, width]))
  for (const column of columns) column.width = Math.min(column.width, MAX_CELL)
  const placed = fit(columns, out.width)
  const options = {
    chars: { ...noLines, mid: '─' },
    colWidths: placed.map(({ width }) => width + GAP),
    colAligns: placed.map(({ field }) =>
      field.kind === 'number' ? ('right' as const) : ('left' as const),
    ),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': GAP },
  }
  const draw = (head: string[], block: readonly string[][]) => {
    const table = new Table({ ...options, head })
    table.push(...block)
    const lines = table.toString().split('\n')
    // The last column ends in a gap, too.
    return lines.map((line) => (line.startsWith('─') ? line.slice(0, -GAP) : line.trimEnd()))
  }
  const shown = (row: Row) =>
    placed.map(({ field, width }) =>
      out.styled(field.style?.(row), cutText(cell(field, row), width)),
    )
  function* blocks() {
    let rule = ''
    for (let start = 0; start < rows.length; start += BLOCK) {
      const head = start === 0 ? placed.map(({ title }) => title) : []
      const lines = draw(head, rows.slice(start, start + BLOCK).map(shown))
      if (start === 0) rule = lines[1] ?? ''
      yield isolate(`${lines.join('\n')}\n`)
    }
    if (placed.every(({ field }) => field.total === undefined)) return
    const totals = placed.map(({ field }) => out.printable(totalText(field)))
    yield isolate(`${[rule, ...draw([], [totals])].join('\n')}\n`)
  }
  const cut = placed.filter(({ field, width }) => width < (natural.get(field) ?? 0))
  const leftOut = columns.filter(({ field }) => !placed.some((one) => one.field === field))
  const titlesOf = (all: readonly Column<Row>[]) => all.map(({ title }) => title)
  const note = noteOf(titlesOf(cut), titlesOf(leftOut), out.width !== undefined)
  return { blocks: blocks(), note }
}

function* tableParts<Row>(report: RowReport<Row>, out: Writer): Generator<string> {
  const { rows, fields, caption, nothing, now } = report
  const textOf = (...line: Line) => `${wrapText(out.rendered(line), out.width)}\n`
  if (caption !== undefined) yield `${textOf(caption)}\n`
  const drawn = rows.length > 0 ? tableText(fields, rows, out, now) : undefined
  if (drawn) yield* drawn.blocks
  else yield textOf(nothing)
  const { lines, gaps } = linesBelow(report)
  const notes = drawn?.note === undefined ? lines : [drawn.note, ...lines]
  const incomplete = gaps.map((line) => textOf({ magenta: line }))
  const below = [...notes.map((line) => textOf(line)), ...incomplete]
  if (below.length > 0) yield `\n${below.join('')}`
}

export const writeRows: WriteRows = (report, out) => {
  for (const text of tableParts(report, out)) out.raw(text)
}
