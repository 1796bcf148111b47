import { readEach, type Results } from '../requests/each.ts'
import { failureOf, FlagadmError, withParts } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { orderBy } from '../output/order.ts'
import { HOUR_MS, hourOf } from '../output/time.ts'
import type { Connection } from '../service/connection.ts'
import {
  figureDoubts,
  hasMoreApplications,
  matcherFor,
  recordDoubts,
  type UsageFilter,
  type UsageQuestion,
} from './figure-doubts.ts'
import type { Flag, Selection } from '../flags/selection.ts'
import { readSpan } from './daily-usage.ts'
import { createSightings } from './last-use.ts'
import {
  type Counts,
  distinct,
  isUsed,
  latest,
  readLastHour,
  type Records,
  totalOf,
  type UsageRecord,
  type VariantCount,
} from '../flags/records.ts'
import { MAX_AGE_MS, type Span } from '../flags/span.ts'
import type { NameCheck } from './unused-names.ts'

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

/** The sum of some records. What they do not share is undefined. */
export interface UsageRow extends UsageRecord {
  project: string | undefined
  flag: string | undefined
  /** Set when rows are grouped by variant: `enabled` is then how often it was selected. */
  variant: string | undefined
  /** The start of the hour or day, in milliseconds since the epoch; without --by, of an hour that is not the current one. */
  bucket: number | undefined
  /** When its usage was last seen, as far as that is known; not for each hour or day. */
  seenAt: number | undefined
  /** Of the evaluations or, for a variant, of the selections of its flag; undefined if there are none. */
  share: number | undefined
}

/** Rows to show, and the sums of all rows. */
export type Figures = ReturnType<typeof arrange>

/** How often each variant was selected, by name. */
function sumVariants(variants: readonly VariantCount[]): VariantCount[] {
  const sums = new Map<string, number>()
  for (const { name, count } of variants) sums.set(name, (sums.get(name) ?? 0) + count)
  const summed = Array.from(sums, ([name, count]) => ({ name, count }))
  return summed.sort(orderBy(({ name }) => name))
}

/** The part of counts in which flags were on; undefined if nothing was counted, or a count is negative. */
function shareOf({ enabled, disabled }: Counts): number | undefined {
  const whole = enabled + disabled
  return whole > 0 && enabled >= 0 && disabled >= 0 ? enabled / whole : undefined
}

/** The sum of rows with the same names and time. */
function sumOf(rows: readonly [UsageRow, ...UsageRow[]]): UsageRow {
  return {
    ...rows[0],
    ...totalOf(rows),
    time: latest(rows.map(({ time }) => time)),
    seenAt: latest(rows.map(({ seenAt }) => seenAt)),
    variants: sumVariants(rows.flatMap(({ variants }) => variants)),
  }
}

/**
 * A function that returns the same key for rows with the same names and time. Flag and project are left out, because
 * they are the same in all rows that are added up. Names become numbers, which are compared fast.
 */
function createKeys(): (row: UsageRow) => string {
  const numbers = new Map<string | undefined, number>()
  const numberOf = (name: string | undefined) => {
    const known = numbers.get(name)
    if (known !== undefined) return known
    numbers.set(name, numbers.size)
    return numbers.size - 1
  }
  return ({ application, environment, variant, bucket }) =>
    `${numberOf(application)} ${numberOf(environment)} ${numberOf(variant)} ${bucket}`
}

/** Adds up the rows with the same key: by default, with the same names and time. */
export function addUp(
  rows: readonly UsageRow[],
  keyOf: (row: UsageRow) => string = createKeys(),
): Map<string, UsageRow> {
  const sums = new Map<string, UsageRow>()
  // Most rows are alone. The others are added up once, because each may have many variants.
  const several = new Map<string, [UsageRow, ...UsageRow[]]>()
  for (const row of rows) {
    const key = keyOf(row)
    const first = sums.get(key)
    const alike = several.get(key)
    if (alike) alike.push(row)
    else if (first) several.set(key, [first, row])
    else sums.set(key, row)
  }
  for (const [key, alike] of several) sums.set(key, sumOf(alike))
  return sums
}

/** Sorts rows and adds up those with the same names and time, which are then next to each other. Most are alone. */
function sortAndAddUp(rows: UsageRow[]): UsageRow[] {
  rows.sort(byName)
  const sums: UsageRow[] = []
  for (let from = 0, to = 1; from < rows.length; from = to, to++) {
    const row = rows[from]
    if (!row) break
    while (to < rows.length && byName(row, rows[to] ?? row) === 0) to++
    if (to === from + 1) sums.push(row)
    // A name that is missing sorts like an empty one.
    else sums.push(...addUp(rows.slice(from, to)).values())
  }
  return sums
}

/** The usage of a flag without any, so that it has a row. */
const noUsage: UsageRecord = {
  application: undefined,
  environment: undefined,
  time: undefined,
  enabled: 0,
  disabled: 0,
  variants: [],
}

