import { type Blocks, inBlocks } from './blocks.ts'
import { visibleEscape } from '../../output/escapes.ts'
import type { Printer } from './printer.ts'
import { formatted, joined, linesOf, type Safe, type Sanitizer } from './text.ts'

/**
 * Text from outside as a code span, in which nothing is formatted and no user is mentioned. Parsers
 * disagree on escaped pipes and on backticks in a table's cell, so both become visible escapes.
 */
export function codeSpan(text: Safe): Safe {
  const code = text.replace(/[|`]/g, visibleEscape)
  return formatted(code.trim() === code && code !== '' ? `\`${code}\`` : `\` ${code} \``)
}

/** How to show names in sentences: printable, within a width. */
export type Wording = Pick<Printer, 'text' | 'width'>

/** Shows names as code spans, in sentences of any width. */
export function asCode({ text }: Sanitizer): Wording {
  return { text: (name) => codeSpan(text(name)), width: undefined }
}

/** A date; text that is not a date becomes a code span. */
export function plainDate(date: Safe): Safe {
  return /^[\d: Z-]+$/.test(date) ? date : codeSpan(date)
}

/** A column of a Markdown table; figures are aligned right. */
export interface MarkdownColumn {
  title: Safe
  align?: 'right'
}

/** A row of a table, from cells that are already Markdown. */
export function markdownRow(cells: readonly Safe[]): Safe {
  return linesOf([formatted(`| ${cells.join(' | ')} |`)])
}

/** A table (GFM) of cells that are already Markdown. */
export function markdownTable(
  columns: readonly MarkdownColumn[],
  rows: readonly (readonly Safe[])[],
): Safe {
  const titles = columns.map(({ title }) => title)
  const marks = columns.map(({ align }) => (align === 'right' ? '---:' : '---'))
  return joined([titles, marks.map(formatted), ...rows].map(markdownRow))
}

export function* markdownBlocks<Row>(
  columns: readonly MarkdownColumn[],
  rows: readonly Row[],
  cellsOf: (row: Row, index: number) => readonly Safe[],
): Blocks {
  yield markdownTable(columns, [])
  yield* inBlocks(rows, (block, start) =>
    joined(block.map((row, i) => markdownRow(cellsOf(row, start + i)))),
  )
}
