import { enabledShare, type UsageRow } from './rows.ts'

export const sortKeys = ['enabled', 'disabled', 'total', 'share', 'name'] as const
export type SortKey = (typeof sortKeys)[number]

/** Order of two texts by code unit: the same everywhere, whatever the locale. */
export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Order of two counts, the larger one first. */
export function largestFirst(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a > b ? -1 : 1
}

function shareOf(row: UsageRow): bigint {
  return BigInt(enabledShare(row) ?? -1)
}

function byName(a: UsageRow, b: UsageRow): number {
  const parts = ['application', 'environment', 'variant', 'flag'] as const
  for (const part of parts) {
    const order = byCodeUnit(a[part] ?? '', b[part] ?? '')
    if (order !== 0) return order
  }
  return 0
}

const orders: Record<SortKey, (a: UsageRow, b: UsageRow) => number> = {
  enabled: (a, b) => largestFirst(a.enabled, b.enabled),
  disabled: (a, b) => largestFirst(a.disabled, b.disabled),
  total: (a, b) => largestFirst(a.enabled + a.disabled, b.enabled + b.disabled),
  share: (a, b) => largestFirst(shareOf(a), shareOf(b)),
  name: byName,
}

/** Rows by a key, counts from the largest down; rows that are alike stay in the order they had. */
export function sortRows(rows: readonly UsageRow[], key: SortKey, reverse: boolean): UsageRow[] {
  const order = orders[key]
  return rows.toSorted((a, b) => (reverse ? order(b, a) : order(a, b)))
}
