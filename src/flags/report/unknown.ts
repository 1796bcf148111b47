import type { Blocks } from '../../output/blocks.ts'
import { csvBlocks, csvCell } from '../../output/csv.ts'
import { minuteText } from '../../output/dates.ts'
import { cellsOf, type Column } from '../../output/layout.ts'
import { codeSpan, markdownBlocks } from '../../output/markdown.ts'
import { counted } from '../../output/phrases.ts'
import type { Printer } from '../../output/printer.ts'
import { renderTable } from '../../output/table.ts'
import { linesOf, safe, type Sanitizer } from '../../output/text.ts'
import type { UnknownName } from '../unknown.ts'
import { plainDate } from './list.ts'

const parts = [
  ['name', safe`Name`],
  ['application', safe`Application`],
  ['environment', safe`Environment`],
] as const

const UNKNOWN = safe`—`

function nameCount(rows: readonly UnknownName[]): string {
  const count = new Set(rows.map(({ name }) => name)).size
  return counted(count, 'unknown name')
}

/** Unknown names as a table with a row for each application and environment. */
export function unknownTable(
  rows: readonly UnknownName[],
  { text, style, width }: Printer,
): Blocks {
  const count = text(nameCount(rows))
  const names = parts.map(([part, title]): Column => {
    const shown = (row: UnknownName) => (row[part] === undefined ? UNKNOWN : text(row[part]))
    const cell = cellsOf(rows, shown, part === 'name' ? count : safe``)
    return { elastic: true, forms: [{ title, cell }] }
  })
  const seen = cellsOf(rows, ({ seenAt }) => {
    return seenAt === undefined ? UNKNOWN : minuteText(text(seenAt))
  })
  const last: Column = { forms: [{ title: safe`Last seen`, cell: seen }, null] }
  return renderTable({ columns: [...names, last], rows: rows.length + 1, width }, style.dim)
}

export function unknownCsv(rows: readonly UnknownName[], { text }: Sanitizer): Blocks {
  const header = ['name', 'application', 'environment', 'seenAt'].map(text)
  return csvBlocks(header, rows, ({ name, application, environment, seenAt }) => [
    [name, application, environment, seenAt].map((value) => csvCell(text(value ?? ''))),
  ])
}

export function* unknownMarkdown(rows: readonly UnknownName[], { text }: Sanitizer): Blocks {
  const columns = [...parts.map(([, title]) => ({ title })), { title: safe`Last seen` }]
  yield* markdownBlocks(columns, rows, (row) => [
    ...parts.map(([part]) => (row[part] === undefined ? safe`` : codeSpan(text(row[part])))),
    row.seenAt === undefined ? safe`` : plainDate(minuteText(text(row.seenAt))),
  ])
  yield linesOf([safe``, text(nameCount(rows))])
}
