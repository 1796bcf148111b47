// Reads the changes of flags and projects, newest first.
import { batchesOf, dayBefore, isOfAdmin, recentOf } from '../flags/events.ts'
import { timeOf } from '../input/time.ts'
import { DAY_MS } from '../output/time.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { groupDigits } from '../output/numbers.ts'
import { unlessMissing, type ServiceDocument } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { EventList, FlagEvent } from '../service/schema.ts'

/** Whose changes to read: those of flags, otherwise of projects, otherwise all. */
export interface HistoryScope {
  names: readonly string[]
  projects: readonly string[]
}

/** Changes, and what may be missing. */
export interface ChangesRead {
  events: FlagEvent[]
  incomplete: Incomplete[]
}

const PAGE_SIZE = 1000
// Before 6.1, the service refuses more.
const OLD_PAGE_SIZE = 100
// Before 7.1, the order of changes of the same time is not the same for each page: without an overlap, some would be on none.
const OVERLAP = 0.1
// More are not read: a service could go on without an end.
const MAX_PAGES = 110
// Of all pages, because changes are kept with their documents.
const MAX_LETTERS = 2 ** 28

type ReadPage = (offset: number) => Promise<ServiceDocument<EventList>>

/** Whether a page goes back so far that all later ones are too old. */
function isOld(page: readonly FlagEvent[], since: number): boolean {
  const last = timeOf(page.at(-1)?.createdAt)
  return last !== undefined && last < since
}

/**
 * Reads pages up to the last one, each event once.
 * @param oldest a time before which nothing is needed: services that cannot filter by time go on beyond it
 */
async function readPages(
  readPage: ReadPage,
  oldest: number,
  size = PAGE_SIZE,
): Promise<ChangesRead> {
  const events = new Map<unknown, FlagEvent>()
  let expected: number | undefined
  let letters = 0
  for (let page = 0; page < MAX_PAGES && letters < MAX_LETTERS; page++) {
    const offset = page * size * (1 - OVERLAP)
    const { data, json } = await readPage(offset)
    letters += json.length
    const { events: entries, total, totalEvents } = data
    for (const event of entries) events.set(event.id ?? event, event)
    // New changes are added while pages are read.
    expected ??= total ?? totalEvents ?? undefined
    const isLast = entries.length < size || offset + entries.length === expected
    if (!isLast && !isOld(entries, oldest)) continue
    const isWhole = expected === undefined || events.size >= expected || isOld(entries, oldest)
    const message = `the service returned ${groupDigits(events.size)} of ${groupDigits(expected ?? 0)} changes`
    return { events: [...events.values()], incomplete: isWhole ? [] : [{ message, names: [] }] }
  }
  const message = `only the newest ${groupDigits(events.size)} changes were read`
  return { events: [...events.values()], incomplete: [{ message, names: [] }] }
}

/** Several readings as one. */
async function inOrder(readings: readonly (() => Promise<ChangesRead>)[]): Promise<ChangesRead> {
  const all: ChangesRead = { events: [], incomplete: [] }
  for (const read of readings) {
    const { events, incomplete } = await read()
    for (const event of events) all.events.push(event)
    all.incomplete.push(...incomplete)
  }
  return all
}

/** What reads a page of the changes, from a service that can search for them: for each batch of flags, or for all. */
function searches(
  { service }: Connection,
  { names, projects }: HistoryScope,
  from: string,
): ((offset: string) => ReturnType<ReadPage>)[] {
  if (names.length > 0) {
    return Array.from(batchesOf(names), (some) => (offset) => {
      const featureNames = some.join(',')
      return service.read(operations.searchEvents, { featureNames, from, offset })
    })
  }
  if (projects.length === 0) {
    return [(offset) => service.read(operations.allEvents, { from, offset })]
  }
  const projectIds = projects.join(',')
  return [(offset) => service.read(operations.projectEvents, { projectIds, from, offset })]
}

/** The changes of a service before 6.1: of each flag or project one after the other. */
function searchOld(
  { service }: Connection,
  { names, projects }: HistoryScope,
  oldest: number,
): Promise<ChangesRead> {
  const filters =
    names.length > 0
      ? names.map((feature) => ({ feature }))
      : projects.map((project) => ({ project }))
  const readings = (filters.length > 0 ? filters : [{}]).map((filter) => () => {
    const readPage: ReadPage = (offset) =>
      service.read(operations.oldEvents, {}, { ...filter, limit: OLD_PAGE_SIZE, offset })
    return readPages(readPage, oldest, OLD_PAGE_SIZE)
  })
  return inOrder(readings)
}

const PART = 'only changes of projects that it may see, and none without a project'

/** Why the key may not see all changes; undefined if it does. */
async function keyGap(connection: Connection): Promise<Incomplete | undefined> {
  const isAdmin = await isOfAdmin(connection)
  if (isAdmin) return undefined
  const message =
    isAdmin === undefined
      ? `it is not known whether the key is of an admin: another sees ${PART}`
      : `the key is not of an admin: it sees ${PART}`
  return { message, names: [] }
}

/**
 * Reads the changes since a time; those whose time cannot be read are included.
 * @param since milliseconds since the epoch
 * @throws an error if they cannot be read, `notFound` if the service has no events
 */
export async function readChanges(
  connection: Connection,
  scope: HistoryScope,
  since: number,
): Promise<ChangesRead> {
  const { progress } = connection
  const from = dayBefore(since)
  // The day in the zone of the service may begin earlier.
  const oldest = Date.parse(from) - DAY_MS
  const readings = searches(connection, scope, from).map(
    (readPage) => () => readPages((offset) => readPage(`${offset}`), oldest),
  )
  const [found, gap] = await progress.track({ verb: 'Reading', noun: 'change' }, () =>
    Promise.all([unlessMissing(inOrder(readings)), keyGap(connection)]),
  )
  const { events, incomplete } = found ?? (await searchOld(connection, scope, since))
  return {
    events: recentOf(events, since),
    incomplete: gap ? [...incomplete, gap] : incomplete,
  }
}
