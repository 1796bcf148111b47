import { timeOf } from '../../input/time.ts'
import type { UsageRow } from '../rows.ts'
import type { BucketSize } from '../view.ts'
import type { Blocks } from '../../old/output/blocks.ts'
import { type Column, fits, fitsInFull, formOf } from '../../old/output/layout.ts'
import { minuteText } from '../../old/output/dates.ts'
import { countColumns } from './figures.ts'
import { bucketColumn, lastUsedColumn, trendColumn } from './hourly.ts'
import { groupDigits, NOTHING } from '../../old/output/phrases.ts'
import { renderSections, type TableContent } from '../../old/output/table.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, type Safe, safe, type Sanitizer, sliced } from '../../old/output/text.ts'
import { nameColumns, type NameField, namesAbove } from '../../projects/report/names.ts'
import { wrapList } from '../../old/output/width.ts'

/** The variants of a row with their counts. */
export function variantWords(row: UsageRow, text: Sanitizer['text']): Safe[] {
  return row.variants.map(({ name, count }) => safe`${text(name)} ${groupDigits(count)}`)
}

function variantsColumn(rows: readonly UsageRow[], sanitizer: Sanitizer): Column {
  const words = (row: UsageRow) => joined(variantWords(row, sanitizer.text), ', ')
  return { forms: [formOf(safe`Variants`, rows, words)] }
}

const BELOW = safe`  └ `

/** The variants as lines below their rows, used when a column would be too wide. */
function variantsBelow(rows: readonly UsageRow[], sanitizer: Sanitizer) {
  return (index: number, width: number) => {
    const row = rows[index]
    const words = row ? variantWords(row, sanitizer.text) : []
    return words.length === 0 ? undefined : safe`${BELOW}${wrapList(words, BELOW.length, width)}`
  }
}

function reportedColumn(rows: readonly UsageRow[], { text }: Sanitizer): Column {
  const timestamps = rows.flatMap(({ timestamp }) => timestamp ?? [])
  // Text that is not a time is shown in full.
  const elastic = timestamps.some((timestamp) => timeOf(timestamp) === undefined)
  const form = (title: Safe, from: number) =>
    formOf(title, rows, ({ timestamp }) => {
      if (timestamp === undefined) return NOTHING
      const time = minuteText(text(timestamp))
      return timeOf(timestamp) === undefined ? time : sliced(time, from)
    })
  const [full, day] = [form(safe`Reported`, 0), form(safe`Reported`, 5)]
  const times = new Set(timestamps.map((timestamp) => minuteText(text(timestamp))))
  const days = new Set(Array.from(times, (time) => time.slice(0, 10)))
  // A time without a date is clear only within one day, and not needed if all rows share it.
  if (elastic || days.size > 1) return { elastic, forms: [full, day] }
  const time = form(safe`Time`, 11)
  const forms = times.size > 1 ? ([full, day, time] as const) : ([full, day, time, null] as const)
  return { elastic, forms }
}

/** The names that rows may have. */
export const names: readonly NameField<UsageRow>[] = [
  { title: safe`Flag`, value: ({ flag }) => flag },
  { title: safe`Project`, value: ({ project }) => project },
  { title: safe`Variant`, value: ({ variant }) => variant },
  { title: safe`Application`, short: safe`App`, value: ({ application }) => application },
  { title: safe`Environment`, short: safe`Env`, value: ({ environment }) => environment },
]

/** The names that at least one row has. */
function namesIn(rows: readonly UsageRow[]) {
  const filled = names.filter(({ value }) => rows.some((row) => value(row) !== undefined))
  return filled.length > 0 ? filled : names.slice(-1)
}

/** When rows were reported or, for hourly usage over the whole span, its trend and when they were last used. */
function dateColumns(
  groups: readonly (readonly UsageRow[])[],
  { by }: TableStyle,
  sanitizer: Sanitizer,
): Column[] {
  if (by) return []
  const rows = groups.flat()
  if (rows.some(({ hourly }) => hourly)) return [trendColumn(groups), lastUsedColumn(rows)]
  const isDated = rows.some(({ timestamp }) => timestamp !== undefined)
  return isDated ? [reportedColumn(rows, sanitizer)] : []
}

/** How to draw a table. */
export interface TableStyle {
  /** Whether each row is about an hour or a day. */
  by?: BucketSize | undefined
  /** Whether to show a total below the rows. */
  hasTotal: boolean
}

/** Rows as a table; empty columns are left out. Ends in a line break. */
export function usageTable(
  rows: readonly UsageRow[],
  tableStyle: TableStyle,
  printer: Printer,
): Blocks {
  const [table = []] = usageTables([rows], tableStyle, printer)
  return table
}

/** Groups of rows as tables with the same columns. */
export function usageTables(
  groups: readonly (readonly UsageRow[])[],
  tableStyle: TableStyle,
  printer: Printer,
): Blocks[] {
  const { hasTotal } = tableStyle
  const draw = renderSections(tableContent(groups, tableStyle, printer), printer.style.dim)
  const rows = groups.reduce((sum, group) => sum + group.length, 0)
  let end = 0
  return groups.map((group, index) => {
    const start = end
    end += group.length
    return draw({ start, end, total: hasTotal ? rows + index : undefined })
  })
}

/** The rows of all groups, then the totals of the groups, in the first of these ways that fits. */
function tableContent(
  groups: readonly (readonly UsageRow[])[],
  tableStyle: TableStyle,
  printer: Printer,
): TableContent {
  const { by, hasTotal } = tableStyle
  const rows = groups.flat()
  const labels = hasTotal ? groups.map(() => safe`Total`) : []
  const named = namesIn(rows)
  const columns = nameColumns(rows, named, labels, printer)
  const buckets = by ? [bucketColumn(rows, by)] : []
  const figures = [...buckets, ...countColumns(groups, printer.style)]
  const dates = dateColumns(groups, tableStyle, printer)
  const varied = rows.some(({ variant, variants }) => variant === undefined && variants.length > 0)
  const variants = varied ? [variantsColumn(rows, printer)] : []
  const below = variants.length > 0 ? variantsBelow(rows, printer) : undefined
  const grid = (shown: readonly Column[]): TableContent => {
    return { columns: shown, rows: rows.length + labels.length, width: printer.width }
  }
  const full = grid([...columns, ...figures, ...variants, ...dates])
  const plain = { ...grid([...columns, ...figures, ...dates]), below }
  const [first, ...others] = named
  if (fitsInFull(full)) return full
  if (fitsInFull(plain)) return plain
  if (first && first === names[0] && others.length > 0) {
    const rest = nameColumns(rows, others, labels, printer, safe`  `)
    const ofFlags = {
      ...grid([...rest, ...figures, ...dates]),
      above: namesAbove(rows, [first], [], printer),
      below,
    }
    if (fits(ofFlags)) return ofFlags
  }
  if (fits(plain)) return plain
  const above = namesAbove(rows, named, labels, printer)
  const stacked = { ...grid([...figures, ...dates]), above, below }
  return fits(stacked) ? stacked : { ...stacked, columns: figures }
}
