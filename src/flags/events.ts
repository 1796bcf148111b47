import { FlagadmError } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { DAY_MS } from '../output/time.ts'
import { readEach } from '../requests/each.ts'
import { type Service, type ServiceDocument, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { EventList, FlagEvent } from '../service/schema.ts'

// So many names fit into a URL, however long they are.
const MAX_NAMES = 50
const PAGE = 1000
// More are not read: a service could go on without an end.
const MAX_EVENTS = 100_000

/**
 * All pages of a list of events.
 * @throws an error if the service returns fewer than it says that there are, and if there are too many
 */
async function readPages(
  readPage: (offset: string) => Promise<ServiceDocument<EventList>>,
): Promise<FlagEvent[]> {
  const events: FlagEvent[] = []
  for (;;) {
    const { data } = await readPage(String(events.length))
    for (const event of data.events) events.push(event)
    const { total } = data
    // Without a total, a page that is not full is the last one.
    const isLast = total == null ? data.events.length < PAGE : events.length >= total
    if (isLast) return events
    if (data.events.length === 0 || events.length > MAX_EVENTS) throw missing(events, total)
  }
}

function missing({ length }: readonly FlagEvent[], total: number | null | undefined) {
  const what = `the service returned ${length} of ${total ?? 'too many'} events`
  return new FlagadmError('unavailable', what, { hint: 'check the log of the service' })
}

/** The day to ask from: a day early, because the zone in which the service takes the day is not known. */
function dayBefore(since: number): string {
  return new Date(since - DAY_MS).toISOString().slice(0, 10)
}

/** The events since a time; those whose time cannot be read are included. */
function recentOf(events: readonly FlagEvent[], since: number): FlagEvent[] {
  return events.filter(({ createdAt }) => {
    const time = timeOf(createdAt)
    return time === undefined || time >= since
  })
}

/** The events of some flags; undefined if the service cannot search for events. */
function searchEvents(service: Service, names: readonly string[], from: string) {
  const featureNames = names.join(',')
  return unlessMissing(
    readPages((offset) => service.read(operations.searchEvents, { featureNames, from, offset })),
  )
}

/** The events of each flag, one request after the other, from a service that cannot search for them. */
async function readOneByOne(connection: Connection, names: readonly string[], since: number) {
  const { results, failures } = await readEach('flag', names, connection, async (featureName) => {
    const { data } = await connection.service.read(operations.featureEvents, { featureName })
    const { totalEvents } = data
    // The service may return only the newest ones, which is enough if they go back far enough.
    const oldest = timeOf(data.events.at(-1)?.createdAt)
    const isEnough = oldest !== undefined && oldest < since
    if (totalEvents != null && data.events.length < totalEvents && !isEnough) {
      throw missing(data.events, totalEvents)
    }
    return data.events.map((event): FlagEvent => ({ ...event, featureName }))
  })
  for (const failure of failures.values()) throw failure
  return results.flat()
}

/** Names in groups of which each fits into a request. */
export function* batchesOf(names: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < names.length; start += MAX_NAMES) {
    yield names.slice(start, start + MAX_NAMES)
  }
}

/**
 * The events of each flag since a time, newest first; those whose time cannot be read are included. One that does not say
 * of which flag it is may be of any of those in its request.
 * @param since milliseconds since the epoch
 * @throws an error if they cannot be read, `notFound` if the service has no events
 */
export async function readFlagEvents(
  connection: Connection,
  names: readonly string[],
  since: number,
): Promise<Map<string, readonly FlagEvent[]>> {
  const from = dayBefore(since)
  const found = new Map<string, readonly FlagEvent[]>()
  for (const some of batchesOf(names)) {
    const events = await searchEvents(connection.service, some, from)
    const recent = recentOf(events ?? (await readOneByOne(connection, some, since)), since)
    for (const name of some) {
      found.set(
        name,
        recent.filter(({ featureName }) => (featureName ?? name) === name),
      )
    }
  }
  return found
}

/**
 * The events since a time that took environments out of projects or of the service, newest first.
 * @throws an error if they cannot be read, `notFound` if the service cannot search for events
 */
export async function readEnvironmentEvents(
  { service }: Connection,
  since: number,
): Promise<FlagEvent[]> {
  const from = dayBefore(since)
  const events = await readPages((offset) =>
    service.read(operations.environmentEvents, { from, offset }),
  )
  return recentOf(events, since)
}
