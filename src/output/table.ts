import Table from 'cli-table3'
import { type Column, GAP, layOut, type PlacedColumn, totalWidth } from './layout.ts'
import { isolate } from './text.ts'
import { shortenMiddle } from './width.ts'

// cli-table3 takes quadratic time; blocks of fixed column widths make it linear.
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

type Row = (string | { colSpan: number; content: string })[]

function draw(placed: readonly PlacedColumn[], rows: Row[]): string {
  const table = new Table({
    chars: borderless,
    // Half of the gap is padding: cli-table3 reckons with one character between cells.
    colWidths: placed.map(({ width }) => width + GAP - 1),
    colAligns: placed.map(({ column }) => column.align),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP - 1 },
  })
  table.push(...rows)
  return table.toString().replace(/ +$/gm, '')
}

function finish({ column, cells, width }: PlacedColumn): string[] {
  const { paint = (text: string) => text } = column
  return cells.map((cell) => paint(shortenMiddle(cell, width)))
}

/** What a table shows; its cells are already safe to print. The last row holds the totals. */
export interface TableContent {
  columns: readonly Column[]
  /** The text below each row, over its whole width; given the columns that there are. */
  below?: ((width: number) => readonly string[]) | undefined
}

/**
 * Draws a table: titles, a rule, the rows and, below a second rule, the totals.
 * @param width columns of the terminal; undefined for as wide as it takes
 */
export function renderTable(
  { columns, below }: TableContent,
  width: number | undefined,
  dim: (text: string) => string,
): string {
  const placed = layOut(columns, width)
  const finished = placed.map(finish)
  const last = (finished[0]?.length ?? 0) - 1
  const details = below?.(totalWidth(placed)) ?? []
  const rowsAt = (index: number): Row[] => {
    const row = finished.map((cells) => cells[index] ?? '')
    const content = details[index]
    return content ? [row, [{ colSpan: placed.length, content: dim(content) }]] : [row]
  }
  const rule = dim('─'.repeat(totalWidth(placed)))
  const titles = placed.map((column) => shortenMiddle(column.title, column.width))
  const blocks = [draw(placed, [titles]), rule]
  for (let start = 0; start < last; start += BLOCK_ROWS) {
    const length = Math.min(BLOCK_ROWS, last - start)
    const rows = Array.from({ length }, (_, offset) => rowsAt(start + offset)).flat()
    blocks.push(draw(placed, rows))
  }
  return isolate([...blocks, rule, draw(placed, rowsAt(last))].join('\n'))
}
