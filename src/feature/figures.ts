import { groupBy } from '../groups.ts'
import { byCodeUnit } from '../output/order.ts'
import { type Counts, latest, totalOf, type UsageRecord, type VariantCount } from './records.ts'
import { HOUR_MS } from './span.ts'

export const groupings = ['application', 'environment', 'flag', 'variant'] as const
export const sortKeys = ['enabled', 'disabled', 'total', 'share', 'name'] as const
export const bucketSizes = ['hour', 'day'] as const

/** How rows are selected and arranged. */
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
  /** The start of the hour or day, in milliseconds since the epoch. */
  bucket: number | undefined
  /** Of the evaluations or, for a variant, of the selections of its flag; undefined if there are none. */
  share: number | undefined
  /** The evaluations in each hour of the span, as far as there are any. */
  hours: readonly number[]
}

/** The rows of a flag. */
export interface FlagRows {
  isUsed: boolean
  rows: readonly UsageRow[]
}

/** Rows to show, and the sums of all rows. */
export interface Figures {
  rows: UsageRow[]
  /** How many more there are beyond the limit. */
  cut: number
  total: Counts
  /** The part of the total in which flags were on; undefined for variants, whose shares are of their flags. */
  share: number | undefined
}

/** How often each variant was selected, by name. */
export function sumVariants(variants: readonly VariantCount[]): VariantCount[] {
  const sums = new Map<string, number>()
  for (const { name, count } of variants) sums.set(name, (sums.get(name) ?? 0) + count)
  const summed = Array.from(sums, ([name, count]) => ({ name, count }))
  return summed.sort((a, b) => byCodeUnit(a.name, b.name))
}

/** The part of counts in which flags were on; undefined if nothing was counted, or a count is negative. */
function shareOf({ enabled, disabled }: Counts): number | undefined {
  const whole = enabled + disabled
  return whole > 0 && enabled >= 0 && disabled >= 0 ? enabled / whole : undefined
}

function sumOf(rows: readonly [UsageRow, ...UsageRow[]]): UsageRow {
  const [first] = rows
  if (rows.length === 1) return first
  const time = latest(rows.map((row) => row.time))
  const hours: number[] = []
  for (const row of rows) {
    row.hours.forEach((count, hour) => {
      hours[hour] = (hours[hour] ?? 0) + count
    })
  }
  const { timestamp } = rows.find((row) => row.time === time) ?? first
  const variants = sumVariants(rows.flatMap((row) => row.variants))
  return { ...first, ...totalOf(rows), time, timestamp, variants, hours }
}

/** Adds up the rows with the same key. */
export function addUp(
  rows: readonly UsageRow[],
  keyOf: (row: UsageRow) => string = ({ application, environment, variant, bucket }) =>
    JSON.stringify([application, environment, variant, bucket]),
): UsageRow[] {
  return Array.from(groupBy(rows, keyOf).values(), sumOf)
}

const DAY_MS = 24 * HOUR_MS
// As many as there are in a graph of a span.
const MAX_HOURS = 50

/** The flag of rows, and its project if that is known. */
export interface Subject {
  flag: string
  project: string | undefined
}

/** A record as a row, with only the names that rows are grouped by. */
function rowOf(
  record: UsageRecord,
  { flag, project }: Subject,
  { groupBy: grouping, by }: UsageView,
  firstHour: number | undefined,
): UsageRow {
  const { application, environment, time, timestamp, enabled, disabled, variants } = record
  const size = by === 'day' ? DAY_MS : HOUR_MS
  const isOfFlag = grouping !== 'application' && grouping !== 'environment'
  const hours: number[] = []
  const hour = Math.floor(((time ?? Number.NaN) - (firstHour ?? Number.NaN)) / HOUR_MS)
  if (hour >= 0 && hour < MAX_HOURS && by === undefined) hours[hour] = enabled + disabled
  return {
    project: isOfFlag ? project : undefined,
    flag: isOfFlag ? flag : undefined,
    application: grouping === undefined || grouping === 'application' ? application : undefined,
    environment: grouping === undefined || grouping === 'environment' ? environment : undefined,
    variant: grouping === 'variant' ? variants[0]?.name : undefined,
    bucket: by && time !== undefined ? time - (time % size) : undefined,
    ...{ enabled, disabled, share: undefined, time, timestamp, variants, hours },
  }
}

