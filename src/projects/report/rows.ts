import type { Blocks } from '../../old/output/blocks.ts'
import { asCode } from '../../old/output/markdown.ts'
import type { Printer } from '../../old/output/printer.ts'
import { nameLines, rowCsv, type RowField, rowJsonl, rowMarkdown } from '../../old/output/rows.ts'
import { rowTable } from '../../old/output/table.ts'
import { linesOf, type Safe, safe } from '../../old/output/text.ts'
import { wrappedLines } from '../../old/output/width.ts'
import type { Missing } from '../missing.ts'
import { missingJsonl, missingLine } from './missing.ts'

/** A list, and the words around it. */
interface RowList<Row> {
  rows: readonly Row[]
  /** The first one is the name. */
  fields: readonly RowField<Row>[]
  /** The text above a table. */
  caption?: Safe
  /** The text instead of an empty table. */
  nothing: Safe
  /** The row below the others of a table. */
  total?: Row | undefined
  /** The text below a table in Markdown, instead of the total. */
  summary?: Safe
  /** How many rows `--limit` leaves out. */
  cut: number
  missing: Missing
}

/**
 * The line about rows that `--limit` leaves out, after an empty line; empty if it leaves out none.
 * @param hasTotal whether there is a total of the rows that are shown
 */
export function cutLine(cut: number, width: number | undefined, hasTotal = false): Safe {
  if (cut === 0) return safe``
  const noun = cut === 1 ? safe`row` : safe`rows`
  const total = hasTotal ? safe`; the total covers only those shown` : safe``
  return wrappedLines([safe``, safe`${cut} more ${noun} not shown (--limit)${total}`], width)
}

/** A list in a format. */
export function* renderRows<Row extends object>(
  format: 'table' | 'markdown' | 'jsonl' | 'csv' | 'names',
  { rows, fields, caption, nothing, total, summary, cut, missing }: RowList<Row>,
  printer: Printer,
): Blocks {
  const wording = format === 'table' ? printer : asCode(printer)
  switch (format) {
    case 'jsonl':
      yield* rowJsonl(rows, printer)
      yield missingJsonl(missing, printer)
      return
    case 'csv':
      return yield* rowCsv(rows, fields, printer)
    case 'names':
      return yield* nameLines(
        rows.map((row) => `${fields[0]?.value(row)}`),
        printer,
      )
    case 'table':
    case 'markdown':
      if (caption !== undefined) yield wrappedLines([caption, safe``], wording.width)
      if (rows.length === 0) yield linesOf([nothing])
      else if (format === 'table') yield* rowTable(rows, fields, printer, total)
      else {
        yield* rowMarkdown(rows, fields, printer, summary === undefined ? total : undefined)
        if (summary !== undefined) yield linesOf([safe``, summary])
      }
      yield cutLine(cut, wording.width)
      yield missingLine(missing, wording)
  }
}
