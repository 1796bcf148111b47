import { timeOf } from '../input/time.ts'
import { groupBy } from '../groups.ts'
import type { ServiceDocument } from '../service/client.ts'
import type { FeatureUsage } from '../service/schema.ts'
import { type HourCount, type HourlyUsage, latest, sumHours } from './hourly.ts'
import {
  evaluations,
  isUsed,
  mergeGroup,
  recordGroups,
  type RowGroup,
  type UsageRow,
  usageRows,
} from './rows.ts'
import type { Span } from './span.ts'
import { HOUR_MS } from './time.ts'
import type { BucketSize, UsageView } from './view.ts'

/** The usage of a flag. Hourly usage has the form of that of the current clock hour; only its JSON is as the service sent it. */
export interface UsageDocument extends ServiceDocument<FeatureUsage> {
  /** The span of the records in `lastHourUsage` if they are hourly usage. */
  span?: Span
}

const BUCKET_MS: Record<BucketSize, number> = { hour: HOUR_MS, day: 24 * HOUR_MS }

/** How rows of hourly usage are arranged, as far as that matters before they are filtered. */
type HourlyView = Pick<UsageView, 'by' | 'groupBy'>

interface DatedRow {
  time: number
  row: UsageRow
}

function hourCount({ time }: DatedRow, count: bigint): HourCount {
  return [Math.floor(time / HOUR_MS), Number(count)]
}

/** When each variant was selected. */
function variantHours(rows: readonly DatedRow[]): HourlyUsage['variants'] {
  const selections = rows.flatMap((dated) =>
    dated.row.variants.map(({ name, count }) => ({ name, hour: hourCount(dated, count) })),
  )
  const byName = groupBy(selections, ({ name }) => name)
  return new Map(Array.from(byName, ([name, own]) => [name, sumHours(own.map(({ hour }) => hour))]))
}

/** When rows were used. */
export function hourlyOf(
  all: readonly UsageRow[],
  { from, to }: Span,
  view: HourlyView = {},
  bucket?: number,
): HourlyUsage {
  const rows = all.flatMap((row): DatedRow[] => {
    const time = timeOf(row.timestamp)
    return time === undefined ? [] : [{ time, row }]
  })
  return {
    from,
    to,
    bucket,
    lastUsed: latest(rows.filter(({ row }) => isUsed([row])).map(({ time }) => time)),
    hours: sumHours(rows.map((dated) => hourCount(dated, evaluations(dated.row)))),
    ...(view.groupBy === 'variant' && { variants: variantHours(rows) }),
  }
}

/** The rows of a group in each hour or day, the oldest first; all together without a size. */
function inBuckets(
  group: RowGroup,
  size: BucketSize | undefined,
): [number | undefined, RowGroup][] {
  if (size === undefined) return [[undefined, group]]
  const buckets = groupBy(group, ({ timestamp }) => {
    const time = timeOf(timestamp)
    return time === undefined ? undefined : time - (time % BUCKET_MS[size])
  })
  return [...buckets].sort(([a = 0], [b = 0]) => a - b)
}

/**
 * The rows of a usage document: one for each application and environment or, with `by`, for each hour or day
 * of them. A service with hourly usage has records for every combination of application, environment and
 * hour; combinations that were never used are left out.
 * @param flag the requested name
 * @param span what the document covers if it has hourly usage
 */
export function documentRows(
  usage: FeatureUsage,
  flag: string,
  span: Span | undefined,
  view: HourlyView = {},
): UsageRow[] {
  if (!span) return usageRows(usage, flag)
  const { by } = view
  const groups = recordGroups(usage, flag).filter(isUsed)
  return groups.flatMap((group) =>
    inBuckets(group, by).map(([bucket, rows]) => {
      const row = { ...mergeGroup(rows), hourly: hourlyOf(rows, span, view, bucket) }
      // The service has records with zeros, so the latest timestamp is not that of the last use.
      return by === 'hour' ? row : { ...row, timestamp: undefined }
    }),
  )
}
