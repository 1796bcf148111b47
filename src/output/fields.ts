import { groupDigits } from './numbers.ts'
import type { Style } from './text.ts'
import { timestampText } from './time.ts'

/** A value of a field: text and numbers, and in JSON also lists and objects. */
export type Value = string | number | boolean | null | undefined | object

/** A field of rows: with a name, in CSV, JSON and JSON Lines; with a title, in tables. */
export interface RowField<Row> {
  name?: string | undefined
  title?: string | undefined
  value(row: Row): Value
  /** What a table shows, if it differs from the value. */
  cell?(row: Row): string | number | null | undefined
  /**
   * How a table shows it, by default as a word. A narrow terminal cuts names and texts with `…`; keys (flags, projects),
   * numbers, times and words keep their width. Numbers are aligned right, times become `2 h ago` or `2026-11-20 16:00 UTC`.
   */
  kind?: 'key' | 'name' | 'text' | 'number' | 'time' | undefined
  /** Whether a narrow terminal may leave it out; the last one first. */
  isOptional?: boolean
  style?(row: Row): Style | undefined
  /** The cell of the last row of a table, below a line. */
  total?: string | number | undefined
}

const textOf = (value: Value) => (typeof value === 'number' ? groupDigits(value) : `${value}`)

/** The cell of a field in the last row of a table, empty without one. */
export function totalText<Row>({ total = '' }: RowField<Row>): string {
  return textOf(total)
}

/** What a table shows of a row; undefined for nothing. @param now the current time, for times as ages */
export function cellText<Row>(
  { value, cell, kind }: RowField<Row>,
  row: Row,
  now?: number,
): string | undefined {
  const shown = cell ? cell(row) : value(row)
  if (shown == null) return undefined
  return kind === 'time' ? timestampText(`${shown}`, now) : textOf(shown)
}

/** Leaves fields without any value out of tables. */
export function filled<Row>(fields: readonly RowField<Row>[], rows: readonly Row[]) {
  const isFilled = ({ value }: RowField<Row>) => rows.some((row) => value(row) != null)
  return fields.map((one): RowField<Row> => (isFilled(one) ? one : { ...one, title: undefined }))
}
