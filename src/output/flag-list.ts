import type { Flag } from '../feature/flag.ts'
import { csv, csvCell } from './csv.ts'
import { dayText, minuteText } from './dates.ts'
import { environmentsOf, environmentText, flagCount } from './flag-table.ts'
import { codeSpan, markdownTable } from './markdown.ts'
import { safeJson, safeText } from './text.ts'

/** Names, one per line, each once. */
export function nameLines(rows: readonly { name: string }[]): string {
  const names = new Set(rows.map(({ name }) => name))
  return [...names].map((name) => `${safeText(name)}\n`).join('')
}

/** Rows as JSON Lines; a field without a value is null. */
export function jsonLines(rows: readonly object[]): string {
  const json = (row: object) =>
    JSON.stringify(row, (_, value: unknown) => (value === undefined ? null : value))
  return safeJson(rows.map((row) => `${json(row)}\n`).join(''))
}

const flagColumns = [
  ...['projectId', 'name', 'type', 'stale', 'createdAt', 'environment', 'enabled', 'lastSeenAt'],
]

/** Flags as CSV with a row for each environment. */
export function flagCsv(flags: readonly Flag[]): string {
  const records = flags.flatMap((flag) => {
    const { projectId, name, type, stale, createdAt } = flag
    const start = [projectId, name, type, `${stale}`, createdAt].map(csvCell)
    if (flag.environments.length === 0) return [[...start, '', '', '']]
    return flag.environments.map((it) => {
      const enabled = it.enabled === undefined ? '' : `${it.enabled}`
      return [...start, csvCell(it.name), enabled, csvCell(it.lastSeenAt ?? '')]
    })
  })
  return csv(flagColumns, records)
}

/** A date for Markdown; text that is not a date becomes a code span. */
export function plainDate(date: string): string {
  return /^[\d: Z-]+$/.test(date) ? date : codeSpan(date)
}

/** Flags as a Markdown table, with a column for each environment. */
export function flagMarkdown(flags: readonly Flag[], withProjects: boolean): string {
  const environments = environmentsOf(flags)
  const head = [
    ...['Flag', ...(withProjects ? ['Project'] : []), 'Type', 'Stale', 'Created'],
    ...environments.map(codeSpan),
  ]
  const rows = flags.map((flag) => {
    const { name, projectId, type, stale, createdAt } = flag
    return [
      codeSpan(name),
      ...(withProjects ? [codeSpan(projectId)] : []),
      type === undefined ? '' : codeSpan(type),
      stale ? 'stale' : '',
      createdAt === undefined ? '' : plainDate(dayText(createdAt)),
      ...environments.map((environment) => {
        const own = flag.environments.find((it) => it.name === environment)
        return own ? environmentText(own, (time) => plainDate(minuteText(time))) : ''
      }),
    ]
  })
  const columns = head.map((title) => ({ title }))
  return `${markdownTable(columns, rows)}\n${flagCount(flags.length)}\n`
}
