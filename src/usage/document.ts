import { timeOf } from '../input/time.ts'
import type { ServiceDocument } from '../service/client.ts'
import type { FeatureUsage } from '../service/schema.ts'
import { type HourlyUsage, type HourTotal, latest, sumHours } from './hourly.ts'
import {
  isUsed,
  mergeGroup,
  recordGroups,
  type RowGroup,
  type UsageRow,
  usageRows,
} from './rows.ts'
import type { Span } from './span.ts'
import { HOUR_MS } from './time.ts'
import type { BucketSize } from './view.ts'

/** The usage of a flag as the service sent it. */
export interface UsageDocument extends ServiceDocument<FeatureUsage> {
  /** What the records cover if they are hourly usage. */
  span?: Span
}

const BUCKET_MS: Record<BucketSize, number> = { hour: HOUR_MS, day: 24 * HOUR_MS }

/** When a row is from, in milliseconds since the epoch. */
function timeIn({ timestamp }: UsageRow): number | undefined {
  return timestamp === undefined ? undefined : timeOf(timestamp)
}

/** When a group of rows was used. */
function hourlyOf(group: RowGroup, { from, to }: Span, bucket: number | undefined): HourlyUsage {
  const hours = group.flatMap((row): HourTotal[] => {
    const time = timeIn(row)
    const { enabled, disabled, variants } = row
    return time === undefined ? [] : [{ time, total: enabled + disabled, variants }]
  })
  const lastUsed = latest(group.filter((row) => isUsed([row])).map(timeIn))
  return { from, to, bucket, lastUsed, hours: sumHours([hours]) }
}

/** The row of an application and environment over the whole span. */
function wholeRow(group: RowGroup, span: Span): UsageRow {
  const hourly = hourlyOf(group, span, undefined)
  // The service has a record for the current hour even if nothing was used in it.
  return { ...mergeGroup(group), timestamp: undefined, hourly }
}

/** The rows of an application and environment in each hour or day, the oldest first. */
function bucketRows(group: RowGroup, span: Span, size: BucketSize): UsageRow[] {
  const buckets = new Map<number | undefined, RowGroup>()
  for (const row of group) {
    const time = timeIn(row)
    const bucket = time === undefined ? undefined : time - (time % BUCKET_MS[size])
    const others = buckets.get(bucket)
    if (others) others.push(row)
    else buckets.set(bucket, [row])
  }
  const sorted = [...buckets].sort(([a = 0], [b = 0]) => a - b)
  return sorted.map(([bucket, rows]) => {
    const row = { ...mergeGroup(rows), hourly: hourlyOf(rows, span, bucket) }
    return size === 'hour' ? row : { ...row, timestamp: undefined }
  })
}

/**
 * The rows of a document with hourly usage: one for each application and environment or, with `by`, for
 * each hour or day of them. The service has records for every combination of application, environment
 * and hour; combinations that were never used are left out.
 */
function hourlyRows(
  usage: FeatureUsage,
  flag: string,
  span: Span,
  by: BucketSize | undefined,
): UsageRow[] {
  const groups = recordGroups(usage, flag).filter(isUsed)
  return groups.flatMap((group) =>
    by === undefined ? [wholeRow(group, span)] : bucketRows(group, span, by),
  )
}

/**
 * The rows of a usage document.
 * @param flag the requested name
 * @param span what the document covers if it has hourly usage
 */
export function documentRows(
  usage: FeatureUsage,
  flag: string,
  span: Span | undefined,
  by: BucketSize | undefined,
): UsageRow[] {
  return span ? hourlyRows(usage, flag, span, by) : usageRows(usage, flag)
}
