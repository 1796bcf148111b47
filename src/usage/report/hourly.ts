import { eachHour, type HourCounts, type HourlyUsage, noHours, sumHours } from '../hourly.ts'
import type { UsageRow } from '../rows.ts'
import type { BucketSize } from '../view.ts'
import { dayText, isoOrNull, isoText, minuteText } from '../../old/output/dates.ts'
import { type Column, formOf } from '../../old/output/layout.ts'
import { NOTHING } from '../../old/output/phrases.ts'
import { type Safe, safe, sliced } from '../../old/output/text.ts'
import { inParts, sparkline } from './sparkline.ts'

/** The times of hourly usage as ISO 8601; null for those that are not known. */
export function isoTimes({ bucket, lastUsed, from, to }: HourlyUsage) {
  return {
    bucket: isoOrNull(bucket),
    lastUsed: isoOrNull(lastUsed),
    from: isoOrNull(from),
    to: isoOrNull(to),
  }
}

/** The title of the column that shows which hour or day a row is about. */
export const bucketTitles: Record<BucketSize, Safe> = { hour: safe`Hour`, day: safe`Day` }

/** The hour or day that a row is about; empty if it is about none. */
export function bucketText({ hourly }: UsageRow, by: BucketSize): Safe {
  if (hourly?.bucket === undefined) return safe``
  const time = isoText(hourly.bucket)
  return by === 'day' ? dayText(time) : minuteText(time)
}

/** The hour in which a row was last used, from this character on. */
export function lastUsedText({ hourly }: UsageRow, start = 0): Safe {
  if (hourly?.lastUsed === undefined) return NOTHING
  return sliced(minuteText(isoText(hourly.lastUsed)), start)
}

/** The column that shows which hour or day rows are about. */
export function bucketColumn(rows: readonly UsageRow[], by: BucketSize): Column {
  return { forms: [formOf(bucketTitles[by], rows, (row) => bucketText(row, by) || NOTHING)] }
}

/** The column that shows when rows were last used. */
export function lastUsedColumn(rows: readonly UsageRow[]): Column {
  const form = (start: number) => formOf(safe`Last used`, rows, (row) => lastUsedText(row, start))
  return { forms: [form(0), form(5)] }
}

/** The column with sparklines of the evaluations over the span, and one for the total of each group of rows. */
export function trendColumn(groups: readonly (readonly UsageRow[])[]): Column {
  const rows = groups.flat()
  const hoursOf = ({ hourly }: UsageRow) => hourly?.hours ?? noHours
  const sumOf = (some: readonly UsageRow[]) => sumHours(eachHour(some.map(hoursOf)))
  const axis = [...sumOf(rows).hours].sort((a, b) => a - b)
  const sums = groups.map(sumOf)
  const form = (length: number) => {
    const drawn = (counts: HourCounts) => {
      if (counts.hours.length === 0) return safe``
      const byHour = new Map(eachHour([counts]))
      const numbers = axis.map((hour) => byHour.get(hour) ?? 0)
      return sparkline(inParts(numbers, length))
    }
    return formOf(safe`Trend`, rows, (row) => drawn(hoursOf(row)), sums.map(drawn))
  }
  // Narrower ones are for narrow terminals.
  return { align: 'right', forms: [form(48), form(24), form(12), form(6), null] }
}
