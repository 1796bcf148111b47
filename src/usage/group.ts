import { type Counts, mergeRows, type UsageRow } from './rows.ts'

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

/**
 * A row for each variant of a flag, over all applications and environments; if it has none, one row for
 * the flag, which would be missing otherwise.
 */
function byVariant(rows: readonly UsageRow[]): UsageRow[] {
  const selections = rows.flatMap(variantsOf)
  return selections.length > 0
    ? mergeRows(selections, ({ variant }) => variant)
    : sumBy(rows, 'flag')
}

/**
 * How often the variant of each row was selected (`enabled`) and how often another one of its flag
 * (`disabled`); undefined if the rows are not grouped by variant.
 */
export function selectionsOf(rows: readonly UsageRow[]): Counts[] | undefined {
  if (rows.every(({ variant }) => variant === undefined)) return undefined
  const selected = rows.map(({ variant, enabled }) => (variant === undefined ? 0n : enabled))
  const ofFlag = new Map<string | undefined, bigint>()
  for (const [index, { flag }] of rows.entries()) {
    ofFlag.set(flag, (ofFlag.get(flag) ?? 0n) + (selected[index] ?? 0n))
  }
  return rows.map(({ flag }, index) => {
    const enabled = selected[index] ?? 0n
    return { enabled, disabled: (ofFlag.get(flag) ?? 0n) - enabled }
  })
}

/** Adds rows up by a part, by `variant` those of one flag; with `none` they stay as they are. */
export function groupRows(rows: readonly UsageRow[], grouping: Grouping): UsageRow[] {
  if (grouping === 'none') return [...rows]
  return grouping === 'variant' ? byVariant(rows) : sumBy(rows, grouping)
}
