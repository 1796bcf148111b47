import { timeOf } from '../../input/time.ts'
import { selectionsOf } from '../arrange.ts'
import { type Counts, enabledShare, type UsageRow, usageTotals } from '../rows.ts'
import type { BucketSize } from '../view.ts'
import type { Blocks } from '../../output/blocks.ts'
import {
  cellsOf,
  type Column,
  fits,
  fitsInFull,
  type Form,
  wasShown,
  type Widths,
} from '../../output/layout.ts'
import { minuteText } from '../../output/dates.ts'
import { bucketColumn, lastUsedColumn, trendColumn } from './hourly.ts'
import { groupDigits } from '../../output/phrases.ts'
import { percent, shortCount } from '../../output/numbers.ts'
import { renderTable, type TableContent } from '../../output/table.ts'
import type { Style } from '../../output/style.ts'
import type { Printer } from '../../output/printer.ts'
import {
  joined,
  padStart,
  repeated,
  replaced,
  type Safe,
  safe,
  type Sanitizer,
  sliced,
} from '../../output/text.ts'
import { wrapList } from '../../output/width.ts'

const NOTHING = safe`—`

// `100.0%` and `100%`.
const WIDEST = [4, 6] as const

function shareText(counts: Counts, bar: number, decimals: 0 | 1): Safe {
  const share = enabledShare(counts)
  if (share === undefined) return NOTHING
  const text = padStart(percent(share, decimals), WIDEST[decimals])
  if (bar === 0) return text
  const { part, whole } = share
  const full = Number((2n * BigInt(bar) * part + whole) / (2n * whole))
  return safe`${repeated(safe`█`, full)}${repeated(safe`░`, bar - full)} ${text}`
}

function variantWords(row: UsageRow, { text }: Sanitizer): Safe[] {
  return row.variants.map(({ name, count }) => safe`${text(name)} ${groupDigits(count)}`)
}

function name(value: string | undefined, { text }: Sanitizer): Safe {
  return value === undefined ? NOTHING : text(value)
}

function countColumn<Row>(
  title: Safe,
  rows: readonly Row[],
  countOf: (row: Row) => bigint,
  total: bigint,
): Column {
  return {
    align: 'right',
    forms: [{ title, cell: cellsOf(rows, (row) => groupDigits(countOf(row)), groupDigits(total)) }],
    terse: { title, cell: cellsOf(rows, (row) => shortCount(countOf(row)), shortCount(total)) },
  }
}

function shareColumn(rows: readonly Counts[], total: Counts, style: Style): Column {
  const form = (bar: number, decimals: 0 | 1): Form => ({
    title: safe`Share`,
    cell: cellsOf(
      rows,
      (counts) => shareText(counts, bar, decimals),
      shareText(total, bar, decimals),
    ),
  })
  return {
    align: 'right',
    forms: [form(10, 1), form(5, 1), form(0, 1)],
    terse: form(0, 0),
    paint: (text) => replaced(replaced(text, /█+/, style.green), /░+/, style.dim),
  }
}

function variantsColumn(rows: readonly UsageRow[], sanitizer: Sanitizer): Column {
  const cell = cellsOf(rows, (row) => joined(variantWords(row, sanitizer), ', '))
  return { forms: [{ title: safe`Variants`, cell }] }
}

const BELOW = safe`  └ `

/** The variants as lines below their rows, used when a column would be too wide. */
function variantsBelow(rows: readonly UsageRow[], sanitizer: Sanitizer) {
  return (index: number, width: number) => {
    const row = rows[index]
    const words = row ? variantWords(row, sanitizer) : []
    return words.length === 0 ? undefined : safe`${BELOW}${wrapList(words, BELOW.length, width)}`
  }
}

function reportedColumn(rows: readonly UsageRow[], { text }: Sanitizer): Column {
  const timestamps = rows.flatMap(({ timestamp }) => timestamp ?? [])
  // Text that is not a time is shown in full.
  const elastic = timestamps.some((timestamp) => timeOf(timestamp) === undefined)
  const form = (title: Safe, from: number): Form => {
    const shown = ({ timestamp }: UsageRow) => {
      if (timestamp === undefined) return NOTHING
      const time = minuteText(text(timestamp))
      return timeOf(timestamp) === undefined ? time : sliced(time, from)
    }
    return { title, cell: cellsOf(rows, shown) }
  }
  const [full, day] = [form(safe`Reported`, 0), form(safe`Reported`, 5)]
  const times = new Set(timestamps.map((timestamp) => minuteText(text(timestamp))))
  const days = new Set(Array.from(times, (time) => time.slice(0, 10)))
  // A time without a date is clear only within one day, and not needed if all rows share it.
  if (elastic || days.size > 1) return { elastic, forms: [full, day] }
  const time = form(safe`Time`, 11)
  const forms = times.size > 1 ? ([full, day, time] as const) : ([full, day, time, null] as const)
  return { elastic, forms }
}

