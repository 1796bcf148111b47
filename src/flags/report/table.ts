import type { Flag, FlagEnvironment } from '../../projects/flags.ts'
import { counted, NOTHING } from '../../old/output/phrases.ts'
import type { Blocks } from '../../old/output/blocks.ts'
import { codeSpan, markdownBlocks, plainDate } from '../../old/output/markdown.ts'
import { dayText, minuteText } from '../../old/output/dates.ts'
import { type Column, fitsInFull, formOf } from '../../old/output/layout.ts'
import { renderTable } from '../../old/output/table.ts'
import type { Printer } from '../../old/output/printer.ts'
import { linesOf, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'
import { nameColumns, type NameField, namesAbove } from '../../projects/report/names.ts'
import { environmentsOf } from '../selection.ts'

// More environments than a project has; a column for each would take quadratic time.
const MAX_COLUMNS = 20

function stateText(enabled: boolean | undefined): Safe {
  if (enabled === undefined) return NOTHING
  return enabled ? safe`on` : safe`off`
}

/** Makes a timestamp printable. */
type ShowDate = (timestamp: string) => Safe

/** When a flag was last seen, as words after its state. */
function seenText(lastSeenAt: FlagEnvironment['lastSeenAt'], date: ShowDate): Safe {
  if (lastSeenAt === undefined) return NOTHING
  return lastSeenAt === null ? safe`never seen` : safe`seen ${date(lastSeenAt)}`
}

/** A flag in an environment: `on, seen 2026-11-20 16:00Z`. */
function environmentText({ enabled, lastSeenAt }: FlagEnvironment, date: ShowDate): Safe {
  return safe`${stateText(enabled)}, ${seenText(lastSeenAt, date)}`
}

function environmentOf({ environments }: Flag, environment: string) {
  return environments.find(({ name }) => name === environment)
}

function environmentColumn(
  flags: readonly Flag[],
  environment: string,
  { text }: Sanitizer,
): Column {
  const own = flags.map((flag) => ({ it: environmentOf(flag, environment) }))
  const total = safe`${own.filter(({ it }) => it?.enabled).length} on`
  const form = (show: (time: Safe) => Safe) => {
    const date: ShowDate = (time) => show(text(time))
    const state = ({ it }: (typeof own)[number]) => (it ? environmentText(it, date) : safe``)
    return formOf(text(environment), own, state, [total])
  }
  return { together: true, forms: [form(minuteText), form(dayText)] }
}

/** The names of a flag, which are columns or lines above the rows. */
export function flagNames(withProjects: boolean): NameField<Flag>[] {
  return [
    { title: safe`Flag`, value: ({ name }) => name },
    ...(withProjects ? [{ title: safe`Project`, value: ({ projectId }: Flag) => projectId }] : []),
  ]
}

function wideColumns(
  flags: readonly Flag[],
  names: readonly NameField<Flag>[],
  sanitizer: Sanitizer,
): Column[] {
  const { text } = sanitizer
  const isStale = flags.some(({ stale }) => stale)
  const types = formOf(safe`Type`, flags, ({ type }) => (type === undefined ? NOTHING : text(type)))
  const created = formOf(safe`Created`, flags, ({ createdAt }) =>
    createdAt === undefined ? NOTHING : dayText(text(createdAt)),
  )
  const stale = formOf(safe`Stale`, flags, ({ stale }) => (stale ? safe`stale` : safe``))
  return [
    ...nameColumns(flags, names, [text(counted(flags.length, 'flag'))], sanitizer),
    { forms: [types, null] },
    ...(isStale ? [{ forms: [stale] } as const] : []),
    { forms: [created, null] },
    ...environmentsOf(flags).map((environment) => environmentColumn(flags, environment, sanitizer)),
  ]
}

/** Whether a table has a column for each environment. */
function hasColumnEach(flags: readonly Flag[]): boolean {
  return environmentsOf(flags).length <= MAX_COLUMNS
}

/** A flag in one of its environments. */
interface PlacedFlag extends Flag {
  environment: FlagEnvironment
}

/** Flags with each of their environments. */
export function placedFlags(flags: readonly Flag[]): PlacedFlag[] {
  return flags.flatMap((flag) => flag.environments.map((environment) => ({ ...flag, environment })))
}

/**
 * Columns for a row for each flag and environment, for when a column for each environment would be too wide.
 * @param mayDropSeen whether the state may be shown without when the flag was seen
 */
function longColumns(
  rows: readonly PlacedFlag[],
  mayDropSeen: boolean,
  sanitizer: Sanitizer,
): Column[] {
  const { text } = sanitizer
  const names = formOf(safe`Environment`, rows, ({ environment }) => text(environment.name))
  const states = (show: (environment: FlagEnvironment) => Safe) =>
    formOf(safe`State`, rows, ({ environment }) => show(environment))
  return [
    { elastic: true, forms: [names] },
    {
      forms: [
        states((it) => environmentText(it, (time) => minuteText(text(time)))),
        states((it) => environmentText(it, (time) => dayText(text(time)))),
        ...(mayDropSeen ? [states(({ enabled }) => stateText(enabled))] : []),
      ],
    },
  ]
}

interface FlagTableOptions {
  /** Whether to show the project of each flag. */
  withProjects: boolean
  /** Whether to show how many flags there are. */
  hasTotal: boolean
}

export function flagTable(
  flags: readonly Flag[],
  { withProjects, hasTotal }: FlagTableOptions,
  printer: Printer,
): Blocks {
  const { width, style } = printer
  const names = flagNames(withProjects)
  const tableOf = (columns: readonly Column[], count: number) => {
    return { columns, rows: hasTotal ? count + 1 : count, hasTotals: hasTotal, width }
  }
  if (hasColumnEach(flags)) {
    const wide = tableOf(wideColumns(flags, names, printer), flags.length)
    if (fitsInFull(wide)) return renderTable(wide, style.dim)
  }
  const rows = placedFlags(flags)
  const labels = [printer.text(counted(flags.length, 'flag'))]
  const columns = nameColumns(rows, names, labels, printer)
  const long = tableOf([...columns, ...longColumns(rows, false, printer)], rows.length)
  if (fitsInFull(long)) return renderTable(long, style.dim)
  const above = namesAbove(rows, names, labels, printer)
  const narrow = tableOf(longColumns(rows, true, printer), rows.length)
  return renderTable({ ...narrow, above }, style.dim)
}

/** Flags as a Markdown table with a column for each environment, or a row for each of many. */
export function* flagMarkdown(
  flags: readonly Flag[],
  { withProjects, hasTotal }: FlagTableOptions,
  { text }: Sanitizer,
): Blocks {
  const name = (value: string) => codeSpan(text(value))
  const state = (environment: FlagEnvironment | undefined) =>
    environment ? environmentText(environment, (time) => plainDate(minuteText(text(time)))) : safe``
  const isWide = hasColumnEach(flags)
  const environments = environmentsOf(flags)
  const titles = [
    ...['Flag', ...(withProjects ? ['Project'] : []), 'Type', 'Stale', 'Created'].map(text),
    ...(isWide ? environments.map(name) : [safe`Environment`, safe`State`]),
  ]
  const rows: readonly (Flag & Partial<PlacedFlag>)[] = isWide ? flags : placedFlags(flags)
  yield* markdownBlocks(
    titles.map((title) => ({ title })),
    rows,
    (flag) => [
      name(flag.name),
      ...(withProjects ? [name(flag.projectId)] : []),
      flag.type === undefined ? safe`` : name(flag.type),
      flag.stale ? safe`stale` : safe``,
      flag.createdAt === undefined ? safe`` : plainDate(dayText(text(flag.createdAt))),
      ...(flag.environment
        ? [name(flag.environment.name), state(flag.environment)]
        : environments.map((environment) => state(environmentOf(flag, environment)))),
    ],
  )
  if (hasTotal) yield linesOf([safe``, text(counted(flags.length, 'flag'))])
}
