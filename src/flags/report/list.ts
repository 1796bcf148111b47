import type { Flag, FlagEnvironment } from '../flag.ts'
import { counted } from '../../output/phrases.ts'
import { type Blocks, inBlocks } from '../../output/blocks.ts'
import { csv, csvCell } from '../../output/csv.ts'
import { dayText, minuteText } from '../../output/dates.ts'
import {
  environmentOf,
  environmentsOf,
  environmentText,
  type FlagTableOptions,
  hasColumnEach,
  placedFlags,
} from './table.ts'
import { codeSpan, markdownRow, markdownTable } from '../../output/markdown.ts'
import { isolate, safeJson, safeText } from '../../output/escapes.ts'

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

/** The start of a row about a flag. */
function flagCells({ name, projectId, type, stale, createdAt }: Flag, withProjects: boolean) {
  return [
    codeSpan(name),
    ...(withProjects ? [codeSpan(projectId)] : []),
    type === undefined ? '' : codeSpan(type),
    stale ? 'stale' : '',
    createdAt === undefined ? '' : plainDate(dayText(createdAt)),
  ]
}

function stateCell(environment: FlagEnvironment | undefined): string {
  return environment ? environmentText(environment, (time) => plainDate(minuteText(time))) : ''
}

/** Flags as a Markdown table with a column for each environment, or a row for each of many. */
export function* flagMarkdown(
  flags: readonly Flag[],
  { withProjects, hasTotal }: FlagTableOptions,
): Blocks {
  const titles = ['Flag', ...(withProjects ? ['Project'] : []), 'Type', 'Stale', 'Created']
  const table = function* <Row>(
    more: readonly string[],
    rows: readonly Row[],
    cells: (row: Row) => readonly string[],
  ): Blocks {
    yield isolate(
      markdownTable(
        [...titles, ...more].map((title) => ({ title })),
        [],
      ),
    )
    yield* inBlocks(rows, (block) => isolate(block.map((row) => markdownRow(cells(row))).join('')))
  }
  const environments = environmentsOf(flags)
  if (hasColumnEach(environments)) {
    yield* table(environments.map(codeSpan), flags, (flag) => [
      ...flagCells(flag, withProjects),
      ...environments.map((environment) => stateCell(environmentOf(flag, environment))),
    ])
  } else {
    yield* table(['Environment', 'State'], placedFlags(flags), (flag) => [
      ...flagCells(flag, withProjects),
      codeSpan(flag.environment.name),
      stateCell(flag.environment),
    ])
  }
  if (hasTotal) yield `\n${counted(flags.length, 'flag')}\n`
}
