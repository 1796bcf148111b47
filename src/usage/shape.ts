import { createFilter, type UsageFilter } from './filter.ts'
import { type Grouping, groupRows } from './group.ts'
import { type SortKey, sortRows } from './order.ts'
import type { UsageRow } from './rows.ts'

/** How rows are cut and shaped before they are shown. */
export interface Shape extends UsageFilter {
  grouping: Grouping
  /** Undefined for the order that the rows have; groups are then sorted by name. */
  sort: SortKey | undefined
  reverse: boolean
  /** How many rows to keep; undefined for all. */
  limit: number | undefined
}

export interface ShapedRows {
  rows: UsageRow[]
  /** How many more there are that the limit cuts off. */
  cut: number
}

/** Filters, groups, sorts and limits rows, in that order. */
export function shapeRows(rows: readonly UsageRow[], shape: Shape): ShapedRows {
  const { grouping, sort, reverse, limit } = shape
  const grouped = groupRows(createFilter(shape)(rows), grouping)
  const byDefault = grouping === 'flag' || grouping === 'none' ? undefined : 'name'
  const key = sort ?? byDefault
  const sorted = key ? sortRows(grouped, key, reverse) : reverse ? grouped.reverse() : grouped
  const kept = sorted.slice(0, limit)
  return { rows: kept, cut: sorted.length - kept.length }
}
