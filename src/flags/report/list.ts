import type { Blocks } from '../../output/blocks.ts'
import { csvBlocks, csvCell } from '../../output/csv.ts'
import { dayText, minuteText } from '../../output/dates.ts'
import { codeSpan, markdownBlocks, plainDate } from '../../output/markdown.ts'
import { counted } from '../../output/phrases.ts'
import { linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import type { Flag, FlagEnvironment } from '../../projects/flags.ts'
import {
  environmentOf,
  environmentsOf,
  environmentText,
  type FlagTableOptions,
  hasColumnEach,
  placedFlags,
} from './table.ts'

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
  ...['project', 'name', 'type', 'stale', 'createdAt', 'environment', 'enabled', 'lastSeenAt'],
]

/** Flags as CSV with a row for each environment. */
export function flagCsv(flags: readonly Flag[], sanitizer: Sanitizer): Blocks {
  const header = csvColumns.map(sanitizer.text)
  return csvBlocks(header, flags, (flag) => csvRecords(flag, sanitizer))
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
  const columns = (more: readonly Safe[]) =>
    [...titles.map(text), ...more].map((title) => ({ title }))
  const environments = environmentsOf(flags)
  if (hasColumnEach(environments)) {
    const names = environments.map((environment) => codeSpan(text(environment)))
    yield* markdownBlocks(columns(names), flags, (flag) => [
      ...flagCells(flag, withProjects, sanitizer),
      ...environments.map((environment) => stateCell(environmentOf(flag, environment), sanitizer)),
    ])
  } else {
    const placed = columns([safe`Environment`, safe`State`])
    yield* markdownBlocks(placed, placedFlags(flags), (flag) => [
      ...flagCells(flag, withProjects, sanitizer),
      codeSpan(text(flag.environment.name)),
      stateCell(flag.environment, sanitizer),
    ])
  }
  if (hasTotal) yield linesOf([safe``, text(counted(flags.length, 'flag'))])
}
