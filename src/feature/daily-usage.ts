// Usage of a span that is longer than the hours which a service keeps: days, and the hours of yesterday and today.
import { DAY_MS } from '../output/time.ts'
import { optional, type Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { readHours, readRecords, type Records, type UsageRecord } from './records.ts'
import { dayOf, daysBack, type Span } from './span.ts'

/** Whether a service keeps usage of days. */
export async function keepsDays(service: Service): Promise<boolean> {
  const config = await optional(service.config())
  return config?.flags?.extendedUsageMetrics === true
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

/** The usage of a flag in a span, by hour and, where the span has days, by day; and what it covers. */
export async function readSpan(connection: Connection, featureName: string, span: Span) {
  const { firstDay, firstHour, now } = span
  if (firstDay === undefined) return readHours(connection, featureName, span)
  const length = { text: span.asked.text, milliseconds: now - firstHour }
  const [hours, days] = await Promise.all([
    readHours(connection, featureName, { ...span, asked: length, start: firstHour }),
    readDays(connection, featureName, firstDay),
  ])
  if (!days || !hours.isWhole) return { ...hours, isWhole: false }
  return {
    ...hours,
    from: firstDay,
    isWhole: firstDay <= span.start,
    records: withDays(hours.records, days.records, span),
    json: `${hours.json}\n${days.json}`,
  }
}
