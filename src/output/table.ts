import Table from 'cli-table3'
import { BLOCK_ROWS, type Blocks } from './blocks.ts'
import { gapOf, type Grid, layOut, type PlacedColumn, shortNames, totalWidth } from './layout.ts'
import type { Paint } from './style.ts'
import { formatted, linesOf, type Safe } from './text.ts'
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
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
}

/** A row of titles or totals. */
function drawRow(placed: readonly PlacedColumn[], cells: Safe[], gap: number): Safe {
  const table = new Table({
    chars: borderless,
    // Half of the gap is padding, because cli-table3 always has one character between cells.
    colWidths: placed.map(({ width }) => width + gap - 1),
    colAligns: placed.map(({ column }) => column.align ?? 'left'),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap - 1 },
  })
  table.push(cells)
  return formatted(table.toString().trimEnd())
}

/** Leaves out columns from the right until the table fits, because a figure that is cut off looks smaller than it is. */
function withoutExcess(
  placed: PlacedColumn[],
  gap: number,
  width = Number.POSITIVE_INFINITY,
): PlacedColumn[] {
  const fitting = [...placed]
  while (fitting.length > 1 && totalWidth(fitting, gap) > width) fitting.pop()
  return fitting
}

function painted({ column: { paint } }: PlacedColumn, text: Safe): Safe {
  return paint ? paint(text) : text
}

// cli-table3 takes about 20 µs per cell, which is 20 s for 150,000 rows; this takes a tenth of that.
function padded(placed: PlacedColumn, text: Safe): string {
  const blanks = ' '.repeat(placed.width - textWidth(text))
  const shown = painted(placed, text)
  return placed.column.align === 'right' ? blanks + shown : shown + blanks
}

/** The texts of a column's cells, which fit into its width. */
function textsOf(placed: PlacedColumn, rows: number): (row: number) => Safe {
  const { column, form, width, natural } = placed
  if (natural <= width) return form.cell
  const names = column.elastic ? shortNames(placed, rows) : undefined
  return (row) => names?.[row] ?? shortenMiddle(form.cell(row), width)
}

/** Rows from `start` up to `end`, and the row of their totals if they have one. */
interface Section {
  start: number
  end: number
  total?: number | undefined
}

/** The content of a table. */
export interface TableContent extends Grid {
  /** Whether the last row contains the totals; by default it does. */
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
  const { rows, hasTotals = true } = content
  const last = hasTotals ? rows - 1 : rows
  return renderSections(
    content,
    dim,
  )({
    start: 0,
    end: last,
    total: hasTotals ? last : undefined,
  })
}

/** Draws sections of rows as tables with the same columns. */
export function renderSections(content: TableContent, dim: Paint): (section: Section) => Blocks {
  const { above, below, rows } = content
  const laidOut = layOut(content)
  const gap = gapOf(laidOut, content.width)
  // A line that wraps would break a live view; elsewhere, wrapping loses nothing.
  const placed = content.widths ? withoutExcess(laidOut, gap, content.width) : laidOut
  // Rows that are too wide even so are wrapped by the terminal.
  const total = Math.min(totalWidth(placed, gap), content.width ?? Number.POSITIVE_INFINITY)
  const rule = dim(formatted('─'.repeat(total)))
  // It may be wider than the columns, so that names stay whole.
  const heading = (text?: Safe) =>
    text ? wrapText(text, content.width ?? Number.POSITIVE_INFINITY) : []
  const titles = placed.map(({ form, width }) => shortenMiddle(form.title, width))
  const columns = placed.map((one) => ({ ...one, cell: textsOf(one, rows) }))
  const lineOf = (row: number) =>
    formatted(
      columns
        .map((column) => padded(column, column.cell(row)))
        .join(' '.repeat(gap))
        .trimEnd(),
    )
  const linesAt = (row: number, isFirst: boolean) => {
    const detail = below?.(row, total)
    const isRepeated = !isFirst && above?.cell(row) === above?.cell(row - 1)
    const head = isRepeated ? [] : heading(above?.cell(row))
    return [...head, lineOf(row), ...(detail ? [dim(detail)] : [])]
  }
  return function* (section) {
    yield linesOf([...heading(above?.title), drawRow(placed, titles, gap), rule])
    for (let start = section.start; start < section.end; start += BLOCK_ROWS) {
      const length = Math.min(BLOCK_ROWS, section.end - start)
      const indices = Array.from({ length }, (_, offset) => start + offset)
      yield linesOf(indices.flatMap((row) => linesAt(row, row === section.start)))
    }
    const last = section.total
    if (last === undefined) return
    const totals = columns.map((column) => painted(column, column.cell(last)))
    const drawn = drawRow(placed, totals, gap)
    yield linesOf([rule, ...heading(above?.cell(last)), ...(drawn === '' ? [] : [drawn])])
  }
}
