import type { RowField } from './fields.ts'
import { counted, type Incomplete, incompleteLines } from './incomplete.ts'
import type { Writer } from './text.ts'

/** Something to do with what has this name. */
export interface Task {
  name: string
  text: string
}

/** Rows, and what is around them. */
export interface RowReport<Row> {
  rows: readonly Row[]
  /** The first one is the name, for `-o names`. */
  fields: readonly RowField<Row>[]
  /** The line above a table. */
  caption?: string | undefined
  /** The line instead of an empty table. */
  nothing: string
  /** How to see the rows that a table on a terminal leaves out. */
  others?: string | undefined
  /** How many rows `--limit` leaves out. */
  beyondLimit?: number | undefined
  /** What a row is: `flag`. */
  noun?: string | undefined
  below?: readonly string[] | undefined
  /** Work to do, which Markdown has as a list of tasks. */
  tasks?: readonly Task[] | undefined
  incomplete?: readonly Incomplete[] | undefined
  /** The current time, for tables with times as ages. */
  now?: number | undefined
  /** Fields of the JSON document before the rows, and the name of the rows in it. */
  json?: { head?: object; rows: string } | undefined
  /** What a job finds its own comment by: a hidden comment at the start of the Markdown. */
  marker?: string | undefined
}

export type WriteRows = <Row>(report: RowReport<Row>, out: Writer) => void

export interface RowPrinter<Row> {
  add(rows: readonly Row[]): void
  /** Prints what is below the rows. */
  end(incomplete: readonly Incomplete[]): void
}

/** Begins to print rows that need not be known at once. */
export type BeginRows = <Row>(fields: readonly RowField<Row>[], out: Writer) => RowPrinter<Row>

export interface ViewOptions {
  reverse?: boolean | undefined
  limit?: number | undefined
}

/** The first rows in an order, and how many more there are. */
export function firstRows<Row>(
  rows: readonly Row[],
  order: (a: Row, b: Row) => number,
  { reverse, limit }: ViewOptions,
): { rows: Row[]; beyondLimit: number } {
  const sorted = rows.toSorted((a, b) => (reverse ? order(b, a) : order(a, b)))
  const first = sorted.slice(0, limit)
  return { rows: first, beyondLimit: sorted.length - first.length }
}

/** A row with the names and values of its fields. */
export function objectsOf<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
): Record<string, unknown>[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (const { name, value } of fields) if (name !== undefined) object[name] = value(row) ?? null
    return object
  })
}

const BLOCK = 500

/** Rows in blocks: the text of all of them at once would take much memory. */
export function* blocksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += BLOCK) yield rows.slice(start, start + BLOCK)
}

/** `11 flags, 2 shown`; empty if `--limit` leaves out none. */
export function limitLines<Row>({
  rows,
  beyondLimit = 0,
  noun = 'row',
}: Pick<RowReport<Row>, 'rows' | 'beyondLimit' | 'noun'>): string[] {
  if (beyondLimit === 0) return []
  return [`${counted(rows.length + beyondLimit, noun)}, ${rows.length} shown`]
}

/** The lines below a table, and last what is incomplete. */
export function linesBelow<Row>(report: RowReport<Row>) {
  const { below = [], incomplete = [] } = report
  return { lines: [...below, ...limitLines(report)], gaps: incompleteLines(incomplete) }
}
