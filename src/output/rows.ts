import { type Blocks, inBlocks } from './blocks.ts'
import { csvBlocks, csvCell } from './csv.ts'
import { minuteText } from './dates.ts'
import { type Column, fits } from './layout.ts'
import { codeSpan, markdownBlocks, type MarkdownColumn, plainDate } from './markdown.ts'
import type { Printer } from './printer.ts'
import { renderTable } from './table.ts'
import { joined, type Safe, safe, type Sanitizer } from './text.ts'

/** A field of rows. Those with a name are columns of CSV, those with a title are columns for people. */
export interface RowField<Row> {
  name?: string
  title?: Safe
  value(row: Row, index: number): string | number | null | undefined
  /** By default a name, which Markdown shows as code and a narrow terminal shortens. */
  kind?: 'name' | 'date' | 'number' | 'word'
  /** Whether a narrow terminal leaves it out before it shortens names. */
  isExtra?: boolean
}

/** The first rows in an order, and how many more there are. */
export function firstRows<Row>(
  rows: readonly Row[],
  order: (a: Row, b: Row) => number,
  { reverse, limit }: { reverse?: boolean | undefined; limit?: number | undefined },
): { rows: Row[]; cut: number } {
  const sorted = rows.toSorted((a, b) => (reverse ? order(b, a) : order(a, b)))
  const first = sorted.slice(0, limit)
  return { rows: first, cut: sorted.length - first.length }
}

const NOTHING = safe`—`

function shownFields<Row>(fields: readonly RowField<Row>[]) {
  return fields.flatMap(({ title, ...field }) => (title === undefined ? [] : [{ ...field, title }]))
}

/**
 * Rows as a table.
 * @param total what to show below them
 */
export function rowTable<Row>(
  rows: readonly Row[],
  fields: readonly RowField<Row>[],
  { text, style, width }: Printer,
  total?: Row,
): Blocks {
  const hasTotals = total !== undefined
  const columns = shownFields(fields).map(({ title, value, kind = 'name', isExtra }): Column => {
    const cell = (index: number) => {
      const row = rows[index] ?? total
      if (row === undefined) return safe``
      const shown = value(row, index)
      if (shown == null) return NOTHING
      return kind === 'date' ? minuteText(text(`${shown}`)) : text(`${shown}`)
    }
    const form = { title, cell }
    if (kind === 'date') return { forms: [form, null] }
    const forms: Column['forms'] = isExtra ? [form, null] : [form]
    return {
      align: kind === 'number' ? 'right' : 'left',
      elastic: kind === 'name',
      forms,
    }
  })
  const content = { columns, rows: rows.length + (hasTotals ? 1 : 0), width, hasTotals }
  const [first, ...others] = columns
  if (!first?.elastic || others.length === 0 || fits(content)) {
    return renderTable(content, style.dim)
  }
  return renderTable({ ...content, columns: others, above: first.forms[0] }, style.dim)
}

/**
 * Rows as a Markdown table.
 * @param total the last row
 */
export function rowMarkdown<Row>(
  rows: readonly Row[],
  fields: readonly RowField<Row>[],
  { text }: Sanitizer,
  total?: Row,
): Blocks {
  const shown = shownFields(fields)
  const columns = shown.map(({ title, kind }): MarkdownColumn => {
    return kind === 'number' ? { title, align: 'right' } : { title }
  })
  const shows = {
    date: (value: Safe) => plainDate(minuteText(value)),
    number: (value: Safe) => value,
    word: (value: Safe) => value,
    name: codeSpan,
  }
  const all = total === undefined ? rows : [...rows, total]
  return markdownBlocks(columns, all, (row, index) =>
    shown.map(({ value, kind = 'name' }) => {
      const cell = value(row, index)
      if (row === total && kind === 'name') return safe`**${text(`${cell}`)}**`
      return cell == null ? safe`` : shows[kind](text(`${cell}`))
    }),
  )
}

/** Rows as CSV. */
export function rowCsv<Row>(
  rows: readonly Row[],
  fields: readonly RowField<Row>[],
  { text }: Sanitizer,
): Blocks {
  const named = fields.filter(({ name }) => name !== undefined)
  const header = named.map(({ name = '' }) => text(name))
  return csvBlocks(header, rows, (row, index) => [
    named.map(({ value }) => csvCell(text(`${value(row, index) ?? ''}`))),
  ])
}

/** Rows as JSON Lines; a field without a value is null. */
export function rowJsonl(rows: readonly object[], { jsonText }: Sanitizer): Blocks {
  const lineOf = (row: object) =>
    `${JSON.stringify(row, (_, value: unknown) => (value === undefined ? null : value))}\n`
  return inBlocks(rows, (block) => jsonText(block.map(lineOf).join('')))
}

/** Names, one per line, each once. */
export function nameLines(names: readonly string[], { text }: Sanitizer): Blocks {
  return inBlocks([...new Set(names)], (block) =>
    joined(block.map((name) => safe`${text(name)}\n`)),
  )
}
