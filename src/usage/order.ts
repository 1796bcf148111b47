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

/** Order of two rows by their exact shares; rows without a share come last. */
function byShare(a: UsageRow, b: UsageRow): number {
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
  return 0
}

const orders: Record<SortKey, (a: UsageRow, b: UsageRow) => number> = {
  enabled: (a, b) => largestFirst(a.enabled, b.enabled),
  disabled: (a, b) => largestFirst(a.disabled, b.disabled),
  total: (a, b) => largestFirst(a.enabled + a.disabled, b.enabled + b.disabled),
  share: byShare,
  name: byName,
}

/** Rows by a key, counts from the largest down; equal rows keep their order. */
export function sortRows(rows: readonly UsageRow[], key: SortKey, reverse: boolean): UsageRow[] {
  const order = orders[key]
  return rows.toSorted((a, b) => (reverse ? order(b, a) : order(a, b)))
}
