import { type Blocks, inBlocks } from './blocks.ts'
import { csvBlocks, csvCell } from './csv.ts'
import { minuteText } from './dates.ts'
import type { Column } from './layout.ts'
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
}

const NOTHING = safe`—`

function shownFields<Row>(fields: readonly RowField<Row>[]) {
  return fields.flatMap(({ title, ...field }) => (title === undefined ? [] : [{ ...field, title }]))
}

/**
 * Rows as a table.
 * @param total what to show below the first column; by default nothing
 */
export function rowTable<Row>(
  rows: readonly Row[],
  fields: readonly RowField<Row>[],
  { text, style, width }: Printer,
  total?: Safe,
): Blocks {
  const hasTotals = total !== undefined
  const columns = shownFields(fields).map(({ title, value, kind = 'name' }, column): Column => {
    const cell = (index: number) => {
      const row = rows[index]
      if (row === undefined) return column === 0 && hasTotals ? total : safe``
      const shown = value(row, index)
      if (shown == null) return NOTHING
      return kind === 'date' ? minuteText(text(`${shown}`)) : text(`${shown}`)
    }
    const form = { title, cell }
    if (kind === 'date') return { forms: [form, null] }
    return {
      align: kind === 'number' ? 'right' : 'left',
      elastic: kind === 'name',
      forms: [form],
    }
  })
  const content = { columns, rows: rows.length + (hasTotals ? 1 : 0), width, hasTotals }
  return renderTable(content, style.dim)
}

/** Rows as a Markdown table. */
export function rowMarkdown<Row>(
  rows: readonly Row[],
  fields: readonly RowField<Row>[],
  { text }: Sanitizer,
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
  return markdownBlocks(columns, [...rows.entries()], ([index, row]) =>
    shown.map(({ value, kind = 'name' }) => {
      const cell = value(row, index)
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
  return csvBlocks(header, [...rows.entries()], ([index, row]) => [
    named.map(({ value }) => csvCell(text(`${value(row, index) ?? ''}`))),
  ])
}

/** Rows as JSON Lines; a field without a value is null. */
export function rowJsonl(rows: readonly object[], { jsonText }: Sanitizer): Blocks {
  const jsonOf = (row: object) =>
    JSON.stringify(row, (_, value: unknown) => (value === undefined ? null : value))
  return inBlocks(rows, (block) => joined(block.map((row) => safe`${jsonText(jsonOf(row))}\n`)))
}

/** Names, one per line, each once. */
export function nameLines(names: readonly string[], { text }: Sanitizer): Blocks {
  return inBlocks([...new Set(names)], (block) =>
    joined(block.map((name) => safe`${text(name)}\n`)),
  )
}
