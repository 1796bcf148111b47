import Table from 'cli-table3'
import { type Column, GAP, layOut, type PlacedColumn, totalWidth, type Widths } from './layout.ts'
import { isolate } from './text.ts'
import { shortenMiddle, shortenNames, wrapText } from './width.ts'

// cli-table3 takes quadratic time; blocks of fixed column widths make it linear. It aligns the cells;
// its own truncation is not used, because it can make different names look the same.
const BLOCK_ROWS = 100

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

type Row = (string | { colSpan: number; content: string; hAlign: 'left' })[]

function draw(placed: readonly PlacedColumn[], rows: Row[]): string {
  const table = new Table({
    chars: borderless,
    // Half of the gap is padding, since cli-table3 always has one character between cells.
    colWidths: placed.map(({ width }) => width + GAP - 1),
    colAligns: placed.map(({ column }) => column.align),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP - 1 },
  })
  table.push(...rows)
  // Line by line, as one regular expression would take quadratic time on a run of blanks.
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

function finish({ column, cells, width }: PlacedColumn): string[] {
  const { elastic, paint } = column
  const names = elastic ? shortenNames(cells, width) : cells
  const fitting = names ?? cells.map((cell) => shortenMiddle(cell, width))
  return paint ? fitting.map(paint) : fitting
}

/** What a table shows; its cells are already safe to print. The last row holds the totals. */
export interface TableContent {
  columns: readonly Column[]
  /** The text above each row and above the titles. */
  above?: { title: string; cells: readonly string[] } | undefined
  /** The text below each row, which may be as wide as the table. */
  below?: ((width: number) => readonly string[]) | undefined
  /** Where to keep the widths of columns from one drawing to the next. */
  widths?: Widths | undefined
}

/**
 * Draws a table: titles, a rule, the rows and, below a second rule, the totals.
 * @param width columns of the terminal; undefined for any width
 */
export function renderTable(
  { columns, above, below, widths }: TableContent,
  width: number | undefined,
  dim: (text: string) => string,
): string {
  const placed = layOut(columns, width, widths)
  const finished = placed.map(finish)
  const total = totalWidth(placed)
  const last = (finished[0]?.length ?? 0) - 1
  const details = below?.(total) ?? []
  const span = (content = ''): Row[] =>
    content === '' ? [] : [[{ colSpan: placed.length, content, hAlign: 'left' }]]
  const heading = (text = '') => span(wrapText(text, total).join('\n'))
  const rowsAt = (index: number): Row[] => {
    const row = finished.map((cells) => cells[index] ?? '')
    const detail = details[index]
    return [...heading(above?.cells[index]), row, ...span(detail && dim(detail))]
  }
  const rule = dim('─'.repeat(total))
  const titles = placed.map((column) => shortenMiddle(column.title, column.width))
  const blocks = [draw(placed, [...heading(above?.title), titles]), rule]
  for (let start = 0; start < last; start += BLOCK_ROWS) {
    const length = Math.min(BLOCK_ROWS, last - start)
    const rows = Array.from({ length }, (_, offset) => rowsAt(start + offset)).flat()
    blocks.push(draw(placed, rows))
  }
  return isolate([...blocks, rule, draw(placed, rowsAt(last))].join('\n'))
}
