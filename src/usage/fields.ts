// The columns of `feature usage`.
import { field, filled, type RowField } from '../output/fields.ts'
import { groupDigits, percent } from '../output/numbers.ts'
import {
  isoText,
  hourOf,
  lastUseText,
  lastUseTime,
  shortTimeCell,
  timeCell,
} from '../output/time.ts'
import { type ProjectOptions, selectsProjects, singleProject } from '../project/selection.ts'
import type { ArrangedRows, UsageRow, UsageView } from './rows.ts'
import { lastUseIn } from './last-use.ts'
import type { Counts } from '../flags/records.ts'
import type { Span } from '../flags/span.ts'

/** What determines the fields of rows besides the figures. */
export interface FieldFacts extends ProjectOptions, Pick<UsageView, 'by' | 'groupBy'> {
  span: Span | undefined
  /** Returns the start of the first hour that the figures of a row cover. */
  fromOf: (row: UsageRow) => number | undefined
  /** Whether there is one flag, which is in the heading. */
  isSingle: boolean
  /** Whether nothing is missing, so that tables have a total. */
  hasTotal: boolean
  /** Whether each row has its clock hour, because it is not the same for all. */
  hasHours: boolean
  /** The current time, for times as ages. */
  now: number | undefined
}

/** `blue 30`, `red 60`; none for a row of one variant. */
function variantTexts(row: UsageRow): string[] {
  if (row.variant !== undefined) return []
  return row.variants.map(({ name, count }) => `${name} ${groupDigits(count)}`)
}

/** How often each variant was selected, by name. */
function variantCounts({ variants }: UsageRow): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { name, count } of variants) {
    // An assignment would set the prototype.
    if (name === '__proto__')
      Object.defineProperty(counts, name, { value: count, enumerable: true })
    else counts[name] = count
  }
  return counts
}

function nameFields(rows: readonly UsageRow[], facts: FieldFacts): RowField<UsageRow>[] {
  const hasNames = rows.some((row) => row.variant ?? row.application ?? row.environment)
  const project = selectsProjects(facts) ? 'project' : undefined
  const projectTitle = singleProject(facts) ? undefined : 'Project'
  const flagTitle = facts.isSingle && hasNames ? undefined : 'Flag'
  return [
    field.key('flag', flagTitle, ({ flag }) => flag, { isGroup: true }),
    field.name(project, projectTitle, (row) => row.project, { dropOrder: 2, isGroup: true }),
    field.name(undefined, 'Variant', ({ variant }) => variant, { isGroup: true }),
    field.name('application', 'Application', ({ application }) => application, { isGroup: true }),
    field.name('environment', 'Environment', ({ environment }) => environment, { isGroup: true }),
  ]
}

function bucketField({ by, span, hasHours }: FieldFacts): RowField<UsageRow> {
  const day = ({ bucket }: UsageRow) => isoText(bucket)?.slice(0, 10)
  const hourWith = (cellOf: (time: number) => string) => (row: UsageRow) => {
    const start = row.bucket ?? row.time
    return start === undefined ? undefined : cellOf(hourOf(start))
  }
  // Without --by, a row of the span adds up several hours, which have no common time.
  const timestamp = ({ bucket, time }: UsageRow) => isoText(bucket ?? (span ? undefined : time))
  const title = by === 'day' ? 'Day (UTC)' : 'Hour (UTC)'
  return field.word('timestamp', by || hasHours ? title : undefined, timestamp, {
    cell: by === 'day' ? day : hourWith(timeCell),
    // All hours are of a few days.
    shortCell: by === 'day' ? undefined : hourWith(shortTimeCell),
  })
}

function countFields({ rows, total, share: totalShare }: ArrangedRows): RowField<UsageRow>[] {
  const isByVariant = rows.some(({ variant }) => variant !== undefined)
  const hasVariants = rows.some((row) => variantTexts(row).length > 0)
  const sum = ({ enabled, disabled }: Counts) => enabled + disabled
  const part = (share: number | undefined) => (share === undefined ? undefined : percent(share))
  return [
    field.number('enabled', isByVariant ? 'Selected' : 'Enabled', ({ enabled }) => enabled, {
      total: total.enabled,
      dropOrder: isByVariant ? undefined : 4,
    }),
    field.number('disabled', isByVariant ? undefined : 'Disabled', ({ disabled }) => disabled, {
      total: total.disabled,
      dropOrder: 3,
    }),
    field.number(undefined, isByVariant ? undefined : 'Total', sum, {
      total: sum(total),
    }),
    field.number(undefined, 'Share', ({ share }) => part(share), {
      total: part(totalShare),
    }),
    field.list('variants', hasVariants ? 'Variants' : undefined, variantCounts, {
      items: variantTexts,
      dropOrder: 1,
    }),
  ]
}

function spanFields({ by, span, fromOf, now }: FieldFacts): RowField<UsageRow>[] {
  const useOf = (row: UsageRow) => span && lastUseIn(row, span)
  const lastUsed = (row: UsageRow) => {
    const use = useOf(row)
    if (!use) return undefined
    return now === undefined ? lastUseTime(use) : lastUseText(use, now)
  }
  const time = (row: UsageRow) => isoText(useOf(row)?.time)
  const title = span && !by ? 'Last used' : undefined
  return [
    field.word(span && 'lastUsed', title, time, { cell: lastUsed, dropOrder: 5 }),
    field.data(span && 'from', (row) => isoText(fromOf(row))),
    field.data(span && 'to', () => isoText(span?.now)),
  ]
}

/** Leaves fields without any value out, but not what rows are grouped by. */
function shownFields(
  fields: readonly RowField<UsageRow>[],
  rows: readonly UsageRow[],
  { groupBy: grouping }: FieldFacts,
): RowField<UsageRow>[] {
  const shown = filled(fields, rows)
  return shown.map((column, index) => {
    const isGrouping = grouping !== undefined && column.name === grouping
    return isGrouping ? (fields[index] ?? column) : column
  })
}

/** `Total` in the first column, unless it has a sum, or `Total of 25 rows` if some are not shown, and the sums in others; nothing without a total. */
function withTotals(
  fields: readonly RowField<UsageRow>[],
  { rows, beyondLimit }: ArrangedRows,
  { hasTotal }: FieldFacts,
): RowField<UsageRow>[] {
  const all = rows.length + beyondLimit
  const title = beyondLimit > 0 ? `Total of ${all} rows` : 'Total'
  const first = fields.find(({ title }) => title !== undefined)
  return fields.map((column) => {
    const total = column.total ?? (column === first ? title : undefined)
    return { ...column, total: hasTotal ? total : undefined }
  })
}

/** The fields of rows, as far as they have values. */
export function usageFields(arranged: ArrangedRows, facts: FieldFacts): RowField<UsageRow>[] {
  const { rows } = arranged
  const fields = [
    ...nameFields(rows, facts),
    bucketField(facts),
    ...countFields(arranged),
    ...spanFields(facts),
  ]
  return withTotals(shownFields(fields, rows, facts), arranged, facts)
}
