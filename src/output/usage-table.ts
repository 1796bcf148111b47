import type { ChalkInstance } from 'chalk'
import { selectionsOf } from '../usage/arrange.ts'
import { type Counts, enabledShare, type UsageRow, usageTotals } from '../usage/rows.ts'
import { timeOf } from '../usage/time.ts'
import { type Column, type Form, fits, fitsInFull, type Widths, wasShown } from './layout.ts'
import { groupDigits, percent, shortCount } from './numbers.ts'
import { renderTable, type TableContent } from './table.ts'
import { safeText } from './text.ts'
import { wrapList } from './width.ts'

const NOTHING = '—'

// `100.0%` and `100%`.
const WIDEST = [4, 6] as const

function shareText(counts: Counts, bar: number, decimals: 0 | 1): string {
  const share = enabledShare(counts)
  if (share === undefined) return NOTHING
  const text = percent(share, decimals).padStart(WIDEST[decimals])
  if (bar === 0) return text
  const { part, whole } = share
  const full = Number((2n * BigInt(bar) * part + whole) / (2n * whole))
  return `${'█'.repeat(full)}${'░'.repeat(bar - full)} ${text}`
}

/** `2026-11-20 16:00Z`, or its end from character `from`; text that is not a date is kept. */
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
  return {
    align: 'right',
    elastic: false,
    forms: [{ title, cells: () => counts.map(groupDigits) }],
    terse: { title, cells: () => counts.map(shortCount) },
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
  const form = (bar: number, decimals: 0 | 1): Form => ({
    title: 'Share',
    cells: () => counts.map((count) => shareText(count, bar, decimals)),
  })
  return {
    align: 'right',
    elastic: false,
    forms: [form(10, 1), form(5, 1), form(0, 1)],
    terse: form(0, 0),
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

/** The variants as lines below their rows, used when a column would be too wide. */
function variantsBelow(rows: readonly UsageRow[]) {
  return (width: number) =>
    rows.map((row) => {
      const words = variantWords(row)
      return words.length === 0 ? '' : BELOW + wrapList(words, BELOW.length, width)
    })
}

function reportedColumn(rows: readonly UsageRow[]): Column {
  const form = (title: string, from: number): Form => ({
    title,
    cells: () => [...rows.map(({ timestamp }) => reported(timestamp, from)), ''],
  })
  const [full, day] = [form('Reported', 0), form('Reported', 5)]
  const times = new Set(
    rows.flatMap(({ timestamp }) => (timestamp === undefined ? [] : reported(timestamp, 0))),
  )
  const days = new Set(Array.from(times, (time) => time.slice(0, 10)))
  const elastic = rows.some(({ timestamp }) => timestamp && timeOf(timestamp) === undefined)
  // A time without a date is clear only within one day, and not needed if all rows share it.
  if (elastic || days.size > 1) return { align: 'left', elastic, forms: [full, day] }
  const time = form('Time', 11)
  const forms = times.size > 1 ? ([full, day, time] as const) : ([full, day, time, null] as const)
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

/** The dimensions that at least one row has. */
function namedBy(rows: readonly UsageRow[], widths: Widths | undefined): readonly Dimension[] {
  const filled = dimensions.filter(
    ({ part, title }) => wasShown(widths, title) || rows.some((row) => row[part] !== undefined),
  )
  return filled.length > 0 ? filled : dimensions.slice(-1)
}

/** A column for each name. The first one labels the total. */
function nameColumns(rows: readonly UsageRow[], named: readonly Dimension[]): Column[] {
  return named.map(({ part, title, short }, index) =>
    nameColumn(title, short, [...rows.map((row) => name(row[part])), index === 0 ? 'Total' : '']),
  )
}

/** The names in full as lines above their rows, used when columns would be too narrow. */
function namesAbove(rows: readonly UsageRow[], named: readonly Dimension[]) {
  const cells = rows.map((row) => named.map(({ part }) => name(row[part])).join(', '))
  return { title: named.map(({ title }) => title).join(', '), cells: [...cells, 'Total'] }
}

/** How often each variant was selected, and its share of its flag's selections. */
function selectionColumns(selections: readonly Counts[], style: ChalkInstance): Column[] {
  const selected = selections.map(({ enabled }) => enabled)
  const total = sum(selected)
  return [
    countColumn('Selected', [...selected, total]),
    shareColumn([...selections, { enabled: total, disabled: 0n }], style),
  ]
}

function countColumns(rows: readonly UsageRow[], style: ChalkInstance): Column[] {
  const selections = selectionsOf(rows)
  if (selections) return selectionColumns(selections, style)
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

/** How to draw a table. */
export interface TableStyle {
  /** Columns of the terminal; undefined off a terminal, where nothing is shortened. */
  width: number | undefined
  style: ChalkInstance
  /** Columns to show next to the counts. */
  extra?: readonly Column[]
  /** Where to keep the widths of columns from one drawing to the next. */
  widths?: Widths | undefined
}

/** Rows as a table with a total; empty columns are left out. */
export function usageTable(
  rows: readonly UsageRow[],
  { width, style, extra = [], widths }: TableStyle,
): string {
  const named = namedBy(rows, widths)
  const names = nameColumns(rows, named)
  const figures = [...countColumns(rows, style), ...extra]
  const isDated = rows.some(({ timestamp }) => timestamp !== undefined)
  const dates = isDated || wasShown(widths, 'Reported') ? [reportedColumn(rows)] : []
  const varied = rows.some(({ variant, variants }) => variant === undefined && variants.length > 0)
  const variants = varied || wasShown(widths, 'Variants') ? [variantsColumn(rows)] : []
  const full = [...names, ...figures, ...variants, ...dates]
  const plain = [...names, ...figures, ...dates]
  const draw = (content: TableContent) => renderTable({ ...content, widths }, width, style.dim)
  if (variants.length === 0 ? fits(plain, width, widths) : fitsInFull(full, width, widths)) {
    return draw({ columns: full })
  }
  const below = variants.length > 0 ? variantsBelow(rows) : undefined
  if (fits(plain, width, widths)) return draw({ columns: plain, below })
  return draw({ columns: [...figures, ...dates], above: namesAbove(rows, named), below })
}
