// Usage of a span that is longer than the hours which a service keeps: days, and the hours of yesterday and today.
import { DAY_MS } from '../output/time.ts'
import { type TimeSpan, timeSpan } from '../input/values.ts'
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import {
  distinct,
  readHours,
  readRecords,
  type Records,
  type UsageRecord,
} from '../flags/records.ts'
import { dayOf, daysBack, firstKeptDay, isLong, type Span, spanOf } from '../flags/span.ts'

/** Whether a service keeps usage of days; a failure if that is not known. */
async function keepsDays(service: Service): Promise<boolean | FlagadmError> {
  try {
    // A service that follows only the specification keeps none.
    const config = await unlessMissing(service.config())
    if (config && !config.flags) {
      return new FlagadmError('unavailable', 'its configuration does not say so')
    }
    return config?.flags?.extendedUsageMetrics === true
  } catch (error) {
    return failureOf(error)
  }
}

// Jobs may run once a month.
export const LONGEST_DEFAULT = '30d'

const longest = { withDays: timeSpan('', LONGEST_DEFAULT), withHours: timeSpan('', '48h') }

/**
 * A span that ends now, with days if it is longer than the hours that a service keeps, and the service keeps days.
 * @param given its length; without it, as far as the service keeps usage, at most 30 days
 */
export async function readableSpan(
  { service, clock }: Connection,
  given: TimeSpan | undefined,
): Promise<Span> {
  const answer = (!given || isLong(given)) && (await keepsDays(service))
  const hasDays = answer === true
  const asked = given ?? (hasDays ? longest.withDays : longest.withHours)
  const span = spanOf(asked, await clock.read(), { keepsDays: hasDays, isDefault: !given })
  return answer instanceof FlagadmError ? { ...span, daysProblem: problemText(answer) } : span
}

/** What a report lacks that looks at days by default. @param failure of reading since when there are any */
export function daysGaps(
  { daysProblem, isDefault }: Span,
  failure: FlagadmError | undefined,
): Incomplete[] {
  const problem = daysProblem ?? (failure && problemText(failure))
  if (problem === undefined || !isDefault) return []
  const what = failure ? 'since when' : 'whether'
  return [
    { message: `it is not known ${what} the service keeps usage of days: ${problem}`, names: [] },
  ]
}

/** Whether times are ends of days, as those of daily figures are; other services return hours instead. */
function areDays(times: readonly number[]): boolean {
  return times.every((time) => time % DAY_MS === DAY_MS - 1)
}

/**
 * The usage of a flag by day; undefined if the service returns something else.
 * @param firstDay the start of the first day to read
 */
export async function readDays(connection: Connection, featureName: string, firstDay: number) {
  const hours = daysBack(firstDay, connection.clock.now())
  const { records, json } = await readRecords(connection, featureName, hours)
  return areDays(records.times) ? { records, json } : undefined
}

/** The records of days before the hours of a span, with the start of the day as their time. */
export function daysBefore(records: readonly UsageRecord[], { firstHour }: Span): UsageRecord[] {
  return records.flatMap((record) => {
    const time = record.time === undefined ? undefined : dayOf(record.time)
    return time !== undefined && time < firstHour ? [{ ...record, time }] : []
  })
}

const placeKey = ({ application, environment }: UsageRecord) =>
  JSON.stringify([application, environment])

/**
 * Records of hours, and those of the days before them: the service makes up days with zeros, which show nothing. Of the day
 * before yesterday, of which there are hours as well, they count where the day has no figures.
 */
function withDays(hours: Records, days: Records, span: Span): Records {
  const { firstDay = 0, firstHour } = span
  const inSpan = (records: readonly UsageRecord[]) =>
    daysBefore(records, span).filter(({ time = 0 }) => time >= firstDay)
  const used = inSpan(days.used)
  const lastDay = firstHour - DAY_MS
  const places = new Set(used.filter(({ time }) => time === lastDay).map(placeKey))
  const isCounted = (record: UsageRecord) => {
    const isInDays = record.time !== undefined && record.time < firstHour
    return !isInDays || !places.has(placeKey(record))
  }
  const namesOf = (key: 'application' | 'environment') =>
    used.flatMap((record) => record[key] ?? [])
  return {
    ...hours,
    all: [...used, ...hours.all.filter(isCounted)],
    used: [...used, ...hours.used.filter(isCounted)],
    uncounted: [...inSpan(days.uncounted), ...hours.uncounted.filter(isCounted)],
    applications: [...new Set([...hours.applications, ...namesOf('application')])].sort(),
    environments: [...new Set([...hours.environments, ...namesOf('environment')])].sort(),
  }
}

/**
 * The usage of a flag in a span, by hour and, where the span has days, by day; what it covers if the service has all those days
 * (`coverageIn` says which it has); and the documents of the service.
 * @param wantsEarlier whether to return the usage before the span as well, with the same request
 */
export async function readSpan(
  connection: Connection,
  featureName: string,
  span: Span,
  { wantsEarlier = false } = {},
) {
  const { firstDay, firstHour, now } = span
  const length = { text: span.asked.text, milliseconds: now - firstHour }
  const hourSpan = firstDay === undefined ? span : { ...span, asked: length, start: firstHour }
  const { json, ...hours } = await readHours(connection, featureName, hourSpan)
  if (firstDay === undefined) return { ...hours, documents: [json] }
  // One after the other, because the number of requests at once is limited.
  const days = await readDays(connection, featureName, wantsEarlier ? firstKeptDay(now) : firstDay)
  if (!days || !hours.isWhole) return { ...hours, isWhole: false, documents: [json] }
  const used = daysBefore(days.records.used, span)
  return {
    ...hours,
    from: firstDay,
    isWhole: firstDay <= span.start,
    hoursFrom: hours.from,
    days: distinct(used.map(({ time }) => time)),
    earlier: used.filter(({ time = firstDay }) => time < firstDay),
    records: withDays(hours.records, days.records, span),
    documents: [json, days.json],
  }
}
