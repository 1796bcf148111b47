import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import {
  type Counts,
  isUsed,
  latest,
  totalOf,
  type UsageRecord,
  type VariantCount,
} from './records.ts'
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

/** The usage of a flag, added up: the records of many flags would not fit into memory. */
export interface FlagRows {
  flag: string
  project: string | undefined
  isUsed: boolean
  rows: readonly UsageRow[]
}

/** The sum of some records. What they do not share is undefined. */
export interface UsageRow extends Counts {
  project: string | undefined
  flag: string | undefined
  application: string | undefined
  environment: string | undefined
  /** Set when rows are grouped by variant: `enabled` is then how often it was selected. */
  variant: string | undefined
  /** The start of the hour or day, in milliseconds since the epoch. */
  bucket: number | undefined
  /** The latest time of a record, as the service wrote it. */
  timestamp: string | undefined
  /** The start of the last hour with usage. */
  lastUsed: number | undefined
  /** Of the evaluations or, for a variant, of the selections of its flag; undefined if there are none. */
  share: number | undefined
  /** Largest first. */
  variants: readonly VariantCount[]
  /** The evaluations in each hour of the span, as far as there are any. */
  hours: readonly number[]
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

function byText(a: string | undefined, b: string | undefined): number {
  // A missing name comes before an empty one.
  if (a === b) return 0
  return a === undefined || (b !== undefined && a < b) ? -1 : 1
}

const none: readonly VariantCount[] = []

/** How often each variant was selected, the largest count first. */
export function sumVariants(all: readonly (readonly VariantCount[])[]): readonly VariantCount[] {
  // Most flags have no variants.
  if (all.every(({ length }) => length === 0)) return none
  const sums = new Map<string, number>()
  for (const { name, count } of all.flat()) sums.set(name, (sums.get(name) ?? 0) + count)
  const variants = Array.from(sums, ([name, count]) => ({ name, count }))
  return variants.sort((a, b) => b.count - a.count || byText(a.name, b.name))
}

/** The part of counts in which flags were on; undefined if nothing was counted, or a count is negative. */
function shareOf({ enabled, disabled }: Counts): number | undefined {
  const whole = enabled + disabled
  return whole > 0 && enabled >= 0 && disabled >= 0 ? enabled / whole : undefined
}

/** Records that become a row, and what they share. */
interface Group extends Pick<UsageRow, 'application' | 'environment' | 'variant' | 'bucket'> {
  records: UsageRecord[]
}

// Without spreads of objects, which take a second for 100,000 rows.
function rowOf(
  { records, application, environment, variant, bucket }: Group,
  { flag, project }: Pick<UsageRow, 'flag' | 'project'>,
  firstHour: number,
): UsageRow {
  const { enabled, disabled } = totalOf(records)
  const hours: number[] = []
  let lastUsed: number | undefined
  for (const record of records) {
    const { time } = record
    if (time === undefined) continue
    const hour = Math.floor((time - firstHour) / HOUR_MS)
    const count = record.enabled + record.disabled
    if (hour >= 0 && hour < MAX_HOURS) hours[hour] = (hours[hour] ?? 0) + count
    if (isUsed(record) && time > (lastUsed ?? time - 1)) lastUsed = time
  }
  return {
    project,
    flag,
    application,
    environment,
    variant,
    bucket,
    enabled,
    disabled,
    timestamp: later(records.map(({ timestamp }) => timestamp)),
    lastUsed,
    share: variant === undefined ? shareOf({ enabled, disabled }) : undefined,
    variants: sumVariants(records.map(({ variants }) => variants)),
    hours,
  }
}

/** The latest timestamp, as the service wrote it. */
function later(timestamps: readonly (string | undefined)[]): string | undefined {
  if (timestamps.length === 1) return timestamps[0]
  return timestamps.reduce(
    (a, b) => ((timeOf(b) ?? 0) > (timeOf(a) ?? 0) ? b : (a ?? b)),
    undefined,
  )
}

/** The sum of rows of several flags. */
function merged(rows: readonly [UsageRow, ...UsageRow[]]): UsageRow {
  const [first] = rows
  const total = totalOf(rows)
  const length = rows.reduce((most, { hours }) => Math.max(most, hours.length), 0)
  const hours = Array.from({ length }, (_, hour) =>
    rows.reduce((sum, row) => sum + (row.hours[hour] ?? 0), 0),
  )
  return {
    ...{ ...first, ...total, hours, share: shareOf(total) },
    timestamp: later(rows.map(({ timestamp }) => timestamp)),
    lastUsed: latest(rows.map(({ lastUsed }) => lastUsed)),
    variants: sumVariants(rows.map(({ variants }) => variants)),
  }
}

// As many as there are in a graph of a span.
const MAX_HOURS = 50
const DAY_MS = 24 * HOUR_MS

/** A text that differs for different names and buckets. */
function keyOf({ application, environment, variant, bucket }: Omit<Group, 'records'>): string {
  const part = (name: string | undefined) => (name === undefined ? '-' : `${name.length}:${name}`)
  return `${part(application)} ${part(environment)} ${part(variant)} ${bucket}`
}

/** The records of a flag by the rows that they are added up to. */
function groupsOf(
  records: readonly UsageRecord[],
  { groupBy: grouping, by }: UsageView,
): Iterable<Group> {
  const hasVariants = grouping === 'variant' && records.some(({ variants }) => variants.length > 0)
  const size = by === 'day' ? DAY_MS : HOUR_MS
  const groups = new Map<string, Group>()
  const add = (shared: Omit<Group, 'records'>, record: UsageRecord) => {
    const key = keyOf(shared)
    const group = groups.get(key)
    if (group) group.records.push(record)
    else groups.set(key, { ...shared, records: [record] })
  }
  for (const record of records) {
    const { time, application, environment, variants } = record
    const shared = {
      application: grouping === undefined || grouping === 'application' ? application : undefined,
      environment: grouping === undefined || grouping === 'environment' ? environment : undefined,
      variant: undefined,
      bucket: by && time !== undefined ? time - (time % size) : undefined,
    }
    // A flag without variants has one row, so that it is not missing.
    if (!hasVariants) add(shared, record)
    else {
      for (const one of variants) {
        const counts = { enabled: one.count, disabled: 0, variants: [one] }
        add({ ...shared, variant: one.name }, { ...record, ...counts })
      }
    }
  }
  return groups.values()
}

/** A row of zeros, for a flag without usage. */
function emptyRow({ flag, project }: FlagRows): UsageRow {
  const none = { application: undefined, environment: undefined, variant: undefined }
  return {
    ...{ flag, project, ...none, bucket: undefined, timestamp: undefined, lastUsed: undefined },
    ...{ enabled: 0, disabled: 0, share: undefined, variants: [], hours: [] },
  }
}

/**
 * Adds up the records of a flag, by environment and application.
 * @param firstHour the start of the first hour of the span
 */
export function rowsOf(
  flag: string,
  project: string | undefined,
  records: readonly UsageRecord[],
  view: UsageView,
  firstHour = 0,
): FlagRows {
  const isAcross = view.groupBy === 'application' || view.groupBy === 'environment'
  const names = isAcross ? { flag: undefined, project: undefined } : { flag, project }
  const groups = groupsOf(records, view)
  const rows = Array.from(groups, (group) => rowOf(group, names, firstHour)).sort(
    (a, b) =>
      byText(a.environment, b.environment) ||
      byText(a.application, b.application) ||
      (a.bucket ?? 0) - (b.bucket ?? 0),
  )
  const variants = groupBy(
    rows.filter(({ variant }) => variant !== undefined),
    ({ bucket }) => bucket,
  )
  for (const own of variants.values()) {
    const { enabled } = totalOf(own)
    for (const row of own) row.share = enabled > 0 ? row.enabled / enabled : undefined
  }
  return { flag, project, isUsed: records.some(isUsed), rows }
}

function byName(a: UsageRow, b: UsageRow): number {
  return (
    byText(a.application, b.application) ||
    byText(a.environment, b.environment) ||
    byText(a.variant, b.variant) ||
    byText(a.flag, b.flag) ||
    (a.bucket ?? 0) - (b.bucket ?? 0)
  )
}

/** Orders of rows, counts from the largest down. */
const orders: Record<(typeof sortKeys)[number], (a: UsageRow, b: UsageRow) => number> = {
  enabled: (a, b) => b.enabled - a.enabled,
  disabled: (a, b) => b.disabled - a.disabled,
  total: (a, b) => b.enabled + b.disabled - a.enabled - a.disabled,
  share: (a, b) => (b.share ?? -1) - (a.share ?? -1),
  name: byName,
}

/** Selects flags, then sorts and limits their rows. A flag without usage has a row of zeros. */
export function arrange(flags: readonly FlagRows[], view: UsageView): Figures {
  const { groupBy: grouping, sort, reverse, limit, used, unused } = view
  const kept = flags.filter((flag) => (flag.isUsed ? !unused : !used))
  const rows =
    grouping === 'application' || grouping === 'environment'
      ? Array.from(
          groupBy(
            kept.flatMap((flag) => flag.rows),
            keyOf,
          ).values(),
          merged,
        )
      : kept.flatMap((flag) => (flag.rows.length > 0 ? flag.rows : [emptyRow(flag)]))
  const key = sort ?? (grouping === undefined || grouping === 'flag' ? undefined : 'name')
  // Sorting is stable, so that equal rows keep their order.
  const sorted = key ? rows.sort(orders[key]) : rows
  const ordered = reverse ? sorted.reverse() : sorted
  const shown = ordered.slice(0, limit)
  const total = totalOf(rows)
  const share = grouping === 'variant' ? undefined : shareOf(total)
  return { rows: shown, cut: ordered.length - shown.length, total, share }
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Counts over time as a line of at most this many small bars. */
export function sparkline(counts: readonly number[], length: number): string {
  const size = Math.ceil(counts.length / length)
  const sums: number[] = []
  for (let end = counts.length; end > 0; end -= size) {
    const part = counts.slice(Math.max(0, end - size), end)
    sums.unshift(part.reduce((sum, count) => sum + count, 0))
  }
  const most = Math.max(1, ...sums)
  const top = levels.length - 1
  return sums.map((sum) => levels[Math.ceil((Math.max(0, sum) * top) / most)]).join('')
}
