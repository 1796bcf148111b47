import type { FeatureUsage, UsageRecord } from '../service/schema.ts'
import { byCodeUnit, largestFirst } from './order.ts'
import { timeOf } from './time.ts'

export interface VariantCount {
  name: string
  count: bigint
}

/**
 * Usage of the last hour: of one flag by one application in one environment, or summed over what is
 * undefined. What the service did not name is undefined too.
 */
export interface UsageRow {
  flag: string | undefined
  application: string | undefined
  environment: string | undefined
  /** Set when rows are grouped by variant: `enabled` is then how often it was selected. */
  variant: string | undefined
  /** When it was reported: the latest timestamp, as the service wrote it. */
  timestamp: string | undefined
  enabled: bigint
  disabled: bigint
  /** Largest first. */
  variants: VariantCount[]
}

/** The later one of two timestamps. */
export function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const [timeA, timeB] = [timeOf(a), timeOf(b)]
  if (timeA === undefined || timeB === undefined) return a > b ? a : b
  return timeA >= timeB ? a : b
}

function sortVariants(variants: readonly VariantCount[]): VariantCount[] {
  return variants.toSorted((x, y) => largestFirst(x.count, y.count) || byCodeUnit(x.name, y.name))
}

function addVariants(a: readonly VariantCount[], b: readonly VariantCount[]): VariantCount[] {
  const sums = new Map<string, bigint>()
  for (const { name, count } of [...a, ...b]) sums.set(name, (sums.get(name) ?? 0n) + count)
  return sortVariants([...sums].map(([name, count]) => ({ name, count })))
}

function rowOf(record: UsageRecord, flag: string): UsageRow {
  return {
    flag,
    application: record.appName ?? undefined,
    environment: record.environment ?? undefined,
    variant: undefined,
    timestamp: record.timestamp ?? undefined,
    enabled: record.yes ?? 0n,
    disabled: record.no ?? 0n,
    variants: sortVariants(record.variants ?? []),
  }
}

/** Two rows as one: what they count is added up. */
export function mergeRows(a: UsageRow, b: UsageRow): UsageRow {
  return {
    ...a,
    timestamp: later(a.timestamp, b.timestamp),
    enabled: a.enabled + b.enabled,
    disabled: a.disabled + b.disabled,
    variants: addVariants(a.variants, b.variants),
  }
}

/**
 * The rows of a usage document: one for each application and environment, whose records are added
 * up, sorted by environment, then application, by code unit.
 * @param flag the name that was asked for
 */
export function usageRows(usage: FeatureUsage, flag: string): UsageRow[] {
  const rows = new Map<string, UsageRow>()
  for (const record of usage.lastHourUsage) {
    const row = rowOf(record, flag)
    const key = JSON.stringify([row.environment ?? null, row.application ?? null])
    const other = rows.get(key)
    rows.set(key, other ? mergeRows(other, row) : row)
  }
  return [...rows.values()].sort(
    (a, b) =>
      byCodeUnit(a.environment ?? '', b.environment ?? '') ||
      byCodeUnit(a.application ?? '', b.application ?? ''),
  )
}

/** Whether rows count anything at all; counts that cancel each other out are usage too. */
export function isUsed(rows: readonly UsageRow[]): boolean {
  return rows.some(
    ({ enabled, disabled, variants }) =>
      enabled !== 0n || disabled !== 0n || variants.some(({ count }) => count !== 0n),
  )
}

/** The sums over rows. */
export function usageTotals(rows: readonly UsageRow[]): { enabled: bigint; disabled: bigint } {
  let [enabled, disabled] = [0n, 0n]
  for (const row of rows) {
    enabled += row.enabled
    disabled += row.disabled
  }
  return { enabled, disabled }
}

/**
 * The enabled share in tenths of a percent, 0 to 1000; undefined when nothing was counted.
 * Only all is 1000 and only none is 0, whatever rounding would say.
 */
export function enabledShare({
  enabled,
  disabled,
}: {
  enabled: bigint
  disabled: bigint
}): number | undefined {
  const total = enabled + disabled
  if (total <= 0n || enabled < 0n || disabled < 0n) return undefined
  if (enabled === total) return 1000
  if (enabled === 0n) return 0
  const rounded = Number((enabled * 1000n + total / 2n) / total)
  return Math.min(999, Math.max(1, rounded))
}
