import { textWidth } from './width.ts'

/** One way to show a column; cells are made when they are needed. */
export interface Form {
  title: string
  cells: () => string[]
}

/** A column of a table, with everything it can look like. */
export interface Column {
  align: 'left' | 'right'
  /** The widest first: a terminal that is too narrow gets a later one. */
  forms: readonly [Form, ...Form[]]
  /** Whether cells may be shortened when no rendition is narrow enough. */
  elastic: boolean
  /** Colours a cell that is already as wide as it will be. */
  paint?: (text: string) => string
}

/** A column as it will be drawn. */
export interface PlacedColumn {
  column: Column
  title: string
  cells: string[]
  width: number
}

/** Columns between two columns. */
export const GAP = 2
const NARROWEST = 6

function naturalWidth(title: string, cells: readonly string[]): number {
  let width = textWidth(title)
  for (const cell of cells) width = Math.max(width, textWidth(cell))
  return width
}

function place(column: Column, { title, cells: makeCells }: Form): PlacedColumn {
  const cells = makeCells()
  return { column, title, cells, width: naturalWidth(title, cells) }
}

/** Columns of the terminal that placed columns take with the gaps between them. */
export function totalWidth(placed: readonly PlacedColumn[]): number {
  return placed.reduce((sum, { width }) => sum + width, GAP * (placed.length - 1))
}

/** Takes columns off the widest elastic column, one by one, until the table fits or none can give. */
function shrink(placed: PlacedColumn[], width: number): void {
  for (let excess = totalWidth(placed) - width; excess > 0; excess--) {
    const [widest] = placed
      .filter((candidate) => candidate.column.elastic && candidate.width > NARROWEST)
      .sort((a, b) => b.width - a.width)
    if (!widest) return
    widest.width--
  }
}

/** Whether all columns fit side by side in their widest renditions. */
export function fits(columns: readonly Column[], width: number | undefined): boolean {
  if (width === undefined) return true
  return totalWidth(columns.map((column) => place(column, column.forms[0]))) <= width
}

/**
 * Chooses for each column the widest rendition that lets the table fit, then shortens elastic ones.
 * Narrowing goes in rounds from the right: every column gives a step before one gives two.
 * @param width columns of the terminal; undefined when nothing needs to be narrow
 */
export function layOut(columns: readonly Column[], width: number | undefined): PlacedColumn[] {
  const placed = columns.map((column) => place(column, column.forms[0]))
  if (width === undefined) return placed
  const deepest = Math.max(...columns.map(({ forms }) => forms.length))
  for (let step = 1; step < deepest; step++) {
    for (const [index, column] of [...columns.entries()].reverse()) {
      const form = column.forms[step]
      if (form && totalWidth(placed) > width) placed[index] = place(column, form)
    }
  }
  shrink(placed, width)
  return placed
}
