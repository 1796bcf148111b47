import { listed } from './incomplete.ts'
import { groupDigits } from './numbers.ts'
import type { Style } from './text.ts'
import { timestampText } from './time.ts'

/** A value of a field: text and numbers, and in JSON also lists and objects. */
export type Value = string | number | boolean | null | undefined | object

/**
 * How a table shows a field. A narrow terminal cuts keys (flags, projects) and names in the middle, and texts at the end;
 * numbers, times and words keep their width; tables do not have data. Of lists, as many whole items are shown as fit. Numbers are aligned right, times become `2 h ago` or `2026-11-20 16:00 UTC`.
 */
type Kind = 'key' | 'name' | 'text' | 'list' | 'number' | 'time' | 'word' | 'data'

/** How the page of a review shows a field: as a column if the field has a title here or in tables, and in the open row of a flag. */
export interface PageView<Row> {
  title?: string
  /** What the column shows, if it is not the cell of tables. */
  cell?(row: Row): string | undefined
  /** A remark below it. */
  note?(row: Row): string | undefined
  /** What the column is sorted by, if it is not the text; rows without it are last. */
  key?(row: Row): number | undefined
  /** Whether the first click sorts from the greatest to the least. */
  isGreatestFirst?: true
  /** The entry that takes back a filter by the values: `All projects`. */
  unfiltered?: string
  /** The usage of each hour beside the cell, as a share of the greatest: 0 to 100, or null where it is not known. */
  chart?(row: Row): readonly (number | null)[]
  /** Lines of an open row; those of parts are a table. */
  details?: { title: string; lines(row: Row): readonly (string | readonly string[])[] }
}

interface Options<Row> {
  /** What a table shows, if it differs from the value. */
  cell?(row: Row): string | number | null | undefined
  /** What a narrow terminal shows instead. */
  shortCell?: ((row: Row) => string | undefined) | undefined
  /** What a table shows of a list: its items. */
  items?(row: Row): readonly string[]
  /** When a narrow terminal leaves the column out: 1 goes first. Without it, the column stays: it is the key or the answer. */
  dropOrder?: number | undefined
  /** Whether a terminal shows it only where it, or such a column left of it, is not that of the row above. */
  isGroup?: boolean
  /** Whether a terminal shows `″` for the text of the row above. */
  isDitto?: boolean
  /** Whether the title is a name, which a narrow terminal cuts to the width of the cells. */
  isTitleName?: boolean
  style?(row: Row): Style | undefined
  /** The cell of the last row of a table, below a line. */
  total?: string | number | undefined
  /**
   * The name of the field whose column is right of it in tables. Data has fields in the order of the list, to which they
   * are appended, so that the columns of a CSV file keep their places.
   */
  before?: string
  page?: PageView<Row>
}

/** A field of rows: with a name, in CSV, JSON and JSON Lines; with a title, in tables. */
export interface RowField<Row> extends Options<Row> {
  name?: string | undefined
  title?: string | undefined
  value(row: Row): Value
  kind: Kind
}

function constructorOf(kind: Kind) {
  return <Row>(
    name: string | undefined,
    title: string | undefined,
    value: (row: Row) => Value,
    options?: Options<Row>,
  ): RowField<Row> => ({ name, title, value, kind, ...options })
}

/** The constructors of fields, by what their column shows: `field.key('flag', 'Flag', (row) => row.flag)`. */
export const field = {
  key: constructorOf('key'),
  name: constructorOf('name'),
  text: constructorOf('text'),
  list: constructorOf('list'),
  number: constructorOf('number'),
  time: constructorOf('time'),
  word: constructorOf('word'),
  /** A field that tables do not have. */
  data: <Row>(name: string | undefined, value: (row: Row) => Value): RowField<Row> => {
    return { name, value, kind: 'data' }
  },
}

/** Fields in the order of their columns from left to right. */
export function inColumnOrder<Row>(fields: readonly RowField<Row>[]): RowField<Row>[] {
  const ordered = fields.filter(({ before }) => before === undefined)
  for (const field of fields) {
    if (field.before === undefined) continue
    const right = ordered.findIndex(({ name }) => name === field.before)
    ordered.splice(right < 0 ? ordered.length : right, 0, field)
  }
  return ordered
}

/** The fields that are columns of a table, in their order from left to right. */
export function columnsOf<Row>(fields: readonly RowField<Row>[]): RowField<Row>[] {
  return inColumnOrder(fields).filter(({ title }) => title !== undefined)
}

const textOf = (value: Value) => (typeof value === 'number' ? groupDigits(value) : `${value}`)

/** The cell of a field in the last row of a table, empty without one. */
export function totalText<Row>({ total = '' }: RowField<Row>): string {
  return textOf(total)
}

// Data and a table of its own have all of them.
const MAX_ITEMS = 3

/** The items of a list in a table, the first of them and how many more there are: fewer and fewer. */
export function itemTexts<Row>({ items }: RowField<Row>, row: Row): string[] {
  const all = items?.(row) ?? []
  const most = Math.min(all.length, MAX_ITEMS)
  return Array.from({ length: most }, (_, index) => listed(all, most - index))
}

/** What a table shows of a row; undefined for nothing. @param now the current time, for times as ages */
export function cellText<Row>(field: RowField<Row>, row: Row, now?: number): string | undefined {
  const { value, cell, kind } = field
  if (kind === 'list') return itemTexts(field, row)[0] ?? ''
  const shown = cell ? cell(row) : value(row)
  if (shown == null) return undefined
  return kind === 'time' ? timestampText(`${shown}`, now) : textOf(shown)
}

/** Leaves fields without any value out of tables. */
export function filled<Row>(fields: readonly RowField<Row>[], rows: readonly Row[]) {
  const isFilled = ({ value }: RowField<Row>) => rows.some((row) => value(row) != null)
  return fields.map((one): RowField<Row> => (isFilled(one) ? one : { ...one, title: undefined }))
}
