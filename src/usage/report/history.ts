import { type HourTotal, sumHours } from '../history.ts'
import type { UsageRow } from '../rows.ts'
import type { BucketSize } from '../view.ts'
import { dayText, isoText, minuteText } from '../../output/dates.ts'
import type { Column, Form } from '../../output/layout.ts'
import { type Safe, safe, sliced } from '../../output/text.ts'
import { inParts, sparkline } from './sparkline.ts'

const NOTHING = safe`—`

/** The title of the column that shows which hour or day a row is about. */
export const bucketTitles: Record<BucketSize, Safe> = { hour: safe`Hour`, day: safe`Day` }

/** The hour or day that a row is about; empty if it is about none. */
export function bucketText({ history }: UsageRow, by: BucketSize): Safe {
  if (history?.bucket === undefined) return safe``
  const time = isoText(history.bucket)
  return by === 'day' ? dayText(time) : minuteText(time)
}

/** The hour in which a row was last used; undefined if it was not. */
export function lastUsedText({ history }: UsageRow): Safe | undefined {
  return history?.lastUsed === undefined ? undefined : minuteText(isoText(history.lastUsed))
}

function column(align: Column['align'], ...forms: Column['forms']): Column {
  return { align, elastic: false, forms }
}

/** The column that shows which hour or day rows are about. */
export function bucketColumn(rows: readonly UsageRow[], by: BucketSize): Column {
  const cell = (index: number) => {
    const row = rows[index]
    if (!row) return safe``
    return row.history?.bucket === undefined ? NOTHING : bucketText(row, by)
  }
  return column('left', { title: bucketTitles[by], cell })
}

/** The column that shows when rows were last used. */
export function lastUsedColumn(rows: readonly UsageRow[]): Column {
  const form = (from: number): Form => ({
    title: safe`Last used`,
    cell(index) {
      const row = rows[index]
      if (!row) return safe``
      const time = lastUsedText(row)
      return time === undefined ? NOTHING : sliced(time, from)
    },
  })
  return column('left', form(0), form(5))
}

// The widest sparklines, and narrower ones for narrow terminals.
const LENGTHS = [48, 24, 12, 6] as const

/** The column with sparklines of the evaluations over the span, and one for the total. */
export function trendColumn(rows: readonly UsageRow[]): Column {
  const hoursOf = (row: UsageRow) => row.history?.hours ?? []
  const all = sumHours(rows.map(hoursOf))
  const times = all.map(({ time }) => time)
  const form = (length: number): Form => {
    const drawn = (hours: readonly HourTotal[]) => {
      if (hours.length === 0) return safe``
      const totals = new Map(hours.map(({ time, total }) => [time, total]))
      const numbers = times.map((time) => totals.get(time) ?? 0n)
      return sparkline(inParts(numbers, length))
    }
    return {
      title: safe`Trend`,
      cell(index) {
        const row = rows[index]
        return drawn(row ? hoursOf(row) : all)
      },
    }
  }
  const [widest, ...others] = LENGTHS.map(form)
  return column('right', widest ?? form(LENGTHS[0]), ...others, null)
}
