import type { Flag, FlagEnvironment } from '../feature/flag.ts'
import { byCodeUnit } from '../usage/rows.ts'
import { dayText, minuteText } from './dates.ts'
import { type Column, type Form, fitsInFull } from './layout.ts'
import { renderTable } from './table.ts'
import { safeText } from './text.ts'

const UNKNOWN = '—'

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

/** `1 flag`, `12 flags`. */
export function flagCount(count: number): string {
  return `${count} ${count === 1 ? 'flag' : 'flags'}`
}

function textColumn(title: string, cells: readonly string[], elastic = false): Column {
  return { align: 'left', elastic, forms: [{ title, cells: () => [...cells] }] }
}

/** A column that a narrow table leaves out. */
function optionalColumn(title: string, cells: readonly string[]): Column {
  return { align: 'left', elastic: false, forms: [{ title, cells: () => [...cells] }, null] }
}

function environmentColumn(flags: readonly Flag[], environment: string): Column {
  const own = flags.map(({ environments }) => environments.find(({ name }) => name === environment))
  const enabled = own.filter((it) => it?.enabled).length
  const form = (text: (it: FlagEnvironment) => string): Form => ({
    title: safeText(environment),
    cells: () => [...own.map((it) => (it ? text(it) : '')), `${enabled} on`],
  })
  return {
    align: 'left',
    elastic: false,
    forms: [form((it) => environmentText(it)), form((it) => environmentText(it, dayText))],
  }
}

function nameColumns(flags: readonly Flag[], withProjects: boolean, count: string): Column[] {
  const names = textColumn('Flag', [...flags.map(({ name }) => safeText(name)), count], true)
  if (!withProjects) return [names]
  return [names, textColumn('Project', [...flags.map((it) => safeText(it.projectId)), ''], true)]
}

function wideColumns(flags: readonly Flag[], withProjects: boolean): Column[] {
  const cells = (text: (flag: Flag) => string) => [...flags.map(text), '']
  const isStale = flags.some(({ stale }) => stale)
  return [
    ...nameColumns(flags, withProjects, flagCount(flags.length)),
    optionalColumn(
      'Type',
      cells(({ type }) => (type === undefined ? UNKNOWN : safeText(type))),
    ),
    ...(isStale
      ? [
          textColumn(
            'Stale',
            cells(({ stale }) => (stale ? 'stale' : '')),
          ),
        ]
      : []),
    optionalColumn(
      'Created',
      cells(({ createdAt }) => (createdAt === undefined ? UNKNOWN : dayText(createdAt))),
    ),
    ...environmentsOf(flags).map((environment) => environmentColumn(flags, environment)),
  ]
}

/** A row for each flag and environment, for when a column for each environment would be too wide. */
function longColumns(flags: readonly Flag[], withProjects: boolean): Column[] {
  const rows = flags.flatMap((flag) =>
    flag.environments.map((environment) => ({ ...flag, environments: [environment] })),
  )
  const cells = (text: (environment: FlagEnvironment) => string) => [
    ...rows.flatMap(({ environments }) => environments.map(text)),
    '',
  ]
  return [
    ...nameColumns(rows, withProjects, flagCount(flags.length)),
    textColumn(
      'Environment',
      cells(({ name }) => safeText(name)),
      true,
    ),
    {
      align: 'left',
      elastic: false,
      forms: [
        { title: 'State', cells: () => cells((it) => environmentText(it)) },
        { title: 'State', cells: () => cells((it) => environmentText(it, dayText)) },
        { title: 'State', cells: () => cells(({ enabled }) => stateText(enabled)) },
      ],
    },
  ]
}

/**
 * Flags as a table.
 * @param withProjects whether to show the project of each flag
 * @param width columns of the terminal; undefined off a terminal, where nothing is shortened
 */
export function flagTable(
  flags: readonly Flag[],
  withProjects: boolean,
  width: number | undefined,
  dim: (text: string) => string,
): string {
  const wide = wideColumns(flags, withProjects)
  const columns = fitsInFull(wide, width) ? wide : longColumns(flags, withProjects)
  return renderTable({ columns }, width, dim)
}