/** Stands for the usage of a flag without any, so that it has a row. */
const noUsage: UsageRecord = {
  ...{ application: undefined, environment: undefined, time: undefined, timestamp: undefined },
  ...{ enabled: 0, disabled: 0, variants: [] },
}

/**
 * Adds up the records of a flag.
 * @param firstHour the start of the first hour of the span; undefined for the current hour
 */
export function rowsOf(
  records: readonly UsageRecord[],
  subject: Subject,
  view: UsageView,
  firstHour: number | undefined,
): UsageRow[] {
  const { groupBy: grouping } = view
  const isEmpty = records.length === 0 && grouping !== 'application' && grouping !== 'environment'
  const all = isEmpty ? [noUsage] : records
  // A flag without variants has one row, so that it is not missing.
  const isByVariant = grouping === 'variant' && all.some(({ variants }) => variants.length > 0)
  const parts = isByVariant ? all.flatMap(selections) : all
  const rows = addUp(parts.map((record) => rowOf(record, subject, view, firstHour)))
  for (const own of isByVariant ? groupBy(rows, ({ bucket }) => bucket).values() : []) {
    const { enabled } = totalOf(own)
    for (const row of own) row.share = enabled > 0 ? row.enabled / enabled : undefined
  }
  return rows.sort(
    (a, b) =>
      byText(a.environment, b.environment) ||
      byText(a.application, b.application) ||
      (a.bucket ?? 0) - (b.bucket ?? 0),
  )
}

/** A record for each variant, with how often it was selected. */
function selections(record: UsageRecord): UsageRecord[] {
  return record.variants.map((one) => {
    return { ...record, enabled: one.count, disabled: 0, variants: [one] }
  })
}

/** A missing name comes before an empty one. */
function byText(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  return byCodeUnit(a, b)
}

/** Orders of rows, counts from the largest down. */
const orders: Record<(typeof sortKeys)[number], (a: UsageRow, b: UsageRow) => number> = {
  enabled: (a, b) => b.enabled - a.enabled,
  disabled: (a, b) => b.disabled - a.disabled,
  total: (a, b) => b.enabled + b.disabled - a.enabled - a.disabled,
  share: (a, b) => (b.share ?? -1) - (a.share ?? -1),
  name: (a, b) =>
    byText(a.application, b.application) ||
    byText(a.environment, b.environment) ||
    byText(a.variant, b.variant) ||
    byText(a.flag, b.flag) ||
    (a.bucket ?? 0) - (b.bucket ?? 0),
}

/** Selects flags, then sorts and limits their rows. */
export function arrange(flags: readonly FlagRows[], view: UsageView): Figures {
  const { groupBy: grouping, sort, reverse, limit, used, unused } = view
  const kept = flags.filter(({ isUsed }) => (isUsed ? !unused : !used))
  const rows =
    grouping === 'application' || grouping === 'environment'
      ? addUp(kept.flatMap((flag) => flag.rows))
      : kept.flatMap((flag) => flag.rows)
  if (grouping !== 'variant') for (const row of rows) row.share = shareOf(row)
  const key = sort ?? (grouping === undefined || grouping === 'flag' ? undefined : 'name')
  // Sorting is stable, so that equal rows keep their order.
  if (key) rows.sort(orders[key])
  if (reverse) rows.reverse()
  const total = totalOf(rows)
  const share = grouping === 'variant' ? undefined : shareOf(total)
  const shown = rows.slice(0, limit)
  return { rows: shown, cut: rows.length - shown.length, total, share }
}
