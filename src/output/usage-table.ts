import type { ChalkInstance } from 'chalk'
import type { FeatureUsage } from '../service/schema.ts'
import { enabledShare, type UsageRow, usageRows, usageTotals } from '../usage/rows.ts'
import { type Column, fits } from './layout.ts'
import { renderTable } from './table.ts'
import { safeText } from './text.ts'
import { wrapList } from './width.ts'

const NOTHING = '—'

interface Counts {
  enabled: bigint
  disabled: bigint
}

/** An integer with its digits grouped by three. */
export function groupDigits(count: bigint): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A whole percentage that is 0 or 100 only for none or all. */
function wholePercent(share: number): number {
  return share > 500 ? Math.floor(share / 10) : Math.ceil(share / 10)
}

function shareText(counts: Counts, bar: number, decimals: boolean): string {
  const share = enabledShare(counts)
  if (share === undefined) return NOTHING
  const percent = decimals
    ? `${(share / 10).toFixed(1)}%`.padStart(6)
    : `${wholePercent(share)}%`.padStart(4)
  const full = Math.round((share * bar) / 1000)
  return `${'█'.repeat(full)}${'░'.repeat(bar - full)} ${percent}`
}

/** `2026-11-20 16:00Z`, or its end from character `from` on; a text that is no date stays as it is. */
function reported(timestamp: string | undefined, from: number): string {
  if (timestamp === undefined) return NOTHING
  const time = Date.parse(timestamp)
  if (Number.isNaN(time)) return safeText(timestamp)
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ').slice(from)}Z`
}

function variantWords(row: UsageRow): string[] {
  return row.variants.map(({ name, count }) => `${safeText(name)} ${groupDigits(count)}`)
}

function name(value: string | undefined): string {
  return value === undefined ? NOTHING : safeText(value)
}

function countColumn(title: string, counts: readonly bigint[]): Column {
  return {
    align: 'right',
    elastic: false,
    forms: [{ title, cells: () => counts.map(groupDigits) }],
  }
}

function nameColumn(title: string, short: string, names: readonly string[]): Column {
  const cells = () => [...names]
  return {
    align: 'left',
    elastic: true,
    forms: [
      { title, cells },
      { title: short, cells },
    ],
  }
}

function shareColumn(counts: readonly Counts[], style: ChalkInstance): Column {
  const form = (bar: number, decimals: boolean) => ({
    title: 'Share',
    cells: () => counts.map((count) => shareText(count, bar, decimals)),
  })
  return {
    align: 'right',
    elastic: false,
    forms: [form(10, true), form(5, true), form(3, false)],
    paint: (text) => text.replace(/█+/, style.green('$&')).replace(/░+/, style.dim('$&')),
  }
}

function variantsColumn(rows: readonly UsageRow[]): Column {
  const cells = () => [...rows.map((row) => variantWords(row).join(', ')), '']
  return { align: 'left', elastic: false, forms: [{ title: 'Variants', cells }] }
}

const BELOW = '  └ '

/** The variants as lines below their rows, for when a column of them would be too wide. */
function variantsBelow(rows: readonly UsageRow[]) {
  return (width: number) =>
    rows.map((row) => {
      const words = variantWords(row)
      return words.length === 0 ? '' : BELOW + wrapList(words, BELOW.length, width)
    })
}

function reportedColumn(rows: readonly UsageRow[]): Column {
  const form = (title: string, from: number) => ({
    title,
    cells: () => [...rows.map(({ timestamp }) => reported(timestamp, from)), ''],
  })
  const [full, day] = [form('Reported', 0), form('Reported', 5)]
  // Without its day a time is clear only when all rows are of one day.
  const days = new Set(rows.map(({ timestamp }) => reported(timestamp, 0).slice(0, 10)))
  const forms = days.size === 1 ? ([full, day, form('Time', 11)] as const) : ([full, day] as const)
  return { align: 'left', elastic: false, forms }
}

/** The columns for rows, a total below them; one that no row fills is left out. */
function usageColumns(
  rows: readonly UsageRow[],
  style: ChalkInstance,
  variants: readonly Column[],
): Column[] {
  const counts = [...rows, usageTotals(rows)]
  const named = rows.some(({ application }) => application !== undefined)
  const applications = rows.map(({ application }) => name(application))
  const environments = rows.map(({ environment }) => name(environment))
  return [
    ...(named ? [nameColumn('Application', 'App', [...applications, 'Total'])] : []),
    nameColumn('Environment', 'Env', [...environments, named ? '' : 'Total']),
    countColumn(
      'Enabled',
      counts.map(({ enabled }) => enabled),
    ),
    countColumn(
      'Disabled',
      counts.map(({ disabled }) => disabled),
    ),
    countColumn(
      'Total',
      counts.map(({ enabled, disabled }) => enabled + disabled),
    ),
    shareColumn(counts, style),
    ...variants,
    ...(rows.some(({ timestamp }) => timestamp !== undefined) ? [reportedColumn(rows)] : []),
  ]
}

function usageTable(
  rows: readonly UsageRow[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  const columns = usageColumns(rows, style, [])
  if (rows.every(({ variants }) => variants.length === 0)) {
    return renderTable({ columns }, width, style.dim)
  }
  const withVariants = usageColumns(rows, style, [variantsColumn(rows)])
  return fits(withVariants, width)
    ? renderTable({ columns: withVariants }, width, style.dim)
    : renderTable({ columns, below: variantsBelow(rows) }, width, style.dim)
}

function heading(usage: FeatureUsage, flag: string, style: ChalkInstance): string {
  const { version, maturity } = usage
  const facts = [
    version == null ? '' : `schema version ${version}`,
    maturity == null ? '' : `maturity ${safeText(maturity)}`,
  ].filter(Boolean)
  const about = facts.length > 0 ? style.dim(` (${facts.join(', ')})`) : ''
  return style.bold(safeText(usage.featureName ?? flag)) + about
}

function seenBy(usage: FeatureUsage, width: number | undefined): string {
  const label = 'Seen by: '
  const applications = usage.seenApplications ?? []
  if (applications.length === 0) return `${label}no application`
  return label + wrapList(applications.map(safeText), label.length, width)
}

/**
 * The usage of one flag for people: a heading, the table, who has seen the flag.
 * @param flag the name that was asked for
 * @param width columns of the terminal; undefined off a terminal, where nothing is shortened
 */
export function usageText(
  usage: FeatureUsage,
  flag: string,
  width: number | undefined,
  style: ChalkInstance,
): string {
  const rows = usageRows(usage, flag)
  const table = rows.length === 0 ? 'No usage in the last hour.' : usageTable(rows, width, style)
  return `${heading(usage, flag, style)}\n\n${table}\n\n${seenBy(usage, width)}\n`
}
