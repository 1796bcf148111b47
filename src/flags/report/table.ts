import type { Flag, FlagEnvironment } from '../flag.ts'
import { byCodeUnit } from '../../usage/rows.ts'
import { counted } from '../../output/phrases.ts'
import type { Blocks } from '../../output/blocks.ts'
import { dayText, minuteText } from '../../output/dates.ts'
import { type Column, type Form, fitsInFull } from '../../output/layout.ts'
import { renderTable } from '../../output/table.ts'
import { safeText } from '../../output/escapes.ts'

const UNKNOWN = '—'

// More environments than a project has; a column for each would take quadratic time.
const MAX_COLUMNS = 20

function stateText(enabled: boolean | undefined): string {
  if (enabled === undefined) return UNKNOWN
  return enabled ? 'on' : 'off'
}

/** When a flag was last seen, as words after its state. */
function seenText(lastSeenAt: FlagEnvironment['lastSeenAt'], date: (time: string) => string) {
  if (lastSeenAt === undefined) return UNKNOWN
  return lastSeenAt === null ? 'never seen' : `seen ${date(lastSeenAt)}`
}

/** A flag in an environment: `on, seen 2026-11-20 16:00Z`. */
export function environmentText(
  { enabled, lastSeenAt }: FlagEnvironment,
  date: (time: string) => string = minuteText,
): string {
  return `${stateText(enabled)}, ${seenText(lastSeenAt, date)}`
}

/** The environments of flags by code unit. */
export function environmentsOf(flags: readonly Flag[]): string[] {
  const names = flags.flatMap(({ environments }) => environments.map(({ name }) => name))
  return [...new Set(names)].sort(byCodeUnit)
}

/** The environment of a flag with this name. */
export function environmentOf({ environments }: Flag, environment: string) {
  return environments.find(({ name }) => name === environment)
}

/** A form of a column with a cell for each row and one for the totals. */
function formOf<Row>(
  title: string,
  rows: readonly Row[],
  text: (row: Row) => string,
  total = '',
): Form {
  const cell = (index: number) => {
    const row = rows[index]
    return row === undefined ? total : text(row)
  }
  return { title, cell }
}

function column(forms: Column['forms'], elastic = false): Column {
  return { align: 'left', elastic, forms }
}

function environmentColumn(flags: readonly Flag[], environment: string): Column {
  const own = flags.map((flag) => ({ it: environmentOf(flag, environment) }))
  const total = `${own.filter(({ it }) => it?.enabled).length} on`
  const form = (date: (time: string) => string) =>
    formOf(safeText(environment), own, ({ it }) => (it ? environmentText(it, date) : ''), total)
  return column([form(minuteText), form(dayText)])
}

function nameColumns(flags: readonly Flag[], withProjects: boolean, count: string): Column[] {
  const names = formOf('Flag', flags, ({ name }) => safeText(name), count)
  const projects = formOf('Project', flags, ({ projectId }) => safeText(projectId))
  return [column([names], true), ...(withProjects ? [column([projects], true)] : [])]
}

function wideColumns(flags: readonly Flag[], withProjects: boolean): Column[] {
  const isStale = flags.some(({ stale }) => stale)
  const types = formOf('Type', flags, ({ type }) => (type === undefined ? UNKNOWN : safeText(type)))
  const created = formOf('Created', flags, ({ createdAt }) =>
    createdAt === undefined ? UNKNOWN : dayText(createdAt),
  )
  const stale = formOf('Stale', flags, ({ stale }) => (stale ? 'stale' : ''))
  return [
    ...nameColumns(flags, withProjects, counted(flags.length, 'flag')),
    column([types, null]),
    ...(isStale ? [column([stale])] : []),
    column([created, null]),
    ...environmentsOf(flags).map((environment) => environmentColumn(flags, environment)),
  ]
}

/** Whether a table has a column for each environment. */
export function hasColumnEach(environments: readonly string[]): boolean {
  return environments.length <= MAX_COLUMNS
}

/** A flag in one of its environments. */
interface PlacedFlag extends Flag {
  environment: FlagEnvironment
}

/** Flags with each of their environments. */
export function placedFlags(flags: readonly Flag[]): PlacedFlag[] {
  return flags.flatMap((flag) => flag.environments.map((environment) => ({ ...flag, environment })))
}

/** A row for each flag and environment, for when a column for each environment would be too wide. */
function longTable(flags: readonly Flag[], { withProjects, hasTotal }: FlagTableOptions) {
  const rows = placedFlags(flags)
  const names = formOf('Environment', rows, ({ environment }) => safeText(environment.name))
  const states = (text: (environment: FlagEnvironment) => string) =>
    formOf('State', rows, ({ environment }) => text(environment))
  const columns = [
    ...nameColumns(rows, withProjects, counted(flags.length, 'flag')),
    column([names], true),
    column([
      states((it) => environmentText(it)),
      states((it) => environmentText(it, dayText)),
      states(({ enabled }) => stateText(enabled)),
    ]),
  ]
  return { columns, ...rowsOf(rows.length, hasTotal) }
}

/** The number of rows of a table that may have one with totals. */
function rowsOf(count: number, hasTotals: boolean) {
  return { rows: hasTotals ? count + 1 : count, hasTotals }
}

/** What a table of flags contains. */
export interface FlagTableOptions {
  /** Whether to show the project of each flag. */
  withProjects: boolean
  /** Whether to show how many flags there are. */
  hasTotal: boolean
}

/**
 * Flags as a table.
 * @param width columns of the terminal; undefined without a terminal, where nothing is shortened
 */
export function* flagTable(
  flags: readonly Flag[],
  options: FlagTableOptions,
  width: number | undefined,
  dim: (text: string) => string,
): Blocks {
  if (hasColumnEach(environmentsOf(flags))) {
    const columns = wideColumns(flags, options.withProjects)
    const wide = { columns, ...rowsOf(flags.length, options.hasTotal), width }
    if (yield* fitsInFull(wide)) return yield* renderTable(wide, dim)
  }
  yield* renderTable({ ...longTable(flags, options), width }, dim)
}
