import { byCodeUnit } from '../output/order.ts'
import { firstRows } from '../old/output/rows.ts'
import { hourlyOf } from './document.ts'
import { hourlyOfVariant } from './hourly.ts'
import {
  type Counts,
  emptyRow,
  enabledShare,
  evaluations,
  isUsed,
  largestFirst,
  mergeRows,
  type UsageRow,
} from './rows.ts'
import type { Span } from './span.ts'
import type { Grouping, SortKey, UsageView } from './view.ts'

/** The rows of a flag that the filters keep. */
export interface FlagRows {
  flag: string
  /** Undefined unless projects were read. */
  project?: string | undefined
  rows: readonly UsageRow[]
  /** The span of the rows if they are hourly usage. */
  span?: Span | undefined
}

/** The key of rows that are added up: only rows about the same hour or day have the same key. */
function keyOf(name: string | undefined, { hourly }: UsageRow): string | undefined {
  if (hourly?.bucket === undefined) return name
  return name === undefined ? `${hourly.bucket}` : `${hourly.bucket} ${name}`
}

/** Adds up rows with the same name in one part; the other parts become undefined. */
function sumBy(
  rows: readonly UsageRow[],
  part: 'application' | 'environment' | 'flag',
): UsageRow[] {
  const reduced = rows.map((row) => ({
    ...row,
    flag: undefined,
    application: undefined,
    environment: undefined,
    [part]: row[part],
  }))
  return mergeRows(reduced, (row) => keyOf(row[part], row))
}

function variantsOf(row: UsageRow): UsageRow[] {
  return row.variants.map(({ name, count }) => ({
    ...row,
    hourly: row.hourly && hourlyOfVariant(row.hourly, name),
    application: undefined,
    environment: undefined,
    variant: name,
    enabled: count,
    disabled: 0n,
    variants: [{ name, count }],
  }))
}

/**
 * A row for each variant of a flag, over all applications and environments. A flag without variants has
 * one row, so that it is not missing.
 */
function byVariant(rows: readonly UsageRow[]): UsageRow[] {
  const selections = rows.flatMap(variantsOf)
  return selections.length > 0
    ? mergeRows(selections, (row) => keyOf(row.variant, row))
    : sumBy(rows, 'flag')
}

/**
 * How often the variant of each row was selected (`enabled`) and how often another one of its flag
 * (`disabled`); undefined if the rows are not grouped by variant.
 */
export function selectionsOf(rows: readonly UsageRow[]): Counts[] | undefined {
  if (rows.every(({ variant }) => variant === undefined)) return undefined
  const selected = ({ variant, enabled }: UsageRow) => (variant === undefined ? 0n : enabled)
  const ofFlag = new Map<string | undefined, bigint>()
  for (const row of rows) {
    const key = keyOf(row.flag, row)
    ofFlag.set(key, (ofFlag.get(key) ?? 0n) + selected(row))
  }
  return rows.map((row) => {
    const enabled = selected(row)
    return { enabled, disabled: (ofFlag.get(keyOf(row.flag, row)) ?? 0n) - enabled }
  })
}

/** Adds rows up by a part. `variant` is for rows of one flag; `none` keeps rows as they are. */
function groupRows(rows: readonly UsageRow[], grouping: Grouping): UsageRow[] {
  if (grouping === 'none' || grouping === 'project') return [...rows]
  return grouping === 'variant' ? byVariant(rows) : sumBy(rows, grouping)
}

/** Order of two rows by their exact shares; rows without a share come last. */
function byShare(a: Counts, b: Counts): number {
  const [shareA, shareB] = [enabledShare(a), enabledShare(b)]
  if (!shareA || !shareB) return Number(!shareA) - Number(!shareB)
  return largestFirst(shareA.part * shareB.whole, shareB.part * shareA.whole)
}

function byName(a: UsageRow, b: UsageRow): number {
  const parts = ['application', 'environment', 'variant', 'flag'] as const
  for (const part of parts) {
    const order = byCodeUnit(a[part] ?? '', b[part] ?? '')
    if (order !== 0) return order
  }
  return (a.hourly?.bucket ?? 0) - (b.hourly?.bucket ?? 0)
}

/** Orders of counts, from the largest down. */
export const countOrders: Record<Exclude<SortKey, 'name'>, (a: Counts, b: Counts) => number> = {
  enabled: (a, b) => largestFirst(a.enabled, b.enabled),
  disabled: (a, b) => largestFirst(a.disabled, b.disabled),
  total: (a, b) => largestFirst(evaluations(a), evaluations(b)),
  share: byShare,
}

/** Whether to show a flag. */
export function keepsFlag({ rows }: FlagRows, { used, unused }: UsageView): boolean {
  return isUsed(rows) ? !unused : !used
}

function groupFlag({ flag, rows, span }: FlagRows, grouping: Grouping): UsageRow[] {
  if (rows.length > 0) return groupRows(rows, grouping)
  return [emptyRow(flag, span && hourlyOf([], span))]
}

function inProject(rows: UsageRow[], project: string | undefined): UsageRow[] {
  return project === undefined ? rows : rows.map((row) => ({ ...row, project }))
}

/** Groups by application and environment sum over flags; all others have rows for each flag. */
function groupFlags(flags: readonly FlagRows[], grouping: Grouping): UsageRow[] {
  const acrossFlags = grouping === 'application' || grouping === 'environment'
  return acrossFlags
    ? groupRows(
        flags.flatMap(({ rows }) => rows),
        grouping,
      )
    : flags.flatMap((flag) => inProject(groupFlag(flag, grouping), flag.project))
}

/** Selects flags, then groups, sorts and limits rows. A flag without rows gets one with zeros. */
export function arrangeRows(flags: readonly FlagRows[], view: UsageView) {
  const { groupBy: grouping = 'none', sort, reverse, limit } = view
  const kept = flags.filter((flag) => keepsFlag(flag, view))
  const rows = groupFlags(kept, grouping)
  const byDefault = grouping === 'flag' || grouping === 'none' ? undefined : 'name'
  const key = sort ?? byDefault
  if (key) return firstRows(rows, key === 'name' ? byName : countOrders[key], view)
  const first = (reverse ? rows.toReversed() : rows).slice(0, limit)
  return { rows: first, cut: rows.length - first.length }
}
