import { type Blocks, inBlocks } from './blocks.ts'
import { csvBlocks, csvCell } from './csv.ts'
import { minuteText } from './dates.ts'
import { nullableJson } from './json.ts'
import { codeSpan, markdownBlocks, type MarkdownColumn, plainDate } from './markdown.ts'
import { joined, type Safe, safe, type Sanitizer } from './text.ts'

/** A field of rows. Those with a name are columns of CSV, those with a title are columns for people. */
export interface RowField<Row> {
  name?: string
  title?: Safe
  value(row: Row): string | number | null | undefined
  /** By default a name, which Markdown shows as code and a narrow terminal shortens. */
  kind?: 'name' | 'date' | 'number' | 'word'
  /** Whether a narrow terminal leaves it out before it shortens names; dates always are. */
  isExtra?: boolean
  /** Whether a table shows the same value of several rows once. */
  isGroup?: boolean
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
  const shown = fields.filter(({ title }) => title !== undefined)
  const columns = shown.map(({ title = safe``, kind }): MarkdownColumn => {
    return kind === 'number' ? { title, align: 'right' } : { title }
  })
  const shows = {
    date: (value: Safe) => plainDate(minuteText(value)),
    number: (value: Safe) => value,
    word: (value: Safe) => value,
    name: codeSpan,
  }
  const all = total === undefined ? rows : [...rows, total]
  return markdownBlocks(columns, all, (row) =>
    shown.map(({ value, kind = 'name' }) => {
      const cell = value(row)
      if (row === total && kind === 'name') return safe`**${text(`${cell}`)}**`
      return cell == null ? safe`` : shows[kind](text(`${cell}`))
    }),
  )
}

export function rowCsv<Row>(
  rows: readonly Row[],
  fields: readonly RowField<Row>[],
  { text }: Sanitizer,
): Blocks {
  const named = fields.filter(({ name }) => name !== undefined)
  const header = named.map(({ name = '' }) => text(name))
  return csvBlocks(header, rows, (row) =>
    named.map(({ value }) => csvCell(text(`${value(row) ?? ''}`))),
  )
}

/** Rows as JSON Lines; a field without a value is null. */
export function rowJsonl(rows: readonly object[], { jsonText }: Sanitizer): Blocks {
  return inBlocks(rows, (block) => jsonText(block.map((row) => `${nullableJson(row)}\n`).join('')))
}

/** Names, one per line, each once. */
export function nameLines(names: readonly string[], { text }: Sanitizer): Blocks {
  return inBlocks([...new Set(names)], (block) =>
    joined(block.map((name) => safe`${text(name)}\n`)),
  )
}
