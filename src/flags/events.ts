import * as v from 'valibot'
import { timeOf } from '../input/time.ts'
import { DAY_MS, dayText } from '../output/time.ts'
import { readEach } from '../requests/each.ts'
import { optional, type Service, type ServiceDocument, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { EventList, FlagEvent } from '../service/schema.ts'
import { tokenKind } from '../service/token.ts'
import { cutOff, pagesOf } from './pages.ts'

// So many names fit into a URL, however long they are.
const MAX_NAMES = 50
const PAGE_SIZE = 1000

// A dependency that was added, or a segment.
const neededData = v.union([
  v.object({
    feature: v.string(),
    enabled: v.nullish(v.boolean()),
    variants: v.nullish(v.array(v.string())),
  }),
  v.object({ id: v.number() }),
])

/** An event without its texts and documents, but for a dependency or the id of a segment: large ones take too much memory. */
export interface KeptEvent extends FlagEvent {
  data: v.InferOutput<typeof neededData> | undefined
}

function withoutDocuments({ data, ...event }: FlagEvent): KeptEvent {
  const { success, output } = v.safeParse(neededData, data)
  return {
    ...event,
    summary: undefined,
    preData: undefined,
    data: success ? output : undefined,
  }
}

/**
 * The events on the pages of a list, newest first.
 * @param since a time before which nothing is needed, for services that cannot filter by time
 * @throws `unavailable` if the list is cut off, or does not end
 */
async function readPages(
  readPage: (offset: string) => Promise<ServiceDocument<EventList>>,
  since = -Infinity,
  size = PAGE_SIZE,
): Promise<KeptEvent[]> {
  const events: KeptEvent[] = []
  const pages = pagesOf('events', size, async (offset) => {
    const { data } = await readPage(offset)
    return { entries: data.events, total: data.total ?? data.totalEvents }
  })
  for await (const page of pages) {
    for (const event of page) events.push(withoutDocuments(event))
    const oldest = timeOf(page.at(-1)?.createdAt)
    if (oldest !== undefined && oldest < since) break
  }
  return events
}

/** The day to ask from: a day early, because the zone in which the service takes the day is not known. */
export function dayBefore(since: number): string {
  return dayText(since - DAY_MS)
}

/** The events since a time; those whose time cannot be read are included. */
export function recentOf<Event extends FlagEvent>(
  events: readonly Event[],
  since: number,
): Event[] {
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
      throw cutOff('events', data.events.length, totalEvents)
    }
    return data.events.map((event) => withoutDocuments({ ...event, featureName }))
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
): Promise<Map<string, readonly KeptEvent[]>> {
  const from = dayBefore(since)
  const eventsOf = new Map<string, readonly KeptEvent[]>()
  for (const some of batchesOf(names)) {
    const events = await searchEvents(connection.service, some, from)
    const recent = recentOf(events ?? (await readOneByOne(connection, some, since)), since)
    for (const name of some) {
      eventsOf.set(
        name,
        recent.filter(({ featureName }) => (featureName ?? name) === name),
      )
    }
  }
  return eventsOf
}

/** Whether the key belongs to a root admin, who sees all events; undefined if that is not known. */
export async function isOfAdmin({ service, apiKey }: Connection): Promise<boolean | undefined> {
  if (tokenKind(apiKey) === 'admin') return true
  const user = await optional(service.read(operations.user, {}))
  return user?.data.permissions.some(({ permission }) => permission === 'ADMIN')
}

// Before 6.1, the service refuses more.
const OLD_PAGE_SIZE = 100

/** The events of a type since a time, from a service that cannot search for events. */
function readOldEvents(service: Service, type: string, since: number): Promise<KeptEvent[]> {
  const body = { type, limit: OLD_PAGE_SIZE }
  const readPage = (offset: string) =>
    service.read(operations.oldEvents, {}, { ...body, offset: Number(offset) })
  return readPages(readPage, since, OLD_PAGE_SIZE)
}

/** Events that may have changed several flags. */
export interface SharedEvents {
  events: readonly KeptEvent[]
  /** Whether the service shows those without a project to root admins only. */
  isForAdmins: boolean
}

/**
 * The events since a time that may have changed several flags, but say of none that they did.
 * @throws an error if they cannot be read, `notFound` if the service has no events
 */
export async function readSharedEvents(
  { service }: Connection,
  since: number,
): Promise<SharedEvents> {
  const from = dayBefore(since)
  const found = await unlessMissing(
    readPages((offset) => service.read(operations.sharedEvents, { from, offset })),
  )
  if (found) return { events: recentOf(found, since), isForAdmins: true }
  const updates = await readOldEvents(service, 'segment-updated', since)
  const imports = await readOldEvents(service, 'features-imported', since)
  return { events: recentOf([...updates, ...imports], since), isForAdmins: false }
}

/**
 * The events since a time that took environments out of projects or of the service, newest first.
 * @throws an error if they cannot be read, `notFound` if the service cannot search for events
 */
export async function readEnvironmentEvents(
  { service }: Connection,
  since: number,
): Promise<KeptEvent[]> {
  const from = dayBefore(since)
  const events = await readPages((offset) =>
    service.read(operations.environmentEvents, { from, offset }),
  )
  return recentOf(events, since)
}
