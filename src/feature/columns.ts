import type { RowField } from '../output/fields.ts'
import { listed } from '../output/incomplete.ts'
import { groupDigits, percent } from '../output/numbers.ts'
import { byCodeUnit } from '../output/order.ts'
import { timeText } from '../output/time.ts'
import type { Figures, UsageRow, UsageView } from './figures.ts'
import { HOUR_MS, type Span } from './span.ts'

/** What all rows share. */
export interface RowFacts {
  /** Undefined for the current clock hour. */
  span: Span | undefined
  /** The start of the first hour, in milliseconds since the epoch; undefined if it is not known. */
  from: number | undefined
  /** Whether projects were read, and whether there may be several. */
  projects: 'none' | 'one' | 'several'
  /** Whether there is one flag, which is in the heading. */
  isSingle: boolean
}

type Field = RowField<UsageRow>

const iso = (time: number | undefined) =>
  time === undefined ? undefined : new Date(time).toISOString()

const variantsOf = ({ variants }: UsageRow) =>
  variants.toSorted((a, b) => byCodeUnit(a.name, b.name))

/** The fields of CSV and JSON Lines. */
export function objectFields({ span, from, projects }: RowFacts, { by }: UsageView): Field[] {
  const field = (name: string, value: Field['value']): Field => ({ name, value, kind: 'word' })
  const variants = (row: UsageRow) =>
    Object.fromEntries(variantsOf(row).map(({ name, count }) => [name, count]))
  // Other rows add up several hours, which have no common time.
  const hour = ({ bucket }: UsageRow) => (by === 'hour' ? iso(bucket) : undefined)
  return [
    ...(projects === 'none' ? [] : [field('project', ({ project }) => project)]),
    field('flag', ({ flag }) => flag),
    field('application', ({ application }) => application),
    field('environment', ({ environment }) => environment),
    field('timestamp', span ? hour : ({ timestamp }) => timestamp),
    field('enabled', ({ enabled }) => enabled),
    field('disabled', ({ disabled }) => disabled),
    field('variants', variants),
    ...(span
      ? [
          field('bucket', ({ bucket }) => iso(bucket)),
          field('lastUsed', ({ time }) => iso(time)),
          field('from', () => iso(from)),
          field('to', () => iso(span.now)),
        ]
      : []),
  ]
}

// `--group-by variant` has all of them.
const MAX_VARIANTS = 3

/** `blue 30, red 60 and 2 more` */
function variantsText(row: UsageRow): string | undefined {
  if (row.variant !== undefined || row.variants.length === 0) return undefined
  const texts = variantsOf(row).map(({ name, count }) => `${name} ${groupDigits(count)}`)
  return listed(texts, MAX_VARIANTS)
}

function countField(
  title: string,
  total: number,
  countOf: (row: UsageRow) => number | undefined,
): Field {
  const cell = (row: UsageRow) => groupDigits(countOf(row) ?? 0)
  return { title, value: countOf, cell, kind: 'number', total: groupDigits(total) }
}

function countFields({ rows, total, share }: Figures): Field[] {
  const shareField: Field = {
    title: 'Share',
    value: (row) => row.share,
    cell: (row) => (row.share === undefined ? undefined : percent(row.share)),
    kind: 'number',
    total: share === undefined ? '' : percent(share),
  }
  if (rows.some(({ variant }) => variant !== undefined)) {
    return [countField('Selected', total.enabled, ({ enabled }) => enabled), shareField]
  }
  return [
    countField('Enabled', total.enabled, ({ enabled }) => enabled),
    countField('Disabled', total.disabled, ({ disabled }) => disabled),
    countField('Total', total.enabled + total.disabled, (row) => row.enabled + row.disabled),
    shareField,
  ]
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const TREND_LENGTH = 24

/** Counts over time as a line of at most 24 small bars. */
function sparkline(counts: readonly number[]): string {
  const size = Math.ceil(counts.length / TREND_LENGTH)
  const sums: number[] = []
  for (let end = counts.length; end > 0; end -= size) {
    const part = counts.slice(Math.max(0, end - size), end)
    sums.unshift(part.reduce((sum, count) => sum + count, 0))
  }
  const most = Math.max(1, ...sums)
  const top = levels.length - 1
  return sums.map((sum) => levels[Math.ceil((Math.max(0, sum) * top) / most)]).join('')
}

function trendField({ firstHour, now }: Span, from = firstHour): Field {
  const start = Math.max(0, (from - firstHour) / HOUR_MS)
  const end = Math.floor((now - firstHour) / HOUR_MS) + 1
  const value = ({ hours }: UsageRow) =>
    hours.length === 0
      ? undefined
      : sparkline(Array.from({ length: end - start }, (_, index) => hours[start + index] ?? 0))
  return { title: 'Trend', value, kind: 'word', isOptional: true }
}

/** The fields of tables, as far as rows have values. @param hasTotal whether nothing is missing */
export function tableFields(
  figures: Figures,
  { span, from, projects, isSingle }: RowFacts,
  { by }: UsageView,
  hasTotal: boolean,
): Field[] {
  const field = (title: string, value: Field['value']): Field => ({ title, value, kind: 'name' })
  const flag = field('Flag', (row) => row.flag)
  const names: Field[] = [
    ...(isSingle ? [] : [flag]),
    ...(projects === 'several' ? [field('Project', ({ project }) => project)] : []),
    field('Variant', ({ variant }) => variant),
    field('Application', ({ application }) => application),
    field('Environment', ({ environment }) => environment),
  ]
  const bucket = ({ bucket: time }: UsageRow) =>
    time === undefined ? undefined : by === 'day' ? iso(time)?.slice(0, 10) : timeText(time)
  const details: Field[] = [
    { title: by === 'day' ? 'Day' : 'Hour', value: bucket, kind: 'word' },
    ...countFields(figures),
    { ...field('Variants', variantsText), isOptional: true },
    ...(span && !by
      ? [
          trendField(span, from),
          { title: 'Last used', value: ({ time }: UsageRow) => iso(time), kind: 'time' as const },
        ]
      : []),
  ]
  const isFilled = ({ value }: Field) => figures.rows.some((row) => value(row) !== undefined)
  const [first = flag, ...others] = names.filter(isFilled)
  const fields = [{ ...first, total: 'Total' }, ...others, ...details.filter(isFilled)]
  return hasTotal ? fields : fields.map(({ total: _, ...rest }) => rest)
}
