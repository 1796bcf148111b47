import { visibleEscape } from './escapes.ts'
import { cellText, type RowField } from './fields.ts'
import type { Writer } from './text.ts'

/**
 * Printable text as a code span, in which nothing is formatted and no user is mentioned. Parsers disagree on escaped
 * pipes and on backticks in a table's cell, so both become visible escapes.
 */
export function codeSpan(printable: string): string {
  const code = printable.replace(/[|`]/g, visibleEscape)
  return code.trim() === code && code !== '' ? `\`${code}\`` : `\` ${code} \``
}

/** Printable text as Markdown: words that could be formatting, a mention or a tag become code spans. */
export function markdownText(printable: string): string {
  return printable.replace(/[^\s()]*[@<>`*_[\]|#~\\&!][^\s()]*/g, codeSpan)
}

function markdownCell<Row>(field: RowField<Row>, row: Row, out: Writer): string {
  const text = out.printable(cellText(field, row) ?? '')
  if (text === '') return ''
  return field.kind === 'key' || field.kind === 'name' ? codeSpan(text) : markdownText(text)
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** Rows as a table (GFM). */
export function markdownTable<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
  out: Writer,
): string {
  const shown = fields.filter(({ title }) => title !== undefined)
  const titles = shown.map(({ title = '' }) => out.printable(title).replaceAll('|', '\\|'))
  const marks = shown.map(({ kind }) => (kind === 'number' ? '---:' : '---'))
  const cells = rows.map((row) => shown.map((field) => markdownCell(field, row, out)))
  const totals = shown.map(({ total }) =>
    total === undefined ? '' : `**${out.printable(`${total}`)}**`,
  )
  const last = totals.some((text) => text !== '') ? [totals] : []
  return [titles, marks, ...cells, ...last].map(markdownRow).join('')
}
