import type { Blocks } from '../../output/blocks.ts'
import { dayText, minuteText } from '../../output/dates.ts'
import { codeSpan, markdownBlocks, plainDate } from '../../output/markdown.ts'
import { counted } from '../../output/phrases.ts'
import { rowCsv, type RowField } from '../../output/rows.ts'
import { linesOf, type Safe, safe, type Sanitizer } from '../../output/text.ts'
import type { Flag, FlagEnvironment } from '../../projects/flags.ts'
import { environmentsOf } from '../selection.ts'
import {
  environmentOf,
  environmentText,
  type FlagTableOptions,
  hasColumnEach,
  placedFlags,
} from './table.ts'

const csvFields: readonly RowField<Flag & { environment?: FlagEnvironment }>[] = [
  { name: 'project', value: ({ projectId }) => projectId },
  { name: 'name', value: ({ name }) => name },
  { name: 'type', value: ({ type }) => type },
  { name: 'stale', value: ({ stale }) => `${stale}` },
  { name: 'createdAt', value: ({ createdAt }) => createdAt },
  { name: 'environment', value: ({ environment }) => environment?.name },
  { name: 'enabled', value: ({ environment }) => environment?.enabled?.toString() },
  { name: 'lastSeenAt', value: ({ environment }) => environment?.lastSeenAt },
]

/** Flags as CSV with a row for each environment. */
export function flagCsv(flags: readonly Flag[], sanitizer: Sanitizer): Blocks {
  const rows = flags.flatMap((flag) =>
    flag.environments.length > 0 ? placedFlags([flag]) : [flag],
  )
  return rowCsv(rows, csvFields, sanitizer)
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
