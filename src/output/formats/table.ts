import Table from 'cli-table3'
import { isolate } from '../escapes.ts'
import { cellText, columnsOf, type RowField, totalText } from '../fields.ts'
import { linesBelow, type WriteRows } from '../rows.ts'
import type { Line, Writer } from '../text.ts'
import { cutText, textWidth } from '../width.ts'

/** The cell for a value that is missing. */
const NOTHING = '—'

const GAP = 2
// cli-table3 is quadratic in rows; with blocks of this size it is fastest.
const BLOCK = 25
// Longer cells are cut before a column is left out.
const READABLE: Partial<Record<RowField<unknown>['kind'], number>> = { key: 24, name: 14, text: 20 }
// Cells are cut even more before a column is left out that is a key or an answer.
const LEGIBLE = 6
// Titles that are names: `develop…`.
const MIN_TITLE = 8
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
  /** The width of the widest cell. */
  cells: number
  width: number
}

type LeastWidth = <Row>(column: Column<Row>) => number

const withShortTitle: LeastWidth = ({ field, cells, width }) =>
  field.isTitleName ? Math.min(width, Math.max(cells, MIN_TITLE)) : width

const readable: LeastWidth = (column) => {
  const { field, title, width } = column
  const least = READABLE[field.kind]
  if (least === undefined) return withShortTitle(column)
  return Math.min(width, Math.max(least, textWidth(title)))
}

/** Texts are cut before names. */
const withShortText: LeastWidth = (column) =>
  column.field.kind === 'text' ? readable(column) : withShortTitle(column)

const legible: LeastWidth = (column) => {
  const isCut = READABLE[column.field.kind] !== undefined
  return isCut ? Math.min(column.width, LEGIBLE) : withShortTitle(column)
}

/** The width of a table whose columns have their least widths. */
function tableWidth<Row>(columns: readonly Column<Row>[], leastWidth: LeastWidth): number {
  return columns.reduce((sum, column) => sum + leastWidth(column) + GAP, -GAP)
}

/** The columns that a narrow terminal leaves out, in that order; of those with the same order, the last one first. */
function droppable<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  const last = Number.MAX_VALUE
  return columns
    .filter(({ field }) => field.dropOrder !== undefined)
    .toReversed()
    .sort((a, b) => (a.field.dropOrder ?? last) - (b.field.dropOrder ?? last))
}

/** Narrows the widest column again and again until the table fits, or each has its least width. */
function shrink<Row>(columns: readonly Column<Row>[], leastWidth: LeastWidth, room: number): void {
  for (let over = tableWidth(columns, ({ width }) => width) - room; over > 0; over--) {
    const [widest] = columns
      .filter((column) => column.width > leastWidth(column))
      .sort((a, b) => b.width - a.width)
    if (!widest) return
    widest.width--
  }
}

/**
 * The columns that fit: columns are left out in their order until the others can be read, then titles, texts and names are
 * cut. On a terminal that is too narrow even for the keys and the answers, the last ones are left out as well.
 */
function fit<Row>(columns: readonly Column<Row>[], room: number | undefined): Column<Row>[] {
  const placed = [...columns]
  if (room === undefined) return placed
  for (const column of droppable(columns)) {
    if (tableWidth(placed, readable) > room) placed.splice(placed.indexOf(column), 1)
  }
  while (tableWidth(placed, legible) > room && placed.length > 1) placed.pop()
  for (const leastWidth of [withShortTitle, withShortText, readable, legible]) {
    shrink(placed, leastWidth, room)
  }
  return placed
}

/** Parts of a width that the end of a name may have, in the order in which they are tried. */
const TAILS = [1 / 2, 1 / 4, 3 / 4, 1 / 8, 7 / 8]

/** How much of the end of names to keep, so that as many as possible stay distinct. */
function tailOf(names: ReadonlySet<string>, width: number): number {
  const options = TAILS.map((part) => {
    const tail = Math.floor((width - 1) * part)
    return { tail, distinct: new Set(Array.from(names, (name) => cutText(name, width, tail))).size }
  })
  const most = Math.max(...options.map(({ distinct }) => distinct))
  return options.find(({ distinct }) => distinct === most)?.tail ?? 0
}

/** The title of a column as far as it fits: its start or, if another one has the same start, also its end. */
function titleOf<Row>({ title, width }: Column<Row>, columns: readonly Column<Row>[]): string {
  const start = cutText(title, width)
  const others = columns.filter((one) => one.title !== title)
  const isShared = others.some((other) => cutText(other.title, width) === start)
  return isShared ? cutText(title, width, Math.floor((width - 1) / 2)) : start
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
    const total = textWidth(totalText(field))
    const cells = rows.reduce((most, row) => Math.max(most, textWidth(cell(field, row))), total)
    return { field, title, cells, width: Math.min(MAX_CELL, Math.max(cells, textWidth(title))) }
  })
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
  const tails = placed.map(({ field, cells, width }) => {
    if (cells <= width || field.kind === 'text') return 0
    return tailOf(new Set(rows.map((row) => cell(field, row))), width)
  })
  const shown = (row: Row) =>
    placed.map(({ field, width }, index) =>
      out.styled(field.style?.(row), cutText(cell(field, row), width, tails[index])),
    )
  function* blocks() {
    let rule = ''
    for (let start = 0; start < rows.length; start += BLOCK) {
      const head =
        start === 0 ? placed.map((column) => out.styled('bold', titleOf(column, placed))) : []
      const lines = draw(head, rows.slice(start, start + BLOCK).map(shown))
      if (start === 0) rule = lines[1] ?? ''
      yield isolate(`${lines.join('\n')}\n`)
    }
    if (placed.every(({ field }) => field.total === undefined)) return
    const totals = placed.map(({ field }) => out.printable(totalText(field)))
    yield isolate(`${[rule, ...draw([], [totals])].join('\n')}\n`)
  }
  const cut = placed.filter(({ cells, width }) => width < cells)
  const leftOut = columns.filter(({ field }) => !placed.some((one) => one.field === field))
  const titlesOf = (all: readonly Column<Row>[]) => all.map(({ title }) => title.trim())
  const note = noteOf(titlesOf(cut), titlesOf(leftOut), out.width !== undefined)
  return { blocks: blocks(), note }
}

export const writeRows: WriteRows = (report, out) => {
  const { rows, fields, caption, nothing, now } = report
  if (caption !== undefined) out.lines([caption, ''])
  const drawn = rows.length > 0 ? tableText(fields, rows, out, now) : undefined
  if (drawn) for (const block of drawn.blocks) out.raw(block)
  else out.line(nothing)
  const { lines, gaps } = linesBelow(report)
  const notes = drawn?.note === undefined ? lines : [drawn.note, ...lines]
  const below = [...notes, ...gaps.map((line): Line => [{ magenta: line }])]
  if (below.length > 0) out.lines(['', ...below])
}
