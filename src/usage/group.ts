import { mergeRows, type UsageRow } from './rows.ts'

export const groupings = ['application', 'environment', 'flag', 'variant', 'none'] as const
export type Grouping = (typeof groupings)[number]

/** Sums rows that have the same name in one part; the other parts become undefined. */
function sumBy(rows: readonly UsageRow[], part: 'application' | 'environment'): UsageRow[] {
  const groups = new Map<string | undefined, UsageRow>()
  for (const row of rows) {
    const reduced: UsageRow = {
      ...row,
      flag: undefined,
      application: undefined,
      environment: undefined,
      [part]: row[part],
    }
    const other = groups.get(row[part])
    groups.set(row[part], other ? mergeRows(other, reduced) : reduced)
  }
  return [...groups.values()]
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
  const groups = new Map<string, UsageRow>()
  for (const row of rows.flatMap(variantsOf)) {
    const key = JSON.stringify([row.flag, row.variant])
    const other = groups.get(key)
    groups.set(key, other ? mergeRows(other, row) : row)
  }
  return [...groups.values()]
}

/** Sums rows as asked for; by flag or not at all, they stay as they are. */
export function groupRows(rows: readonly UsageRow[], grouping: Grouping): UsageRow[] {
  if (grouping === 'variant') return byVariant(rows)
  if (grouping === 'application' || grouping === 'environment') return sumBy(rows, grouping)
  return [...rows]
}
