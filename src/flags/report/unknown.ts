import { type Blocks, inBlocks } from '../../output/blocks.ts'
import { csv, csvCell } from '../../output/csv.ts'
import { minuteText } from '../../output/dates.ts'
import type { Column } from '../../output/layout.ts'
import { codeSpan, markdownRow, markdownTable } from '../../output/markdown.ts'
import { counted } from '../../output/phrases.ts'
import type { Printer } from '../../output/printer.ts'
import { renderTable } from '../../output/table.ts'
import { joined, linesOf, safe, type Sanitizer } from '../../output/text.ts'
import type { UnknownName } from '../flag.ts'
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
    const total = part === 'name' ? count : safe``
    const cell = (index: number) => {
      const row = rows[index]
      if (!row) return total
      return row[part] === undefined ? UNKNOWN : text(row[part])
    }
    return { align: 'left', elastic: true, forms: [{ title, cell }] }
  })
  const seen = (index: number) => {
    const row = rows[index]
    if (!row) return safe``
    return row.seenAt === undefined ? UNKNOWN : minuteText(text(row.seenAt))
  }
  const last: Column = {
    align: 'left',
    elastic: false,
    forms: [{ title: safe`Last seen`, cell: seen }, null],
  }
  return renderTable({ columns: [...names, last], rows: rows.length + 1, width }, style.dim)
}

export function* unknownCsv(rows: readonly UnknownName[], { text }: Sanitizer): Blocks {
  yield csv([['name', 'application', 'environment', 'seenAt'].map(text)])
  yield* inBlocks(rows, (block) =>
    csv(
      block.map(({ name, application, environment, seenAt }) =>
        [name, application, environment, seenAt].map((value) => csvCell(text(value ?? ''))),
      ),
    ),
  )
}

export function* unknownMarkdown(rows: readonly UnknownName[], { text }: Sanitizer): Blocks {
  const cells = (row: UnknownName) => [
    ...parts.map(([part]) => (row[part] === undefined ? safe`` : codeSpan(text(row[part])))),
    row.seenAt === undefined ? safe`` : plainDate(minuteText(text(row.seenAt))),
  ]
  const columns = [...parts.map(([, title]) => ({ title })), { title: safe`Last seen` }]
  yield markdownTable(columns, [])
  yield* inBlocks(rows, (block) => joined(block.map((row) => markdownRow(cells(row)))))
  yield linesOf([safe``, text(nameCount(rows))])
}
