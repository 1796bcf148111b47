import type { ChalkInstance } from 'chalk'
import { enabledShare, type UsageRow, usageTotals } from '../usage/rows.ts'
import { timeOf } from '../usage/time.ts'
import { type Column, fits } from './layout.ts'
import { groupDigits, percent, shortCount } from './numbers.ts'
import { renderTable } from './table.ts'
import { safeText } from './text.ts'
import { wrapList } from './width.ts'

const NOTHING = '—'

interface Counts {
  enabled: bigint
  disabled: bigint
}

/** A whole percentage that is 0 or 100 only for none or all. */
function wholePercent(share: number): number {
  return share > 500 ? Math.floor(share / 10) : Math.ceil(share / 10)
}

function shareText(counts: Counts, bar: number, decimals: boolean): string {
  const share = enabledShare(counts)
  if (share === undefined) return NOTHING
  const text = decimals ? percent(share).padStart(6) : `${wholePercent(share)}%`.padStart(4)
  const full = Math.round((share * bar) / 1000)
  return `${'█'.repeat(full)}${'░'.repeat(bar - full)} ${text}`
}

/** `2026-11-20 16:00Z`, or its end from character `from` on; a text that is no date stays as it is. */
function reported(timestamp: string | undefined, from: number): string {
  if (timestamp === undefined) return NOTHING
  const time = timeOf(timestamp)
  if (time === undefined) return safeText(timestamp)
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ').slice(from)}Z`
}

function variantWords(row: UsageRow): string[] {
  return row.variants.map(({ name, count }) => `${safeText(name)} ${groupDigits(count)}`)
}

function name(value: string | undefined): string {
  return value === undefined ? NOTHING : safeText(value)
}

function countColumn(title: string, counts: readonly bigint[]): Column {
  const full = { title, cells: () => counts.map(groupDigits) }
  return {
    align: 'right',
    elastic: false,
    // Figures stay whole while anything else can give.
    forms: [full, full, { title, cells: () => counts.map(shortCount) }],
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

function sum(counts: readonly bigint[]): bigint {
  return counts.reduce((total, count) => total + count, 0n)
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
  const elastic = rows.some(({ timestamp }) => timestamp && timeOf(timestamp) === undefined)
  return { align: 'left', elastic, forms }
}

interface Dimension {
  part: 'flag' | 'variant' | 'application' | 'environment'
  title: string
  short: string
}

const dimensions: readonly Dimension[] = [
  { part: 'flag', title: 'Flag', short: 'Flag' },
  { part: 'variant', title: 'Variant', short: 'Variant' },
  { part: 'application', title: 'Application', short: 'App' },
  { part: 'environment', title: 'Environment', short: 'Env' },
]

/** The columns that say whose usage a row is: those that some row fills. The first one labels the total. */
function nameColumns(rows: readonly UsageRow[]): Column[] {
  const filled = dimensions.filter(({ part }) => rows.some((row) => row[part] !== undefined))
  const shown = filled.length > 0 ? filled : dimensions.slice(-1)
  return shown.map(({ part, title, short }, index) =>
    nameColumn(title, short, [...rows.map((row) => name(row[part])), index === 0 ? 'Total' : '']),
  )
}

/** How often each variant was selected, and its share of its flag's selections. */
function selectionColumns(rows: readonly UsageRow[], style: ChalkInstance): Column[] {
  const selected = rows.map(({ enabled }) => enabled)
  const ofFlag = new Map<string | undefined, bigint>()
  for (const { flag, enabled } of rows) ofFlag.set(flag, (ofFlag.get(flag) ?? 0n) + enabled)
  const counts = rows.map(({ flag, enabled }) => ({
    enabled,
    disabled: (ofFlag.get(flag) ?? 0n) - enabled,
  }))
  const total = sum(selected)
  return [
    countColumn('Selected', [...selected, total]),
    shareColumn([...counts, { enabled: total, disabled: 0n }], style),
  ]
}

function countColumns(rows: readonly UsageRow[], style: ChalkInstance): Column[] {
  if (rows.some(({ variant }) => variant !== undefined)) return selectionColumns(rows, style)
  const counts = [...rows, usageTotals(rows)]
  return [
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
  ]
}

/**
 * Rows as a table with a total below; a column that no row fills is left out.
 * @param width columns of the terminal; undefined off a terminal, where nothing is shortened
 * @param extra columns to show beside the counts
 */
export function usageTable(
  rows: readonly UsageRow[],
  width: number | undefined,
  style: ChalkInstance,
  extra: readonly Column[] = [],
): string {
  const before = [...nameColumns(rows), ...countColumns(rows, style), ...extra]
  const dated = rows.some(({ timestamp }) => timestamp !== undefined)
  const after = dated ? [reportedColumn(rows)] : []
  const varied = rows.some(({ variant, variants }) => variant === undefined && variants.length > 0)
  const withVariants = varied ? [...before, variantsColumn(rows), ...after] : [...before, ...after]
  if (!varied || fits(withVariants, width)) {
    return renderTable({ columns: withVariants }, width, style.dim)
  }
  const below = variantsBelow(rows)
  return renderTable({ columns: [...before, ...after], below }, width, style.dim)
}
