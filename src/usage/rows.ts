import { timeOf } from '../input/time.ts'
import { groupBy } from '../groups.ts'
import type { Share } from '../old/output/numbers.ts'
import { byCodeUnit } from '../output/order.ts'
import type { FeatureUsage, UsageRecord } from '../service/schema.ts'
import { mergeHourly, type HourlyUsage, type VariantCount } from './hourly.ts'

/**
 * Usage of one flag by one application in one environment, or the sum over the parts that are
 * undefined. A part that the service left out is undefined too.
 */
export interface UsageRow {
  /** The project of the flag, if projects were read. */
  project?: string | undefined
  flag: string | undefined
  application: string | undefined
  environment: string | undefined
  /** Set when rows are grouped by variant: `enabled` is then how often it was selected. */
  variant: string | undefined
  /** The latest timestamp, as the service wrote it. */
  timestamp: string | undefined
  enabled: bigint
  disabled: bigint
  /** Largest first. */
  variants: VariantCount[]
  /** Set for hourly usage. */
  hourly?: HourlyUsage | undefined
}

/** How often flags were enabled and disabled. */
export interface Counts {
  enabled: bigint
  disabled: bigint
}

/** Order of two counts, the larger one first. */
export function largestFirst(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a > b ? -1 : 1
}

/** The later one of two timestamps. */
export function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === b || a === undefined || b === undefined) return a ?? b
  const [timeA, timeB] = [timeOf(a), timeOf(b)]
  if (timeA === undefined || timeB === undefined) return a > b ? a : b
  return timeA >= timeB ? a : b
}

function sortVariants(variants: readonly VariantCount[]): VariantCount[] {
  return variants.toSorted((x, y) => largestFirst(x.count, y.count) || byCodeUnit(x.name, y.name))
}

/** How often each variant was selected in all rows, the largest count first. */
export function sumVariants(rows: readonly Pick<UsageRow, 'variants'>[]): VariantCount[] {
  const sums = new Map<string, bigint>()
  for (const { variants } of rows) {
    for (const { name, count } of variants) sums.set(name, (sums.get(name) ?? 0n) + count)
  }
  return sortVariants(Array.from(sums, ([name, count]) => ({ name, count })))
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

/**
 * The row of a flag without any records.
 * @param hourly for hourly usage
 */
export function emptyRow(flag: string, hourly?: HourlyUsage): UsageRow {
  return { ...rowOf({}, flag), hourly }
}

/** Rows to add up. */
export type RowGroup = [UsageRow, ...UsageRow[]]

/** Adds up a group of rows, with the names of the first one. */
export function mergeGroup(group: RowGroup): UsageRow {
  const [first, ...others] = group
  if (others.length === 0) return first
  return {
    ...first,
    ...usageTotals(group),
    variants: sumVariants(group),
    timestamp: others.reduce((latest, row) => later(latest, row.timestamp), first.timestamp),
    hourly: mergeHourly(group.flatMap(({ hourly }) => hourly ?? [])),
  }
}

/** Adds up rows with the same key; the sums are in the order of their first rows. */
export function mergeRows(
  rows: Iterable<UsageRow>,
  keyOf: (row: UsageRow) => string | undefined,
): UsageRow[] {
  return Array.from(groupBy(rows, keyOf).values(), mergeGroup)
}

/** Order of a name, which may be missing: by code unit, a missing one before an empty one. */
function byOptionalName(a: string | undefined, b: string | undefined): number {
  return byCodeUnit(a ?? '', b ?? '') || Number(a !== undefined) - Number(b !== undefined)
}

/**
 * The records of a usage document as rows, grouped by application and environment. Groups are sorted by
 * environment, then by application, by code unit.
 */
export function recordGroups(usage: FeatureUsage, flag: string): RowGroup[] {
  const rows = usage.lastHourUsage.map((record) => rowOf(record, flag))
  const byEnvironment = groupBy(rows, ({ environment }) => environment)
  const groups = [...byEnvironment.values()].flatMap((group) => [
    ...groupBy(group, ({ application }) => application).values(),
  ])
  return groups.sort(
    ([a], [b]) =>
      byOptionalName(a.environment, b.environment) || byOptionalName(a.application, b.application),
  )
}

/**
 * The rows of a usage document: one for each application and environment, whose records are added up.
 * @param flag the requested name
 */
export function usageRows(usage: FeatureUsage, flag: string): UsageRow[] {
  return recordGroups(usage, flag).map(mergeGroup)
}

/** Whether any count is not zero; counts that cancel each other out are usage too. */
export function isUsed(rows: readonly UsageRow[]): boolean {
  return rows.some(
    ({ enabled, disabled, variants }) =>
      enabled !== 0n || disabled !== 0n || variants.some(({ count }) => count !== 0n),
  )
}

export function evaluations({ enabled, disabled }: Counts): bigint {
  return enabled + disabled
}

export function usageTotals(rows: readonly Counts[]): Counts {
  let [enabled, disabled] = [0n, 0n]
  for (const row of rows) {
    enabled += row.enabled
    disabled += row.disabled
  }
  return { enabled, disabled }
}

/** The enabled share of counts; undefined when nothing was counted or a count is negative. */
export function enabledShare(counts: Counts): Share | undefined {
  const { enabled, disabled } = counts
  const whole = evaluations(counts)
  if (whole <= 0n || enabled < 0n || disabled < 0n) return undefined
  return { part: enabled, whole }
}
