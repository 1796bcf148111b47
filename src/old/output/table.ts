// Rows are drawn by hand, because cli-table3 takes ten times as long, which is 20 s for 150,000 rows.
import Table from 'cli-table3'
import { type Blocks, inBlocks } from './blocks.ts'
import { minuteText } from './dates.ts'
import {
  type Column,
  fitsInFull,
  type Form,
  formOf,
  gapOf,
  type Grid,
  layOut,
  type PlacedColumn,
  shortNames,
  totalWidth,
} from './layout.ts'
import { NOTHING } from './phrases.ts'
import type { Printer } from './printer.ts'
import type { RowField } from './rows.ts'
import type { Paint } from './style.ts'
import { formatted, linesOf, repeated, type Safe, safe, type Sanitizer } from './text.ts'
import { shortenMiddle, textWidth, wrapText } from './width.ts'

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  right: '',
  middle: ' ',
}

function drawTitles(placed: readonly PlacedColumn[], gap: number): Safe {
  const table = new Table({
    chars: borderless,
    // Half of the gap is padding, because cli-table3 always has one character between cells.
    colWidths: placed.map(({ width }) => width + gap - 1),
    colAligns: placed.map(({ column }) => column.align ?? 'left'),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap - 1 },
  })
  table.push(placed.map(({ form, width }) => shortenMiddle(form.title, width)))
  return formatted(table.toString().trimEnd())
}

/** Makes the cells of a column, which fit into its width. */
function cellsThatFit(placed: PlacedColumn, rows: number): (row: number) => Safe {
  const { column, form, width, natural } = placed
  if (natural <= width) return form.cell
  const names = column.elastic ? shortNames(placed, rows) : undefined
  return (row) => names?.[row] ?? shortenMiddle(form.cell(row), width)
}

/** Draws the line of a row. */
function lineDrawer(
  placed: readonly PlacedColumn[],
  gap: number,
  rows: number,
): (row: number) => Safe {
  const cells = placed.map((one) => cellsThatFit(one, rows))
  const padded = ({ column: { align, paint }, width }: PlacedColumn, cell: Safe) => {
    const blanks = ' '.repeat(width - textWidth(cell))
    const shown = paint ? paint(cell) : cell
    return align === 'right' ? blanks + shown : shown + blanks
  }
  return (row) => {
    const shown = placed.map((one, index) => padded(one, cells[index]?.(row) ?? safe``))
    return formatted(shown.join(' '.repeat(gap)).trimEnd())
  }
}

/** Rows from `start` up to `end`, and the row of their totals if they have one. */
interface Section {
  start: number
  end: number
  total?: number | undefined
}

export interface TableContent extends Grid {
  /** Whether the last row contains the totals. */
  hasTotals?: boolean
  /** The text above the titles, and above each row that differs in it from the row before. */
  above?: { title: Safe; cell: (row: number) => Safe } | undefined
  /** The text below each row, which may be as wide as the table. */
  below?: ((row: number, width: number) => Safe | undefined) | undefined
}

/**
 * Draws a table: titles, a line, the rows and, below a second line, the totals if there are any. Ends
 * in a line break.
 * @param dim colours the lines of the table and the text below rows
 */
export function renderTable(content: TableContent, dim: Paint): Blocks {
  const { rows, hasTotals } = content
  const draw = renderSections(content, dim)
  return draw(hasTotals ? { start: 0, end: rows - 1, total: rows - 1 } : { start: 0, end: rows })
}

/** Draws sections of rows as tables with the same columns. */
export function renderSections(content: TableContent, dim: Paint): (section: Section) => Blocks {
  const { above, below, rows, width = Number.POSITIVE_INFINITY } = content
  const placed = layOut(content)
  const gap = gapOf(placed, width)
  const total = Math.min(totalWidth(placed, gap), width)
  const rule = dim(repeated(safe`─`, total))
  // It may be wider than the columns, so that names stay whole.
  const heading = (text?: Safe) => (text ? wrapText(text, width) : [])
  const lineOf = lineDrawer(placed, gap, rows)
  const linesAt = (row: number, isFirst: boolean) => {
    const detail = below?.(row, total)
    const isRepeated = !isFirst && above?.cell(row) === above?.cell(row - 1)
    const head = isRepeated ? [] : heading(above?.cell(row))
    return [...head, lineOf(row), ...(detail ? [dim(detail)] : [])]
  }
  return function* (section) {
    yield linesOf([...heading(above?.title), drawTitles(placed, gap), rule])
    const length = section.end - section.start
    const indices = Array.from({ length }, (_, index) => section.start + index)
    yield* inBlocks(indices, (some) =>
      linesOf(some.flatMap((row) => linesAt(row, row === section.start))),
    )
    const last = section.total
    if (last === undefined) return
    const totals = lineOf(last)
    yield linesOf([rule, ...heading(above?.cell(last)), ...(totals === '' ? [] : [totals])])
  }
}

/** The form of a column with a field of rows. */
function fieldForm<Row>(
  { title = safe``, value, kind }: RowField<Row>,
  rows: readonly Row[],
  { text }: Sanitizer,
): Form {
  return formOf(title, rows, (row) => {
    const shown = value(row)
    if (shown == null) return NOTHING
    return kind === 'date' ? minuteText(text(`${shown}`)) : text(`${shown}`)
  })
}

function columnOf<Row>(field: RowField<Row>, rows: readonly Row[], sanitizer: Sanitizer): Column {
  const { kind = 'name', isGroup } = field
  const { title, cell } = fieldForm(field, rows, sanitizer)
  const isRepeated = (index: number) => index > 0 && cell(index) === cell(index - 1)
  const once = (index: number) => (isRepeated(index) ? safe`` : cell(index))
  return {
    align: kind === 'number' ? 'right' : 'left',
    elastic: kind === 'name',
    forms: [{ title, cell: isGroup ? once : cell }],
  }
}

/**
 * Rows as a table. If it is too wide, the first column becomes lines above the rows; then what is
 * optional is left out; then names are shortened.
 * @param total what to show below them
 */
export function rowTable<Row>(
  rows: readonly Row[],
  fields: readonly RowField<Row>[],
  printer: Printer,
  total?: Row,
): Blocks {
  const { style, width } = printer
  const all = total === undefined ? rows : [...rows, total]
  const content = { rows: all.length, width, hasTotals: total !== undefined }
  const layoutsOf = (some: readonly RowField<Row>[]): TableContent[] => {
    const columns = some.map((field) => columnOf(field, all, printer))
    const beside = { ...content, columns }
    const [first, ...others] = some
    if (!first || others.length === 0 || (first.kind ?? 'name') !== 'name') return [beside]
    const above = fieldForm(first, all, printer)
    return [beside, { ...content, columns: columns.slice(1), above }]
  }
  const shown = fields.filter(({ title }) => title !== undefined)
  const needed = shown.filter(({ kind, isExtra }) => kind !== 'date' && !isExtra)
  const layouts = [...layoutsOf(shown), ...layoutsOf(needed)]
  const layout = layouts.find(fitsInFull) ?? layouts.at(-1)
  return layout ? renderTable(layout, style.dim) : []
}
