// Adds up records of usage in rows, and arranges the rows of several flags.
import { groupBy } from '../groups.ts'
import { orderBy } from '../output/order.ts'
import {
  type Counts,
  latest,
  totalOf,
  type UsageRecord,
  type VariantCount,
} from '../flags/records.ts'

export const groupings = ['application', 'environment', 'flag', 'variant'] as const
export const sortKeys = ['enabled', 'disabled', 'total', 'share', 'name'] as const
export const bucketSizes = ['hour', 'day'] as const

export interface UsageView {
  groupBy?: (typeof groupings)[number] | undefined
  /** Whether there is a row for each hour or day; undefined for the whole span. */
  by?: (typeof bucketSizes)[number] | undefined
  used?: true | undefined
  unused?: true | undefined
  /** Undefined for the order of the flags; groups other than flags are then sorted by name. */
  sort?: (typeof sortKeys)[number] | undefined
  reverse?: true | undefined
  limit?: number | undefined
}

/** The sum of some records. What they do not share is undefined. */
export interface UsageRow extends UsageRecord {
  project: string | undefined
  flag: string | undefined
  /** Set when rows are grouped by variant: `enabled` is then how often it was selected. */
  variant: string | undefined
  /** The start of the hour or day, in milliseconds since the epoch; without --by, of an hour that is not the current one. */
  bucket: number | undefined
  /** When its usage was last seen, as far as that is known; not for each hour or day. */
  seenAt: number | undefined
  /** Of the evaluations or, for a variant, of the selections of its flag; undefined if there are none. */
  share: number | undefined
}

interface FlagRows {
  rows: readonly UsageRow[]
  isUsed: boolean
  /** Whether it was seen in the span where it has no usage: then it is not known to be unused. */
  isSeen: boolean
}

/** Rows to show, and the sums of all rows. */
export type ArrangedRows = ReturnType<typeof arrange>

/** How often each variant was selected, by name. */
function sumVariants(variants: readonly VariantCount[]): VariantCount[] {
  const sums = new Map<string, number>()
  for (const { name, count } of variants) sums.set(name, (sums.get(name) ?? 0) + count)
  const summed = Array.from(sums, ([name, count]) => ({ name, count }))
  return summed.sort(orderBy(({ name }) => name))
}

/** The part of counts in which flags were on; undefined if nothing was counted, or a count is negative. */
function shareOf({ enabled, disabled }: Counts): number | undefined {
  const whole = enabled + disabled
  return whole > 0 && enabled >= 0 && disabled >= 0 ? enabled / whole : undefined
}

/** The sum of rows with the same names and time. */
function sumOf(rows: readonly [UsageRow, ...UsageRow[]]): UsageRow {
  return {
    ...rows[0],
    ...totalOf(rows),
    time: latest(rows.map(({ time }) => time)),
    seenAt: latest(rows.map(({ seenAt }) => seenAt)),
    variants: sumVariants(rows.flatMap(({ variants }) => variants)),
  }
}

/** The names and the time of a row. Flag and project are left out, because they are the same in all rows that are added up. */
const namesOf = ({ application, environment, variant, bucket }: UsageRow) =>
  JSON.stringify([application, environment, variant, bucket])

/** Adds up the rows with the same key: by default, with the same names and time. */
export function addUp(
  rows: readonly UsageRow[],
  keyOf: (row: UsageRow) => string = namesOf,
): Map<string, UsageRow> {
  const groups = Array.from(groupBy(rows, keyOf))
  return new Map(groups.map(([key, alike]) => [key, alike.length > 1 ? sumOf(alike) : alike[0]]))
}

/** The usage of a flag without any, so that it has a row. */
const noUsage: UsageRecord = {
  application: undefined,
  environment: undefined,
  time: undefined,
  enabled: 0,
  disabled: 0,
  variants: [],
}

/** A record for each variant, with how often it was selected. */
function selections(record: UsageRecord): UsageRecord[] {
  return record.variants.map((variant) => {
    return { ...record, enabled: variant.count, disabled: 0, variants: [variant] }
  })
}

/**
 * Adds up the records of a flag in rows with only the names that they are grouped by.
 * @param bucketOf returns the hour or day by which rows are separate
 */
export function rowsOf(
  records: readonly UsageRecord[],
  flag: string,
  project: string | undefined,
  { groupBy: grouping }: UsageView,
  bucketOf: (time: number) => number | undefined,
): UsageRow[] {
  const isAcross = grouping === 'application' || grouping === 'environment'
  const all = records.length === 0 && !isAcross ? [noUsage] : records
  // A flag without variants has one row, so that it is not missing.
  const isByVariant = grouping === 'variant' && all.some(({ variants }) => variants.length > 0)
  const parts = isByVariant ? all.flatMap(selections) : all
  const separate = parts.map(
    ({ application, environment, time, enabled, disabled, variants }): UsageRow => ({
      project: isAcross ? undefined : project,
      flag: isAcross ? undefined : flag,
      application: grouping === undefined || grouping === 'application' ? application : undefined,
      environment: grouping === undefined || grouping === 'environment' ? environment : undefined,
      variant: grouping === 'variant' ? variants[0]?.name : undefined,
      bucket: time === undefined ? undefined : bucketOf(time),
      seenAt: undefined,
      enabled,
      disabled,
      share: undefined,
      time,
      variants,
    }),
  )
  const rows = [...addUp(separate).values()].sort(byName)
  const buckets = isByVariant ? groupBy(rows, ({ bucket }) => bucket).values() : []
  for (const bucketRows of buckets) {
    const { enabled } = totalOf(bucketRows)
    for (const row of bucketRows) row.share = enabled > 0 ? row.enabled / enabled : undefined
  }
  return rows
}

const byName = orderBy<UsageRow>(
  ({ flag }) => flag,
  ({ environment }) => environment,
  ({ application }) => application,
  ({ variant }) => variant,
  ({ bucket }) => bucket,
)

/** Orders of rows, counts from the largest down. */
const orders = {
  enabled: orderBy<UsageRow>(({ enabled }) => -enabled),
  disabled: orderBy<UsageRow>(({ disabled }) => -disabled),
  total: orderBy<UsageRow>(({ enabled, disabled }) => -enabled - disabled),
  share: orderBy<UsageRow>(({ share = -1 }) => -share),
  name: byName,
}

export function arrange(
  flags: readonly FlagRows[],
  { groupBy: grouping, sort, reverse, limit, used, unused }: UsageView,
) {
  const kept = flags.filter(({ isUsed, isSeen }) => {
    return isUsed ? !unused : !used && !(unused && isSeen)
  })
  const all = kept.flatMap((flag) => flag.rows)
  const rows =
    grouping === 'application' || grouping === 'environment' ? [...addUp(all).values()] : all
  if (grouping !== 'variant') for (const row of rows) row.share = shareOf(row)
  const key = sort ?? (grouping === undefined || grouping === 'flag' ? undefined : 'name')
  // Sorting is stable, so that equal rows keep their order.
  if (key) rows.sort(orders[key])
  if (reverse) rows.reverse()
  const shown = rows.slice(0, limit)
  const total = totalOf(rows)
  return {
    rows: shown,
    /** How many more there are beyond the limit. */
    beyondLimit: rows.length - shown.length,
    total,
    /** The part of the total in which flags were on; undefined for variants, whose shares are of their flags. */
    share: grouping === 'variant' ? undefined : shareOf(total),
  }
}
