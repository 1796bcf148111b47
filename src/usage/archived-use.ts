// Archived flags that SDKs still ask for.
import { failureOf, type FlagadmError, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { timeSpan } from '../input/values.ts'
import { orderBy } from '../output/order.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { DAY_MS, HOUR_MS } from '../output/time.ts'
import { readEach } from '../requests/each.ts'
import { optional } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import type { FoundFeatures } from '../service/schema.ts'
import { readFlagEvents } from '../flags/events.ts'
import { readArchivedSeenSince } from '../flags/search.ts'
import { readableSpan, readSpan } from './daily-usage.ts'

/** An archived flag, and when it was asked for since. */
export interface ArchivedUse {
  name: string
  projectId: string
  archivedAt: string
  /** Undefined if no event shows it. */
  archivedBy: string | undefined
  /** Who asks, where and when; an application is known only from usage of the last two days. */
  uses: readonly ArchivedUsePlace[]
}

interface ArchivedUsePlace {
  application: string | undefined
  environment: string | undefined
  seenAt: string
}

type Found = FoundFeatures['features'][number]

// SDKs report their usage late, and the clocks of flags and of archives may differ.
const AFTERWARDS_MS = HOUR_MS
// An application that has not asked for this long has been released without the flag since.
const RECENT_MS = 30 * DAY_MS
const MAX_USAGE = 50

/** Where a flag was seen after it was archived; without environments, the flag itself. */
function sightingsOf({ archivedAt, environments, lastSeenAt }: Found): ArchivedUsePlace[] {
  const since = (timeOf(archivedAt) ?? Number.POSITIVE_INFINITY) + AFTERWARDS_MS
  const places = environments?.length
    ? environments.map(({ name, lastSeenAt: seenAt }) => ({ environment: name, seenAt }))
    : [{ environment: undefined, seenAt: lastSeenAt }]
  return places.flatMap(({ environment, seenAt }) => {
    const isAfter = seenAt != null && (timeOf(seenAt) ?? 0) > since
    return isAfter
      ? [{ application: undefined, environment: environment ?? undefined, seenAt }]
      : []
  })
}

const lastSighting = (places: readonly ArchivedUsePlace[]) =>
  Math.max(...places.map(({ seenAt }) => timeOf(seenAt) ?? 0))

/** The same places with the applications that asked there, where usage has them. */
async function withApplications(
  connection: Connection,
  { name, archivedAt, uses }: ArchivedUse,
): Promise<ArchivedUsePlace[]> {
  const span = await readableSpan(connection, timeSpan('', '48h'))
  const { records } = await readSpan(connection, name, span)
  const since = timeOf(archivedAt) ?? span.now
  const later = records.used.filter(({ time = 0 }) => time + HOUR_MS > since)
  return uses.flatMap((place) => {
    const recordsOfPlace = later.filter(
      ({ environment }) => (place.environment ?? environment) === environment,
    )
    const applications = new Set(recordsOfPlace.map(({ application }) => application))
    return applications.size === 0
      ? [place]
      : Array.from(applications, (application) => ({ ...place, application }))
  })
}

/** Who archived flags, by name. */
async function readArchivers(connection: Connection, found: readonly ArchivedUse[]) {
  const names = found.map(({ name }) => name)
  const since = Math.min(...found.map(({ archivedAt }) => timeOf(archivedAt) ?? 0))
  const events = await optional(readFlagEvents(connection, names, since - HOUR_MS))
  return new Map(
    names.flatMap((name) => {
      const archiving = events?.get(name)?.find(({ type }) => type === 'feature-archived')
      return archiving?.createdBy ? [[name, archiving.createdBy] as const] : []
    }),
  )
}

/** The archived flags that were asked for lately, and what is not known of them. */
export interface ArchivedUses {
  found: readonly ArchivedUse[]
  incomplete: readonly Incomplete[]
  /** Why archived flags are not known, or not all of them. */
  failure: FlagadmError | undefined
}

const notListed = (failure: FlagadmError): Incomplete => ({
  message: `archived flags that SDKs ask for are not known: ${problemText(failure)}`,
  names: [],
})

/** Finds the archived flags that were seen after they were archived, those that were seen last first. */
export async function readArchivedUses(connection: Connection): Promise<ArchivedUses> {
  const since = connection.clock.now() - RECENT_MS
  const read = await readArchivedSeenSince(connection.service, since).catch(failureOf)
  if (!('flags' in read)) return { found: [], incomplete: [notListed(read)], failure: read }
  const archivedUses = read.flags
    .flatMap((flag): ArchivedUse[] => {
      const uses = sightingsOf(flag)
      if (uses.length === 0 || lastSighting(uses) < since || !flag.archivedAt) return []
      const { name, project, archivedAt } = flag
      return [{ name, projectId: project ?? '', archivedAt, archivedBy: undefined, uses }]
    })
    .sort(
      orderBy(
        ({ uses }) => -lastSighting(uses),
        ({ name }) => name,
      ),
    )
  if (archivedUses.length === 0) return { found: archivedUses, incomplete: [], failure: undefined }
  const looked = archivedUses.slice(0, MAX_USAGE)
  const usesOf = new Map<string, ArchivedUsePlace[]>()
  await readEach('flag', looked, connection, async (archivedUse) => {
    usesOf.set(archivedUse.name, await withApplications(connection, archivedUse))
  })
  const archivers = await readArchivers(connection, looked)
  const unread = archivedUses.map(({ name }) => name).filter((name) => !usesOf.has(name))
  const message = `who asks for them was not looked at, or could not be read`
  return {
    found: archivedUses.map((one) => ({
      ...one,
      archivedBy: archivers.get(one.name),
      uses: usesOf.get(one.name) ?? one.uses,
    })),
    incomplete: unread.length > 0 ? [{ message, names: unread }] : [],
    failure: undefined,
  }
}
