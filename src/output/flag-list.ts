import type { Flag } from '../feature/flag.ts'
import { type Blocks, inBlocks } from './blocks.ts'
import { csv, csvCell } from './csv.ts'
import { dayText, minuteText } from './dates.ts'
import { environmentOf, environmentsOf, environmentText, flagCount } from './flag-table.ts'
import { codeSpan, markdownRow, markdownTable } from './markdown.ts'
import { isolate, safeJson, safeText } from './text.ts'

/** Names, one per line, each once. */
export function* nameLines(rows: readonly { name: string }[]): Blocks {
  const names = new Set(rows.map(({ name }) => name))
  yield* inBlocks([...names], (block) => block.map((name) => `${safeText(name)}\n`).join(''))
}

function jsonLine(row: object): string {
  const json = JSON.stringify(row, (_, value: unknown) => (value === undefined ? null : value))
  return `${json}\n`
}

/** Rows as JSON Lines; a field without a value is null. */
export function* jsonLines(rows: readonly object[]): Blocks {
  yield* inBlocks(rows, (block) => safeJson(block.map(jsonLine).join('')))
}

function csvRecords(flag: Flag): string[][] {
  const { projectId, name, type, stale, createdAt, environments } = flag
  const start = [projectId, name, type, `${stale}`, createdAt].map(csvCell)
  if (environments.length === 0) return [[...start, '', '', '']]
  return environments.map(({ name, enabled, lastSeenAt }) => [
    ...start,
    csvCell(name),
    enabled === undefined ? '' : `${enabled}`,
    csvCell(lastSeenAt ?? ''),
  ])
}

const csvColumns = [
  ...['projectId', 'name', 'type', 'stale', 'createdAt', 'environment', 'enabled', 'lastSeenAt'],
]

/** Flags as CSV with a row for each environment. */
export function* flagCsv(flags: readonly Flag[]): Blocks {
  yield csv([csvColumns])
  yield* inBlocks(flags, (block) => csv(block.flatMap(csvRecords)))
}

/** A date for Markdown; text that is not a date becomes a code span. */
export function plainDate(date: string): string {
  return /^[\d: Z-]+$/.test(date) ? date : codeSpan(date)
}

/** Flags as a Markdown table with a column for each environment. */
export function* flagMarkdown(flags: readonly Flag[], withProjects: boolean): Blocks {
  const environments = environmentsOf(flags)
  const titles = [
    ...['Flag', ...(withProjects ? ['Project'] : []), 'Type', 'Stale', 'Created'],
    ...environments.map(codeSpan),
  ]
  const cells = (flag: Flag) => [
    codeSpan(flag.name),
    ...(withProjects ? [codeSpan(flag.projectId)] : []),
    flag.type === undefined ? '' : codeSpan(flag.type),
    flag.stale ? 'stale' : '',
    flag.createdAt === undefined ? '' : plainDate(dayText(flag.createdAt)),
    ...environments.map((environment) => {
      const own = environmentOf(flag, environment)
      return own ? environmentText(own, (time) => plainDate(minuteText(time))) : ''
    }),
  ]
  const columns = titles.map((title) => ({ title }))
  yield isolate(markdownTable(columns, []))
  yield* inBlocks(flags, (block) => isolate(block.map((flag) => markdownRow(cells(flag))).join('')))
  yield `\n${flagCount(flags.length)}\n`
}
