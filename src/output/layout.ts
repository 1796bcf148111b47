import { shortenNames, textWidth } from './width.ts'

/** One way to show a column; cells are made when they are needed. */
export interface Form {
  title: string
  cells: () => string[]
  /** Room to keep for cells that are still to come. */
  minWidth?: number
}

/** A column of a table, with everything it can look like. */
export interface Column {
  align: 'left' | 'right'
  /** The widest first; later ones drop decoration. `null` leaves the column out. */
  forms: readonly [Form, ...(Form | null)[]]
  /** A form that shows less, used when dropping decoration and shortening names is not enough. */
  terse?: Form
  /** Whether cells are names that may be shortened. */
  elastic: boolean
  /** Colours a cell that has its final width. */
  paint?: (text: string) => string
}

/** A column as it will be drawn. */
export interface PlacedColumn {
  column: Column
  title: string
  cells: string[]
  width: number
}

/** The greatest widths so far, by form. A table that is drawn again keeps its columns with them. */
export type Widths = Map<string, number>

/** Spaces between two columns. */
export const GAP = 2
// Shorter names are hard to recognise; below the second width they are not worth showing.
const READABLE = 16
const NARROWEST = 8

function naturalWidth({ title, minWidth = 0 }: Form, cells: readonly string[]): number {
  let width = Math.max(textWidth(title), minWidth)
  for (const cell of cells) width = Math.max(width, textWidth(cell))
  return width
}

function keyOf({ forms }: Column, form: Form): string {
  return `${forms[0].title} ${forms.indexOf(form)}`
}

/** Whether a column has been part of the table before. */
export function wasShown(widths: Widths | undefined, title: string): boolean {
  return widths?.has(`${title} 0`) ?? false
}

function place(column: Column, form: Form, widths: Widths | undefined): PlacedColumn {
  const cells = form.cells()
  const key = keyOf(column, form)
  const width = Math.max(naturalWidth(form, cells), widths?.get(key) ?? 0)
  widths?.set(key, width)
  return { column, title: form.title, cells, width }
}

/** Width of placed columns with the gaps between them. */
export function totalWidth(placed: readonly PlacedColumn[]): number {
  return placed.reduce((sum, { width }) => sum + width, GAP * (placed.length - 1))
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

/**
 * Drops decoration until the table fits or none is left. Goes from right to left in rounds, one step
 * per column and round.
 */
function placeAll(
  columns: readonly Column[],
  width: number | undefined,
  widths: Widths | undefined,
): PlacedColumn[] {
  let placed = columns.map((column) => place(column, column.forms[0], widths))
  if (width === undefined) return placed
  const deepest = Math.max(...columns.map(({ forms }) => forms.length))
  for (let step = 1; step < deepest; step++) {
    for (const column of columns.toReversed()) {
      const form = column.forms[step]
      if (form === undefined || totalWidth(placed) <= width) continue
      placed = placed.flatMap((one) => {
        if (one.column !== column) return [one]
        return form === null ? [] : [place(column, form, widths)]
      })
    }
  }
  return placed
}

/** Whether columns fit side by side without shortening, with or without decoration. */
export function fitsInFull(columns: readonly Column[], width: number | undefined, widths?: Widths) {
  return width === undefined || totalWidth(placeAll(columns, width, widths)) <= width
}

/**
 * Fits columns into a width: drops decoration first, then shortens names while they stay readable,
 * then takes terse forms, then shortens names further.
 * @param width columns of the terminal; undefined for any width
 */
export function layOut(
  columns: readonly Column[],
  width: number | undefined,
  widths?: Widths,
): PlacedColumn[] {
  const placed = placeAll(columns, width, widths)
  if (width === undefined) return placed
  shrink(placed, width, READABLE)
  for (const [index, { column }] of [...placed.entries()].reverse()) {
    if (column.terse && totalWidth(placed) > width) {
      placed[index] = place(column, column.terse, widths)
    }
  }
  shrink(placed, width, NARROWEST)
  return placed
}

/** Whether columns fit side by side while shortened names stay different. */
export function fits(columns: readonly Column[], width: number | undefined, widths?: Widths) {
  if (width === undefined) return true
  const placed = layOut(columns, width, widths)
  return (
    totalWidth(placed) <= width &&
    placed.every((one) => !one.column.elastic || shortenNames(one.cells, one.width))
  )
}
