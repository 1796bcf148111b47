import { safeText } from './escapes.ts'

const escapes: Record<string, string> = { '|': '\\x7c', '`': '\\x60' }

/**
 * Text from outside as a code span, in which nothing is formatted and no user is mentioned. Parsers
 * disagree on escaped pipes and on backticks in a table's cell, so both become visible escapes.
 */
export function codeSpan(text: string): string {
  const safe = safeText(text).replace(/[|`]/g, (character) => escapes[character] ?? character)
  return safe.trim() === safe && safe !== '' ? `\`${safe}\`` : `\` ${safe} \``
}

/** A column of a Markdown table; figures are aligned right. */
export interface MarkdownColumn {
  title: string
  align?: 'right'
}

/** A row of a table, from cells that are already Markdown. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** A table (GFM) of cells that are already Markdown. */
export function markdownTable(
  columns: readonly MarkdownColumn[],
  rows: readonly (readonly string[])[],
): string {
  const titles = columns.map(({ title }) => title)
  const marks = columns.map(({ align }) => (align === 'right' ? '---:' : '---'))
  return [titles, marks, ...rows].map(markdownRow).join('')
}
