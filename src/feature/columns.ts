import type { RowField } from '../output/fields.ts'
import { listed } from '../output/incomplete.ts'
import { groupDigits, percent } from '../output/numbers.ts'
import { byCodeUnit } from '../output/order.ts'
import { timeText } from '../output/time.ts'
import type { Figures, UsageRow, UsageView } from './figures.ts'
import type { Span } from './span.ts'

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

// `--group-by variant` has all of them.
const MAX_VARIANTS = 3

/** `blue 30, red 60 and 2 more` */
function variantsText(row: UsageRow): string | undefined {
  if (row.variant !== undefined || row.variants.length === 0) return undefined
  const texts = variantsOf(row).map(({ name, count }) => `${name} ${groupDigits(count)}`)
  return listed(texts, MAX_VARIANTS)
}

/**
 * The fields of rows: those with a name for CSV and JSON Lines, those with a title for tables, as far as they have values.
 * @param hasTotal whether nothing is missing, so that tables have a total
 */
export function fieldsOf(
  { rows, total, share }: Figures,
  { span, from, projects, isSingle }: RowFacts,
  { by }: UsageView,
  hasTotal: boolean,
): Field[] {
  const data = (name: string, value: Field['value']): Field => ({ name, value, kind: 'word' })
  const text = (title: string, value: Field['value']): Field => ({ title, value, kind: 'name' })
  const count = (title: string, sum: number, value: (row: UsageRow) => number): Field => {
    const cell = (row: UsageRow) => groupDigits(value(row))
    return { title, value, cell, kind: 'number', total: hasTotal ? groupDigits(sum) : undefined }
  }
  const hasNames = rows.some((row) => row.variant ?? row.application ?? row.environment)
  const isByVariant = rows.some(({ variant }) => variant !== undefined)
  const bucketText = ({ bucket = 0 }: UsageRow) =>
    by === 'day' ? iso(bucket)?.slice(0, 10) : timeText(bucket)
  // Rows of days and of the whole span add up several hours, which have no common time.
  const hour = (bucket: number | undefined) => (by === 'hour' ? iso(bucket) : undefined)
  const fields: Field[] = [
    ...(projects === 'none' ? [] : [data('project', ({ project }) => project)]),
    data('flag', ({ flag }) => flag),
    ...(isSingle && hasNames ? [] : [text('Flag', ({ flag }) => flag)]),
    ...(projects === 'several'
      ? [{ ...text('Project', ({ project }) => project), isOptional: true }]
      : []),
    text('Variant', ({ variant }) => variant),
    { ...text('Application', ({ application }) => application), name: 'application' },
    { ...text('Environment', ({ environment }) => environment), name: 'environment' },
    data('timestamp', ({ timestamp, bucket }) => (span ? hour(bucket) : timestamp)),
    ...(by
      ? [{ title: by === 'day' ? 'Day' : 'Hour', value: bucketText, kind: 'word' as const }]
      : []),
    data('enabled', ({ enabled }) => enabled),
    data('disabled', ({ disabled }) => disabled),
    count(isByVariant ? 'Selected' : 'Enabled', total.enabled, ({ enabled }) => enabled),
    ...(isByVariant
      ? []
      : [
          { ...count('Disabled', total.disabled, (row) => row.disabled), isOptional: true },
          count('Total', total.enabled + total.disabled, (row) => row.enabled + row.disabled),
        ]),
    {
      title: 'Share',
      value: (row) => row.share,
      cell: (row) => (row.share === undefined ? undefined : percent(row.share)),
      kind: 'number',
      total: share === undefined || !hasTotal ? undefined : percent(share),
      isOptional: !isByVariant,
    },
    data('variants', (row) => {
      return Object.fromEntries(variantsOf(row).map((one) => [one.name, one.count]))
    }),
    {
      ...text('Variants', variantsText),
      cell: (row) => variantsText(row) ?? '',
      isOptional: true,
    },
    ...(span
      ? [
          data('bucket', ({ bucket }) => iso(bucket)),
          data('lastUsed', ({ time }) => iso(time)),
          data('from', () => iso(from)),
          data('to', () => iso(span.now)),
        ]
      : []),
    ...(span && !by
      ? [{ title: 'Last used', value: (row: UsageRow) => iso(row.time), kind: 'time' as const }]
      : []),
  ]
  const isFilled = ({ value }: Field) => rows.some((row) => value(row) !== undefined)
  const shown = fields.map((one) => (isFilled(one) ? one : { ...one, title: undefined }))
  const first = shown.find(({ title }) => title !== undefined)
  return shown.map((one) => (one === first && hasTotal ? { ...one, total: 'Total' } : one))
}
