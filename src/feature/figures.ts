import { groupBy } from '../groups.ts'
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

/** The usage of a flag that the filters keep. */
export interface FlagRecords {
  flag: string
  project: string | undefined
  records: readonly UsageRecord[]
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
  /** The evaluations in each hour. */
  hours: ReadonlyMap<number, number>
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

/** How often each variant was selected, the largest count first. */
export function sumVariants(all: readonly (readonly VariantCount[])[]): VariantCount[] {
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

/** A record with its flag. */
interface Item extends UsageRecord, Pick<UsageRow, 'project' | 'flag' | 'variant' | 'bucket'> {}

function latestText(items: readonly Item[]): string | undefined {
  const time = latest(items.map((item) => item.time))
  const last = items.find((item) => time !== undefined && item.time === time)
  return (last ?? items.find(({ timestamp }) => timestamp !== undefined))?.timestamp
}

function rowOf(items: readonly [Item, ...Item[]]): UsageRow {
  const [{ project, flag, application, environment, variant, bucket }] = items
  const total = totalOf(items)
  const hours = new Map<number, number>()
  for (const { time, enabled, disabled } of items) {
    if (time !== undefined) hours.set(time, (hours.get(time) ?? 0) + enabled + disabled)
  }
  return {
    ...{ project, flag, application, environment, variant, bucket, ...total, hours },
    timestamp: latestText(items),
    lastUsed: latest(items.filter(isUsed).map(({ time }) => time)),
    share: variant === undefined ? shareOf(total) : undefined,
    variants: sumVariants(items.map(({ variants }) => variants)),
  }
}

const DAY_MS = 24 * HOUR_MS

/** The records of a flag, as items of the rows that they are added up to. */
function itemsOf(
  { flag, project, records }: FlagRecords,
  { groupBy: grouping, by }: UsageView,
): Item[] {
  const hasVariants = records.some(({ variants }) => variants.length > 0)
  return records.flatMap((record): Item[] => {
    const size = by === 'day' ? DAY_MS : HOUR_MS
    const { time, application, environment } = record
    const bucket = by && time !== undefined ? time - (time % size) : undefined
    const item: Item = { ...record, flag, project, variant: undefined, bucket }
    const isKept = (part: typeof grouping) => grouping === undefined || grouping === part
    const own = {
      ...item,
      application: isKept('application') ? application : undefined,
      environment: isKept('environment') ? environment : undefined,
    }
    if (grouping === 'application' || grouping === 'environment') {
      return [{ ...own, flag: undefined, project: undefined }]
    }
    // A flag without variants has one row, so that it is not missing.
    if (grouping !== 'variant' || !hasVariants) return [own]
    return record.variants.map(({ name, count }) => {
      return { ...own, variant: name, enabled: count, disabled: 0, variants: [{ name, count }] }
    })
  })
}

/** A row of zeros, for a flag without usage. */
function emptyRow({ flag, project }: FlagRecords): UsageRow {
  const none = { application: undefined, environment: undefined, variant: undefined }
  return {
    ...{ flag, project, ...none, bucket: undefined, timestamp: undefined, lastUsed: undefined },
    ...{ enabled: 0, disabled: 0, share: undefined, variants: [], hours: new Map() },
  }
}

/** The rows of some flags, each flag by environment and application; with the shares of variants. */
function rowsOf(flags: readonly FlagRecords[], view: UsageView): UsageRow[] {
  const items = flags.flatMap((flag) => itemsOf(flag, view))
  const groups = groupBy(items, ({ flag, application, environment, variant, bucket }) =>
    JSON.stringify([flag, application ?? null, environment ?? null, variant ?? null, bucket]),
  )
  const rows = Array.from(groups.values(), rowOf).sort(
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
  return rows
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

/** Selects flags, then adds up, sorts and limits their rows. A flag without usage has a row of zeros. */
export function arrange(flags: readonly FlagRecords[], view: UsageView): Figures {
  const { groupBy: grouping, sort, reverse, limit, used, unused } = view
  const kept = flags.filter(({ records }) => (records.some(isUsed) ? !unused : !used))
  const acrossFlags = grouping === 'application' || grouping === 'environment'
  const rows = acrossFlags
    ? rowsOf(kept, view)
    : kept.flatMap((flag) => {
        const own = rowsOf([flag], view)
        return own.length > 0 ? own : [emptyRow(flag)]
      })
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
