import type { UnknownName } from '../feature/flag.ts'
import { csv, csvCell } from './csv.ts'
import { minuteText } from './dates.ts'
import { plainDate } from './flag-list.ts'
import type { Column } from './layout.ts'
import { codeSpan, markdownTable } from './markdown.ts'
import { renderTable } from './table.ts'
import { safeText } from './text.ts'

const parts = [
  ['name', 'Name'],
  ['application', 'Application'],
  ['environment', 'Environment'],
] as const

const UNKNOWN = '—'

function nameCount(rows: readonly UnknownName[]): string {
  const count = new Set(rows.map(({ name }) => name)).size
  return `${count} unknown ${count === 1 ? 'name' : 'names'}`
}

function seenText({ seenAt }: UnknownName): string {
  return seenAt === undefined ? UNKNOWN : minuteText(seenAt)
}

/** Unknown names as a table with a row for each application and environment. */
export function unknownTable(
  rows: readonly UnknownName[],
  width: number | undefined,
  dim: (text: string) => string,
): string {
  const columns = parts.map(([part, title]): Column => {
    const cells = rows.map((row) => (row[part] === undefined ? UNKNOWN : safeText(row[part])))
    const last = part === 'name' ? nameCount(rows) : ''
    return { align: 'left', elastic: true, forms: [{ title, cells: () => [...cells, last] }] }
  })
  const seen: Column = {
    align: 'left',
    elastic: false,
    forms: [{ title: 'Last seen', cells: () => [...rows.map(seenText), ''] }, null],
  }
  return renderTable({ columns: [...columns, seen] }, width, dim)
}

/** Unknown names as CSV. */
export function unknownCsv(rows: readonly UnknownName[]): string {
  const records = rows.map((row) =>
    [row.name, row.application, row.environment, row.seenAt].map((text) => csvCell(text)),
  )
  return csv(['name', 'application', 'environment', 'seenAt'], records)
}

/** Unknown names as a Markdown table. */
export function unknownMarkdown(rows: readonly UnknownName[]): string {
  const columns = [...parts.map(([, title]) => ({ title })), { title: 'Last seen' }]
  const body = rows.map((row) => [
    ...parts.map(([part]) => (row[part] === undefined ? '' : codeSpan(row[part]))),
    row.seenAt === undefined ? '' : plainDate(minuteText(row.seenAt)),
  ])
  return `${markdownTable(columns, body)}\n${nameCount(rows)}\n`
}
