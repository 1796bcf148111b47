// Usage of a span that is longer than the hours which a service keeps: days, and the hours of yesterday and today.
import { DAY_MS } from '../output/time.ts'
import { type TimeSpan, timeSpan } from '../input/values.ts'
import { optional, type Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { readHours, readRecords, type Records, type UsageRecord } from '../flags/records.ts'
import { dayOf, daysBack, isLong, type Span, spanOf } from '../flags/span.ts'

/** Whether a service keeps usage of days. */
async function keepsDays(service: Service): Promise<boolean> {
  const config = await optional(service.config())
  return config?.flags?.extendedUsageMetrics === true
}

/** A span of a length that ends now, with days if it is longer than the hours that a service keeps, and the service keeps days. */
export async function readableSpan({ service, clock }: Connection, asked: TimeSpan): Promise<Span> {
  const hasDays = isLong(asked) && (await keepsDays(service))
  return spanOf(asked, await clock.read(), { keepsDays: hasDays })
}

// Jobs may run once a month.
export const LONGEST_DEFAULT = '30d'

/** The longest span that a service keeps, at most 30 days. */
export async function longestSpan({ service, clock }: Connection): Promise<Span> {
  const hasDays = await keepsDays(service)
  const asked = timeSpan('', hasDays ? LONGEST_DEFAULT : '48h')
  return spanOf(asked, await clock.read(), { keepsDays: hasDays, isDefault: true })
}

/** Whether times are ends of days, as those of daily figures are; other services return hours instead. */
function areDays(times: readonly number[]): boolean {
  return times.every((time) => time % DAY_MS === DAY_MS - 1)
}

/** The usage of the days of a span; undefined if the service returns something else. */
async function readDays(connection: Connection, featureName: string, firstDay: number) {
  const hours = daysBack(firstDay, connection.clock.now())
  const { records, json } = await readRecords(connection, featureName, hours)
  return areDays(records.times) ? { records, json } : undefined
}

/** The records of the days of a span that are before its hours, with the start of the day as their time. */
function daysOf(records: readonly UsageRecord[], { firstDay = 0, firstHour }: Span): UsageRecord[] {
  return records.flatMap((record) => {
    const time = record.time === undefined ? undefined : dayOf(record.time)
    const isBefore = time !== undefined && time >= firstDay && time < firstHour
    return isBefore ? [{ ...record, time }] : []
  })
}

/** Records of hours, and those of the days before them: the service makes up days with zeros, which show nothing. */
function withDays(hours: Records, days: Records, span: Span): Records {
  const used = daysOf(days.used, span)
  const namesOf = (key: 'application' | 'environment') =>
    used.flatMap((record) => record[key] ?? [])
  return {
    ...hours,
    all: [...used, ...hours.all],
    used: [...used, ...hours.used],
    uncounted: [...daysOf(days.uncounted, span), ...hours.uncounted],
    applications: [...new Set([...hours.applications, ...namesOf('application')])].sort(),
    environments: [...new Set([...hours.environments, ...namesOf('environment')])].sort(),
  }
}

/** The usage of a flag in a span, by hour and, where the span has days, by day; what it covers; and the documents of the service. */
export async function readSpan(connection: Connection, featureName: string, span: Span) {
  const { firstDay, firstHour, now } = span
  const length = { text: span.asked.text, milliseconds: now - firstHour }
  const hourSpan = firstDay === undefined ? span : { ...span, asked: length, start: firstHour }
  const { json, ...hours } = await readHours(connection, featureName, hourSpan)
  if (firstDay === undefined) return { ...hours, documents: [json] }
  // One after the other, because the number of requests at once is limited.
  const days = await readDays(connection, featureName, firstDay)
  if (!days || !hours.isWhole) return { ...hours, isWhole: false, documents: [json] }
  return {
    ...hours,
    from: firstDay,
    isWhole: firstDay <= span.start,
    records: withDays(hours.records, days.records, span),
    documents: [json, days.json],
  }
}