/** A record for each variant, with how often it was selected. */
function selections(record: UsageRecord): UsageRecord[] {
  return record.variants.map((one) => {
    return { ...record, enabled: one.count, disabled: 0, variants: [one] }
  })
}

/**
 * Adds up the records of a flag in rows with only the names that they are grouped by.
 * @param bucketOf returns the hour or day by which rows are separate
 */
function rowsOf(
  records: readonly UsageRecord[],
  flag: string,
  project: string | undefined,
  { groupBy: grouping }: UsageView,
  bucketOf: (time: number) => number | undefined,
): UsageRow[] {
  const isAcross = grouping === 'application' || grouping === 'environment'
  const all = records.length === 0 && !isAcross ? [noUsage] : records
  // A flag without variants has one row, so that it is not missing.
  const isByVariant = grouping === 'variant' && all.some(({ variants }) => variants.length > 0)
  const parts = isByVariant ? all.flatMap(selections) : all
  const rows = sortAndAddUp(
    parts.map(({ application, environment, time, enabled, disabled, variants }) => ({
      project: isAcross ? undefined : project,
      flag: isAcross ? undefined : flag,
      application: grouping === undefined || grouping === 'application' ? application : undefined,
      environment: grouping === undefined || grouping === 'environment' ? environment : undefined,
      variant: grouping === 'variant' ? variants[0]?.name : undefined,
      bucket: time === undefined ? undefined : bucketOf(time),
      seenAt: undefined,
      enabled,
      disabled,
      share: undefined,
      time,
      variants,
    })),
  )
  for (const own of isByVariant ? groupBy(rows, ({ bucket }) => bucket).values() : []) {
    const { enabled } = totalOf(own)
    for (const row of own) row.share = enabled > 0 ? row.enabled / enabled : undefined
  }
  return rows
}

const byName = orderBy<UsageRow>(
  ({ flag }) => flag,
  ({ environment }) => environment,
  ({ application }) => application,
  ({ variant }) => variant,
  ({ bucket }) => bucket,
)

/** Orders of rows, counts from the largest down. */
const orders = {
  enabled: orderBy<UsageRow>(({ enabled }) => -enabled),
  disabled: orderBy<UsageRow>(({ disabled }) => -disabled),
  total: orderBy<UsageRow>(({ enabled, disabled }) => -enabled - disabled),
  share: orderBy<UsageRow>(({ share = -1 }) => -share),
  name: byName,
}

/** Selects flags, then sorts and limits their rows. */
export function arrange(
  flags: readonly { isUsed: boolean; rows: readonly UsageRow[] }[],
  { groupBy: grouping, sort, reverse, limit, used, unused }: UsageView,
) {
  const kept = flags.filter(({ isUsed }) => (isUsed ? !unused : !used))
  const all = kept.flatMap((flag) => flag.rows)
  const rows =
    grouping === 'application' || grouping === 'environment' ? [...addUp(all).values()] : all
  if (grouping !== 'variant') for (const row of rows) row.share = shareOf(row)
  const key = sort ?? (grouping === undefined || grouping === 'flag' ? undefined : 'name')
  // Sorting is stable, so that equal rows keep their order.
  if (key) rows.sort(orders[key])
  if (reverse) rows.reverse()
  const shown = rows.slice(0, limit)
  const total = totalOf(rows)
  return {
    rows: shown,
    /** How many more there are beyond the limit. */
    beyondLimit: rows.length - shown.length,
    total,
    /** The part of the total in which flags were on; undefined for variants, whose shares are of their flags. */
    share: grouping === 'variant' ? undefined : shareOf(total),
  }
}

/** What to read of flags. */
export interface UsageRequest extends UsageView, UsageFilter {
  /** Undefined for the current clock hour. */
  span?: Span | undefined
  /** Whether to keep the documents instead of rows. */
  wantsJson?: boolean
  /** Undefined if the names are known to be flags. */
  nameCheck?: NameCheck | undefined
}

/** The usage of a flag: what the filters keep, added up, and what the rest shows. */
export interface FlagUsage {
  flag: string
  /** Without figures if the document is wanted. */
  rows: UsageRow[]
  isUsed: boolean
  /** The start of the first hour that the figures of this flag cover; undefined without hourly usage. */
  from: number | undefined
  /** Whether the service may have more applications of the flag than it reports. */
  hasMoreApplications: boolean
  /** Whether a record has an application. */
  hasApplications: boolean
  /** The clock hours of its usage, in the current hour: a clock may be wrong. */
  hours: readonly number[]
  /** Those that are not the hour of the service when it answered. */
  otherHours: readonly number[]
  /** The names that filters may have. */
  applications: readonly string[]
  environments: readonly string[]
  /** The applications that the service has seen, but that have no row. */
  others: readonly string[]
  /** Why the figures may be wrong, as sentences. */
  doubts: readonly string[]
  /** The documents of the service, if they are wanted: with days, one for hours and one for days. */
  documents: readonly string[]
}

