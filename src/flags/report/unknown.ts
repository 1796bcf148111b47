import type { UnknownName } from '../flag.ts'
import { counted } from '../../output/phrases.ts'
import { type Blocks, inBlocks } from '../../output/blocks.ts'
import { csv, csvCell } from '../../output/csv.ts'
import { minuteText } from '../../output/dates.ts'
import { plainDate } from './list.ts'
import type { Column } from '../../output/layout.ts'
import { codeSpan, markdownRow, markdownTable } from '../../output/markdown.ts'
import { renderTable } from '../../output/table.ts'
import { isolate, safeText } from '../../output/escapes.ts'

const parts = [
  ['name', 'Name'],
  ['application', 'Application'],
  ['environment', 'Environment'],
] as const

const UNKNOWN = '—'

function nameCount(rows: readonly UnknownName[]): string {
  const count = new Set(rows.map(({ name }) => name)).size
  return counted(count, 'unknown name')
}

/** Unknown names as a table with a row for each application and environment. */
export function* unknownTable(
  rows: readonly UnknownName[],
  width: number | undefined,
  dim: (text: string) => string,
): Blocks {
  const count = nameCount(rows)
  const shown = (text: string | undefined, show: (text: string) => string) =>
    text === undefined ? UNKNOWN : show(text)
  const names = parts.map(([part, title]): Column => {
    const total = part === 'name' ? count : ''
    const cell = (index: number) => {
      const row = rows[index]
      return row ? shown(row[part], safeText) : total
    }
    return { align: 'left', elastic: true, forms: [{ title, cell }] }
  })
  const seen = (index: number) => {
    const row = rows[index]
    return row ? shown(row.seenAt, minuteText) : ''
  }
  const last: Column = {
    align: 'left',
    elastic: false,
    forms: [{ title: 'Last seen', cell: seen }, null],
  }
  yield* renderTable({ columns: [...names, last], rows: rows.length + 1, width }, dim)
}

export function* unknownCsv(rows: readonly UnknownName[]): Blocks {
  yield csv([['name', 'application', 'environment', 'seenAt']])
  yield* inBlocks(rows, (block) =>
    csv(
      block.map(({ name, application, environment, seenAt }) =>
        [name, application, environment, seenAt].map(csvCell),
      ),
    ),
  )
}

export function* unknownMarkdown(rows: readonly UnknownName[]): Blocks {
  const cells = (row: UnknownName) => [
    ...parts.map(([part]) => (row[part] === undefined ? '' : codeSpan(row[part]))),
    row.seenAt === undefined ? '' : plainDate(minuteText(row.seenAt)),
  ]
  const columns = [...parts.map(([, title]) => ({ title })), { title: 'Last seen' }]
  yield markdownTable(columns, [])
  yield* inBlocks(rows, (block) => isolate(block.map((row) => markdownRow(cells(row))).join('')))
  yield `\n${nameCount(rows)}\n`
}