/** The names that rows may have, with the titles of their columns and short ones. */
export const names = [
  { part: 'flag', title: safe`Flag`, short: safe`Flag` },
  { part: 'variant', title: safe`Variant`, short: safe`Variant` },
  { part: 'application', title: safe`Application`, short: safe`App` },
  { part: 'environment', title: safe`Environment`, short: safe`Env` },
] as const
type Name = (typeof names)[number]

/** The names that at least one row has. */
function namesIn(rows: readonly UsageRow[], widths: Widths | undefined): readonly Name[] {
  const filled = names.filter(
    ({ part, title }) => wasShown(widths, title) || rows.some((row) => row[part] !== undefined),
  )
  return filled.length > 0 ? filled : names.slice(-1)
}

/** A column for each name. The first one labels the total. */
function nameColumns(
  rows: readonly UsageRow[],
  named: readonly Name[],
  sanitizer: Sanitizer,
): Column[] {
  return named.map(({ part, title, short }, index) => {
    const cell = cellsOf(
      rows,
      (row) => name(row[part], sanitizer),
      index === 0 ? safe`Total` : safe``,
    )
    const forms = [
      { title, cell },
      { title: short, cell },
    ] as const
    return { elastic: true, forms }
  })
}

/** The names in full as lines above their rows, used when columns would be too narrow. */
function namesAbove(rows: readonly UsageRow[], named: readonly Name[], sanitizer: Sanitizer) {
  const cell = (row: UsageRow) =>
    joined(
      named.map(({ part }) => name(row[part], sanitizer)),
      ', ',
    )
  const titles = named.map(({ title }) => title)
  return { title: joined(titles, ', '), cell: cellsOf(rows, cell, safe`Total`) }
}

/** How often each variant was selected, and its share of its flag's selections. */
function selectionColumns(selections: readonly Counts[], style: Style): Column[] {
  const { enabled } = usageTotals(selections)
  return [
    countColumn(safe`Selected`, selections, (row) => row.enabled, enabled),
    shareColumn(selections, { enabled, disabled: 0n }, style),
  ]
}

function countColumns(rows: readonly UsageRow[], style: Style): Column[] {
  const selections = selectionsOf(rows)
  if (selections) return selectionColumns(selections, style)
  const totals = usageTotals(rows)
  const { enabled, disabled } = totals
  return [
    countColumn(safe`Enabled`, rows, (row) => row.enabled, enabled),
    countColumn(safe`Disabled`, rows, (row) => row.disabled, disabled),
    countColumn(safe`Total`, rows, (row) => row.enabled + row.disabled, enabled + disabled),
    shareColumn(rows, totals, style),
  ]
}

/** When rows were reported or, for hourly usage over the whole span, its trend and when they were last used. */
function dateColumns(
  rows: readonly UsageRow[],
  { by, widths }: TableStyle,
  sanitizer: Sanitizer,
): Column[] {
  if (by) return []
  if (rows.some(({ hourly }) => hourly)) return [trendColumn(rows), lastUsedColumn(rows)]
  const isDated = rows.some(({ timestamp }) => timestamp !== undefined)
  return isDated || wasShown(widths, 'Reported') ? [reportedColumn(rows, sanitizer)] : []
}

/** How to draw a table. */
export interface TableStyle {
  /** Whether each row is about an hour or a day. */
  by?: BucketSize | undefined
  /** Whether to show a total below the rows; by default it is shown. */
  hasTotal?: boolean
  /** Columns to show next to the counts. */
  extra?: readonly Column[]
  /** Where to keep the widths of columns from one drawing to the next. */
  widths?: Widths | undefined
}

/** Rows as a table; empty columns are left out. Ends in a line break. */
export function usageTable(
  rows: readonly UsageRow[],
  tableStyle: TableStyle,
  printer: Printer,
): Blocks {
  const { by, hasTotal = true, extra = [], widths } = tableStyle
  const { width, style } = printer
  const named = namesIn(rows, widths)
  const columns = nameColumns(rows, named, printer)
  const buckets = by ? [bucketColumn(rows, by)] : []
  const figures = [...buckets, ...countColumns(rows, style), ...extra]
  const dates = dateColumns(rows, tableStyle, printer)
  const varied = rows.some(({ variant, variants }) => variant === undefined && variants.length > 0)
  const variants = varied || wasShown(widths, 'Variants') ? [variantsColumn(rows, printer)] : []
  const grid = (shown: readonly Column[]): TableContent => ({
    columns: shown,
    rows: hasTotal ? rows.length + 1 : rows.length,
    hasTotals: hasTotal,
    width,
    widths,
  })
  const full = grid([...columns, ...figures, ...variants, ...dates])
  const plain = grid([...columns, ...figures, ...dates])
  const below = variants.length > 0 ? variantsBelow(rows, printer) : undefined
  if (below ? fitsInFull(full) : fits(plain)) return renderTable(full, style.dim)
  if (fits(plain)) return renderTable({ ...plain, below }, style.dim)
  const narrow = grid([...figures, ...dates])
  return renderTable({ ...narrow, above: namesAbove(rows, named, printer), below }, style.dim)
}
