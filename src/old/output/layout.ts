import type { Paint } from './style.ts'
import { type Safe, safe } from './text.ts'
import { shortenNames, textWidth } from './width.ts'

/** One way to show a column. Cells are made when needed, because the cells of many rows take much memory. */
export interface Form {
  title: Safe
  cell: (row: number) => Safe
}

/** A column of a table, with everything it can look like. */
export interface Column {
  /** By default `left`. */
  align?: 'left' | 'right'
  /** The widest first; later ones drop decoration. `null`, as the last one, leaves the column out. */
  forms: readonly [Form, ...(Form | null)[]]
  /** A form that shows less, used when dropping decoration and shortening names is not enough. */
  terse?: Form
  /** Whether the columns that have this change their form together: counts have one unit, dates one length. */
  together?: boolean
  /** Whether cells are names that may be shortened. */
  elastic?: boolean
  /** Colours a cell that has its final width. */
  paint?: Paint
}

/** A form with a cell for each row, and those of totals after them. */
export function formOf<Row>(
  title: Safe,
  rows: readonly Row[],
  render: (row: Row) => Safe,
  totals: readonly Safe[] = [],
): Form {
  const cell = (index: number) => {
    const row = rows[index]
    return row === undefined ? (totals[index - rows.length] ?? safe``) : render(row)
  }
  return { title, cell }
}

/** The columns of a table and where they are drawn. */
export interface Grid {
  columns: readonly Column[]
  rows: number
  /** Columns of the terminal; undefined for any width. */
  width: number | undefined
}

/** A column as it will be drawn. */
export interface PlacedColumn {
  column: Column
  form: Form
  width: number
  /** The width of the widest cell; more than `width` if cells must be shortened. */
  natural: number
}

const GAP = 2
const NARROW_GAP = 1
// Shorter names are hard to recognise; below the second width they are not worth showing.
const READABLE_WIDTH = 16
const MIN_NAME_WIDTH = 8

function place(column: Column, form: Form, { rows }: Grid): PlacedColumn {
  let natural = 0
  for (let row = 0; row < rows; row++) {
    natural = Math.max(natural, textWidth(form.cell(row)))
  }
  const width = Math.max(natural, textWidth(form.title))
  return { column, form, width, natural }
}

/** Width of placed columns with the gaps between them. */
export function totalWidth(placed: readonly PlacedColumn[], gap = GAP): number {
  return placed.reduce((sum, { width }) => sum + width, gap * (placed.length - 1))
}

/** Spaces between two columns: fewer if only that makes the table fit. */
export function gapOf(placed: readonly PlacedColumn[], width: number): number {
  const fitsNarrowly = totalWidth(placed) > width && totalWidth(placed, NARROW_GAP) <= width
  return fitsNarrowly ? NARROW_GAP : GAP
}

/** Narrows the widest elastic columns until the table fits or none is wider than `least`. */
function shrink(placed: readonly PlacedColumn[], width: number, least: number): void {
  const elastic = placed.filter(({ column }) => column.elastic)
  let excess = totalWidth(placed) - width
  while (excess > 0) {
    const [widest, next] = elastic.toSorted((a, b) => b.width - a.width)
    if (!widest || widest.width <= least) return
    const step = Math.max(1, widest.width - Math.max(next?.width ?? 0, least))
    widest.width -= Math.min(step, excess)
    excess -= step
  }
}

/** Draws a column, and those that change together with it, in another form. */
function change(
  placed: PlacedColumn[],
  changed: Column,
  formOf: (column: Column) => Form | null | undefined,
  grid: Grid,
): void {
  for (const [index, { column }] of placed.entries()) {
    const isAlike = column === changed || (column.together && changed.together)
    const form = isAlike ? formOf(column) : undefined
    if (form) placed[index] = place(column, form, grid)
    if (form === null) placed.splice(index, 1)
  }
}

/**
 * Drops decoration until the table fits or none is left. Goes from right to left in rounds, one step
 * per column and round.
 */
function placeAll(grid: Grid): PlacedColumn[] {
  const { columns, width = Number.POSITIVE_INFINITY } = grid
  const placed = columns.map((column) => place(column, column.forms[0], grid))
  const deepest = Math.max(...columns.map(({ forms }) => forms.length))
  for (let step = 1; step < deepest; step++) {
    for (const column of columns.toReversed()) {
      if (totalWidth(placed) > width) change(placed, column, ({ forms }) => forms[step], grid)
    }
  }
  return placed
}

/** Whether columns fit side by side without shortening, with or without decoration. */
export function fitsInFull(grid: Grid): boolean {
  return grid.width === undefined || totalWidth(placeAll(grid)) <= grid.width
}

/**
 * Fits columns into a width: drops decoration first, then shortens names while they stay readable,
 * then takes terse forms, then shortens names further.
 */
export function layOut(grid: Grid): PlacedColumn[] {
  const { width = Number.POSITIVE_INFINITY } = grid
  const placed = placeAll(grid)
  shrink(placed, width, READABLE_WIDTH)
  for (const { column } of placed.toReversed()) {
    if (totalWidth(placed) > width) change(placed, column, ({ terse }) => terse, grid)
  }
  shrink(placed, width, MIN_NAME_WIDTH)
  return placed
}

/** The cells of a column with names shortened so that they stay different; undefined if they cannot. */
export function shortNames({ form, width }: PlacedColumn, rows: number): Safe[] | undefined {
  return shortenNames(
    Array.from({ length: rows }, (_, row) => form.cell(row)),
    width,
  )
}

/** Whether columns fit side by side while shortened names stay different. */
export function fits(grid: Grid): boolean {
  const { rows, width = Number.POSITIVE_INFINITY } = grid
  const placed = layOut(grid)
  const isClear = (one: PlacedColumn) =>
    !one.column.elastic || one.natural <= one.width || shortNames(one, rows) !== undefined
  return totalWidth(placed) <= width && placed.every(isClear)
}
