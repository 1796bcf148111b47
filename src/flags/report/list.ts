import { type Blocks, inBlocks } from '../../output/blocks.ts'
import { csv, csvCell } from '../../output/csv.ts'
import { dayText, minuteText } from '../../output/dates.ts'
import { codeSpan, markdownRow, markdownTable } from '../../output/markdown.ts'
import { counted } from '../../output/phrases.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import type { Flag, FlagEnvironment } from '../flag.ts'
import {
  environmentOf,
  environmentsOf,
  environmentText,
  type FlagTableOptions,
  hasColumnEach,
  placedFlags,
} from './table.ts'

/** Names, one per line, each once. */
export function nameLines(rows: readonly { name: string }[], { text }: Sanitizer): Blocks {
  const names = new Set(rows.map(({ name }) => name))
  return inBlocks([...names], (block) => joined(block.map((name) => safe`${text(name)}\n`)))
}

/** Rows as JSON Lines; a field without a value is null. */
export function jsonLines(rows: readonly object[], { jsonText }: Sanitizer): Blocks {
  const jsonOf = (row: object) =>
    JSON.stringify(row, (_, value: unknown) => (value === undefined ? null : value))
  return inBlocks(rows, (block) => joined(block.map((row) => safe`${jsonText(jsonOf(row))}\n`)))
}

function csvRecords(flag: Flag, { text }: Sanitizer): Safe[][] {
  const cell = (value: string | null = '') => csvCell(text(value ?? ''))
  const { projectId, name, type, stale, createdAt, environments } = flag
  const start = [projectId, name, type, `${stale}`, createdAt].map(cell)
  if (environments.length === 0) return [[...start, cell(), cell(), cell()]]
  return environments.map(({ name, enabled, lastSeenAt }) => [
    ...start,
    cell(name),
    cell(enabled === undefined ? '' : `${enabled}`),
    cell(lastSeenAt),
  ])
}

const csvColumns = [
  ...['projectId', 'name', 'type', 'stale', 'createdAt', 'environment', 'enabled', 'lastSeenAt'],
]

/** Flags as CSV with a row for each environment. */
export function* flagCsv(flags: readonly Flag[], sanitizer: Sanitizer): Blocks {
  yield csv([csvColumns.map(sanitizer.text)])
  yield* inBlocks(flags, (block) => csv(block.flatMap((flag) => csvRecords(flag, sanitizer))))
}

/** A date for Markdown; text that is not a date becomes a code span. */
export function plainDate(date: Safe): Safe {
  return /^[\d: Z-]+$/.test(date) ? date : codeSpan(date)
}

/** The start of a row about a flag. */
function flagCells(
  { name, projectId, type, stale, createdAt }: Flag,
  withProjects: boolean,
  { text }: Sanitizer,
): Safe[] {
  return [
    codeSpan(text(name)),
    ...(withProjects ? [codeSpan(text(projectId))] : []),
    type === undefined ? safe`` : codeSpan(text(type)),
    stale ? safe`stale` : safe``,
    createdAt === undefined ? safe`` : plainDate(dayText(text(createdAt))),
  ]
}

function stateCell(environment: FlagEnvironment | undefined, { text }: Sanitizer): Safe {
  if (!environment) return safe``
  return environmentText(environment, (time) => plainDate(minuteText(text(time))))
}

/** Flags as a Markdown table with a column for each environment, or a row for each of many. */
export function* flagMarkdown(
  flags: readonly Flag[],
  { withProjects, hasTotal }: FlagTableOptions,
  sanitizer: Sanitizer,
): Blocks {
  const { text } = sanitizer
  const titles = ['Flag', ...(withProjects ? ['Project'] : []), 'Type', 'Stale', 'Created']
  const table = function* <Row>(
    more: readonly Safe[],
    rows: readonly Row[],
    cells: (row: Row) => readonly Safe[],
  ): Blocks {
    const columns = [...titles.map(text), ...more].map((title) => ({ title }))
    yield markdownTable(columns, [])
    yield* inBlocks(rows, (block) => joined(block.map((row) => markdownRow(cells(row)))))
  }
  const environments = environmentsOf(flags)
  if (hasColumnEach(environments)) {
    const names = environments.map((environment) => codeSpan(text(environment)))
    yield* table(names, flags, (flag) => [
      ...flagCells(flag, withProjects, sanitizer),
      ...environments.map((environment) => stateCell(environmentOf(flag, environment), sanitizer)),
    ])
  } else {
    yield* table([safe`Environment`, safe`State`], placedFlags(flags), (flag) => [
      ...flagCells(flag, withProjects, sanitizer),
      codeSpan(text(flag.environment.name)),
      stateCell(flag.environment, sanitizer),
    ])
  }
  if (hasTotal) yield linesOf([safe``, text(counted(flags.length, 'flag'))])
}