/** The answer of the service about a flag. @throws a 404 with a suggestion for a name that is not a flag */
async function readAnswer(connection: Connection, flag: string, { span, nameCheck }: UsageRequest) {
  try {
    return span ? await readSpan(connection, flag, span) : await readLastHour(connection, flag)
  } catch (error) {
    const failure = failureOf(error)
    const checked = failure.kind === 'notFound' ? await nameCheck?.check(flag) : undefined
    throw checked?.problem ? withParts(failure, { hint: checked.problem }) : failure
  }
}

/** Whether a time is of another clock hour than that of the answer. */
function isOtherHour(time: number, readAt: number): boolean {
  return time < hourOf(readAt - MAX_AGE_MS) || hourOf(time) > readAt + MAX_AGE_MS
}

/** Why figures of the current hour may be wrong. */
function lastHourDoubts(records: Records, request: UsageRequest): string[] {
  const doubts = recordDoubts(records, request)
  if (request.groupBy === 'variant' && records.used.length > 0 && !records.hasVariants) {
    doubts.push('the service reports no variants in the current clock hour (--since 24h has them)')
  }
  return doubts
}

/** Sets when the usage of rows was last seen. */
function setSeen(
  rows: readonly UsageRow[],
  flag: Flag,
  { used }: Records,
  request: UsageRequest & UsageQuestion,
): void {
  const { by, groupBy: grouping } = request
  if (by || grouping === 'variant') return
  const isUnused = rows.every((row) => !isUsed(row))
  const isBy = (part: typeof grouping) => !isUnused && (grouping === undefined || grouping === part)
  const scope = { application: isBy('application'), environment: isBy('environment') }
  const seenAt = createSightings(flag, used, request, scope)
  for (const row of rows) row.seenAt = seenAt(row)
}

async function readUsage(
  connection: Connection,
  name: string,
  known: Flag | undefined,
  request: UsageRequest,
): Promise<FlagUsage> {
  const { span, wantsJson, by, nameCheck } = request
  const answer = await readAnswer(connection, name, request)
  const { records, documents, seen, from, readAt } = answer
  const isUnknown = records.used.length === 0 && !known
  const checked = isUnknown ? await nameCheck?.check(name) : undefined
  if (checked?.problem) throw new FlagadmError('notFound', checked.problem, { featureName: name })
  const flag = known ?? checked?.flag
  const all = span ? records.used : records.all
  const kept = wantsJson ? [] : all.filter(matcherFor(request))
  const unseen = new Set(request.application ? [] : seen)
  for (const { application = '' } of kept) unseen.delete(application)
  const size = by === 'day' ? 24 * HOUR_MS : HOUR_MS
  const rows = rowsOf(kept, name, known?.projectId, request, (time) => {
    if (by) return time - (time % size)
    return !span && isOtherHour(time, readAt) ? hourOf(time) : undefined
  })
  if (span && flag && !wantsJson) setSeen(rows, flag, records, { ...request, span })
  const times = span ? [] : distinct(records.used.map(({ time }) => time))
  const hours = distinct(times.map(hourOf))
  const doubts = span
    ? figureDoubts(flag, answer, { ...request, span })
    : lastHourDoubts(records, request)
  return {
    flag: name,
    rows,
    isUsed: kept.some(isUsed),
    from,
    hasMoreApplications: span !== undefined && hasMoreApplications(records),
    hasApplications: records.applications.length > 0,
    hours,
    otherHours: hours.filter((hour) => isOtherHour(hour, readAt)),
    applications: [...records.applications, ...seen],
    environments: records.environments,
    others: [...unseen].sort(),
    doubts: [...doubts, ...(checked?.doubts ?? [])],
    documents: wantsJson ? documents : [],
  }
}

/**
 * Reads the usage of the selected flags. Names that are not flags are failures.
 * @param use takes the usage of each flag, in their order; without it, all are returned
 */
export async function readUsages(
  connection: Connection,
  { names, flags, absences }: Selection,
  request: UsageRequest,
  use?: (usage: FlagUsage) => void,
): Promise<Results<FlagUsage>> {
  const { clock } = connection
  const read = async (name: string) => {
    const absence = absences.get(name)
    if (!absence) return readUsage(connection, name, flags.get(name), request)
    throw new FlagadmError('notFound', absence.reason, { featureName: name })
  }
  const usages = await readEach('flag', names, connection, read, use)
  const isSameHour = !request.span || hourOf(clock.now()) === hourOf(request.span.now)
  if (use || isSameHour) return usages
  // The service may have lost the first hour of the span. All flags are to cover the same hours.
  return readEach('flag', names, connection, read)
}
