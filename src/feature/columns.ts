import { groupDigits, percent } from '../output/numbers.ts'
import type { RowField } from '../output/fields.ts'
import { type Figures, sparkline, type UsageRow, type UsageView } from './figures.ts'
import type { Counts } from './records.ts'
import { ageText, HOUR_MS } from './span.ts'

/** What all rows share. Times are in milliseconds since the epoch. */
export interface RowFacts {
  /** The start of the first hour; undefined if it is not known. */
  from: number | undefined
  /** When the service was read. */
  to: number
  /** The start of the first hour of rows. */
  firstHour: number
  isHourly: boolean
  /** Whether projects were read, and whether there may be several. */
  projects: 'none' | 'one' | 'several'
  /** Whether there is one flag, which is in the heading. */
  isSingle: boolean
  /** Whether there is little room, as on a terminal. */
  isNarrow: boolean
}

const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())

/** The fields of CSV and JSON Lines. */
export function objectFields(
  { from, to, isHourly, projects }: RowFacts,
  { by }: Pick<UsageView, 'by'> = {},
): RowField<UsageRow>[] {
  const field = (name: string, value: RowField<UsageRow>['value']): RowField<UsageRow> => {
    return { name, value, kind: 'word' }
  }
  const variants = ({ variants: all }: UsageRow) =>
    Object.fromEntries(all.map(({ name, count }) => [name, count]))
  // Other rows add up several hours, which have no common time.
  const hour = ({ bucket }: UsageRow) => (by === 'hour' ? iso(bucket) : null)
  return [
    ...(projects === 'none' ? [] : [field('project', ({ project }) => project)]),
    field('flag', ({ flag }) => flag),
    field('application', ({ application }) => application),
    field('environment', ({ environment }) => environment),
    field('timestamp', isHourly ? hour : ({ timestamp }) => timestamp),
    field('enabled', ({ enabled }) => enabled),
    field('disabled', ({ disabled }) => disabled),
    field('variants', variants),
    ...(isHourly
      ? [
          field('bucket', ({ bucket }) => iso(bucket)),
          field('lastUsed', ({ lastUsed }) => iso(lastUsed)),
          field('from', () => iso(from)),
          field('to', () => iso(to)),
        ]
      : []),
  ]
}

function nameFields({ rows }: Figures, { projects, isSingle }: RowFacts): RowField<UsageRow>[] {
  const isShown = ({ title }: RowField<UsageRow>) =>
    title === 'Project' ? projects === 'several' : title !== 'Flag' || !isSingle
  const names: RowField<UsageRow>[] = [
    { title: 'Flag', value: ({ flag }) => flag, kind: 'name' },
    { title: 'Project', value: ({ project }) => project, kind: 'name' },
    { title: 'Variant', value: ({ variant }) => variant, kind: 'name' },
    { title: 'Application', value: ({ application }) => application, kind: 'name' },
    { title: 'Environment', value: ({ environment }) => environment, kind: 'name' },
  ]
  const filled = names.filter(
    (field) => isShown(field) && rows.some((row) => field.value(row) !== undefined),
  )
  return filled.length > 0 ? filled : names.slice(0, 1)
}

function countField(title: string, total: Counts, countOf: (counts: Counts) => number) {
  const cell = (counts: Counts) => groupDigits(countOf(counts))
  return { title, value: countOf, cell, kind: 'number' as const, total: cell(total) }
}

function countFields({ rows, total, share }: Figures): RowField<UsageRow>[] {
  const shareField: RowField<UsageRow> = {
    title: 'Share',
    value: (row) => row.share,
    cell: (row) => (row.share === undefined ? undefined : percent(row.share)),
    kind: 'number',
    total: share === undefined ? '' : percent(share),
  }
  if (rows.some(({ variant }) => variant !== undefined)) {
    return [countField('Selected', total, ({ enabled }) => enabled), shareField]
  }
  return [
    countField('Enabled', total, ({ enabled }) => enabled),
    countField('Disabled', total, ({ disabled }) => disabled),
    countField('Total', total, ({ enabled, disabled }) => enabled + disabled),
    shareField,
  ]
}

function variantField({ rows }: Figures): RowField<UsageRow>[] {
  const isShown = rows.some(({ variant, variants }) => variant === undefined && variants.length > 0)
  const text = ({ variants }: UsageRow) =>
    variants.map(({ name, count }) => `${name} ${groupDigits(count)}`).join(', ')
  return isShown ? [{ title: 'Variants', value: text, kind: 'name', isOptional: true }] : []
}

const TREND_LENGTH = 24

function timeFields(
  { rows }: Figures,
  { by }: UsageView,
  { isHourly, from, to, firstHour, isNarrow }: RowFacts,
): RowField<UsageRow>[] {
  if (!isHourly) {
    const isDated = rows.some(({ timestamp }) => timestamp !== undefined)
    const reported = ({ timestamp }: UsageRow) => timestamp
    return isDated ? [{ title: 'Reported', value: reported, kind: 'time', isOptional: true }] : []
  }
  if (by) return []
  const start = Math.max(0, ((from ?? firstHour) - firstHour) / HOUR_MS)
  const length = Math.floor((to - firstHour) / HOUR_MS) + 1 - start
  const trend = ({ hours }: UsageRow) =>
    hours.length === 0
      ? ''
      : sparkline(
          Array.from({ length }, (_, index) => hours[start + index] ?? 0),
          TREND_LENGTH,
        )
  return [
    { title: 'Trend', value: trend, kind: 'word', isOptional: true },
    {
      title: 'Last used',
      value: ({ lastUsed }) => iso(lastUsed),
      // Short, so that it fits.
      ...(isNarrow && {
        cell: ({ lastUsed }) => lastUsed && `${ageText(to - lastUsed)} ago`,
      }),
      kind: 'time',
    },
  ]
}

function bucketFields({ by }: UsageView): RowField<UsageRow>[] {
  if (by === undefined) return []
  const day = ({ bucket }: UsageRow) => iso(bucket)?.slice(0, 10)
  if (by === 'day') return [{ title: 'Day', value: day, kind: 'word' }]
  return [{ title: 'Hour', value: ({ bucket }) => iso(bucket), kind: 'time' }]
}

/** The fields of tables. @param hasTotal whether nothing is missing, so that there is a total */
export function tableFields(
  figures: Figures,
  view: UsageView,
  facts: RowFacts,
  hasTotal: boolean,
): RowField<UsageRow>[] {
  const names = nameFields(figures, facts)
  const fields = [
    ...names.map((field, index) => (index === 0 ? { ...field, total: 'Total' } : field)),
    ...bucketFields(view),
    ...countFields(figures),
    ...variantField(figures),
    ...timeFields(figures, view, facts),
  ]
  return hasTotal ? fields : fields.map(({ total: _, ...field }) => field)
}
