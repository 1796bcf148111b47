import { mergeRows, type UsageRow } from './rows.ts'

export const groupings = ['application', 'environment', 'flag', 'variant', 'none'] as const
export type Grouping = (typeof groupings)[number]

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
  return mergeRows(reduced, (row) => row[part])
}

function variantsOf(row: UsageRow): UsageRow[] {
  return row.variants.map(({ name, count }) => ({
    ...row,
    application: undefined,
    environment: undefined,
    variant: name,
    enabled: count,
    disabled: 0n,
    variants: [{ name, count }],
  }))
}

/** A row for each variant of each flag, over all applications and environments. */
function byVariant(rows: readonly UsageRow[]): UsageRow[] {
  return mergeRows(rows.flatMap(variantsOf), ({ flag, variant }) => JSON.stringify([flag, variant]))
}

/** Adds rows up by a part; with `none` they stay as they are. */
export function groupRows(rows: readonly UsageRow[], grouping: Grouping): UsageRow[] {
  if (grouping === 'none') return [...rows]
  return grouping === 'variant' ? byVariant(rows) : sumBy(rows, grouping)
}
