import type { UsageFilter } from './filter.ts'
import { type Grouping, groupRows } from './group.ts'
import { type SortKey, sortRows } from './order.ts'
import { emptyRow, isUsed, type UsageRow } from './rows.ts'

/** How rows are selected and arranged before they are shown. */
export interface Shape extends UsageFilter {
  /** Which flags to show; undefined for all. */
  usage: 'used' | 'unused' | undefined
  grouping: Grouping
  /** Undefined for the given order; groups other than flags are then sorted by name. */
  sort: SortKey | undefined
  reverse: boolean
  /** How many rows to keep; undefined for all. */
  limit: number | undefined
}

/** The rows of a flag that the filters keep. */
export interface FlagRows {
  flag: string
  rows: readonly UsageRow[]
}

export interface ShapedRows {
  rows: UsageRow[]
  /** How many more rows there are beyond the limit. */
  cut: number
}

/** Whether to show a flag. */
export function keepsFlag({ rows }: FlagRows, { usage }: Shape): boolean {
  return usage === undefined || isUsed(rows) === (usage === 'used')
}

function groupFlag({ flag, rows }: FlagRows, grouping: Grouping): UsageRow[] {
  return rows.length === 0 ? [emptyRow(flag)] : groupRows(rows, grouping)
}

/** Groups by application and environment sum over flags; all others have rows for each flag. */
function groupFlags(flags: readonly FlagRows[], grouping: Grouping): UsageRow[] {
  const acrossFlags = grouping === 'application' || grouping === 'environment'
  return acrossFlags
    ? groupRows(
        flags.flatMap(({ rows }) => rows),
        grouping,
      )
    : flags.flatMap((flag) => groupFlag(flag, grouping))
}

/** Selects flags, then groups, sorts and limits rows. A flag without rows gets one with zeros. */
export function shapeRows(flags: readonly FlagRows[], shape: Shape): ShapedRows {
  const { grouping, sort, reverse, limit } = shape
  const kept = flags.filter((flag) => keepsFlag(flag, shape))
  const grouped = groupFlags(kept, grouping)
  const byDefault = grouping === 'flag' || grouping === 'none' ? undefined : 'name'
  const key = sort ?? byDefault
  const sorted = key ? sortRows(grouped, key, reverse) : reverse ? grouped.reverse() : grouped
  const rows = sorted.slice(0, limit)
  return { rows, cut: sorted.length - rows.length }
}
