// Recent changes of flags, and of the environments of their projects.
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { optional } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { FlagEvent } from '../service/schema.ts'
import { tokenKind } from '../service/token.ts'
import { orderBy } from '../output/order.ts'
import { batchesOf, readEnvironmentEvents, readFlagEvents, segmentOf } from '../flags/events.ts'
import type { Flag } from '../flags/flag.ts'
import { latest } from '../flags/records.ts'

/** The events about a flag since a time, newest first. */
export interface RecentChanges {
  /** Undefined if the service shows none. */
  changes: readonly FlagEvent[] | undefined
  /** Those that took environments out of projects, or out of the service; undefined if they are not shown, or not needed. */
  removals: readonly FlagEvent[] | undefined
}

// They go with removing a flag, and change what it answers.
const removalTypes: readonly string[] = [
  'feature-archived',
  'feature-dependencies-removed',
  'feature-dependency-removed',
  'feature-environment-disabled',
  'feature-strategy-remove',
  'release-plan-removed',
]

// They say nothing about its use, and change nothing that it answers.
const markTypes: readonly string[] = [
  'drop-feature-tags',
  'feature-completed',
  'feature-favorited',
  'feature-link-added',
  'feature-link-removed',
  'feature-link-updated',
  'feature-metadata-updated',
  'feature-potentially-stale-on',
  'feature-stale-on',
  'feature-tag-import',
  'feature-tagged',
  'feature-type-updated',
  'feature-unfavorited',
  'feature-untagged',
]

/**
 * The latest change that made a flag ready for use, or may have: also one of a type that a later version of the service adds.
 * @param changes newest first
 */
export function preparation(changes: readonly FlagEvent[]): FlagEvent | undefined {
  return changes.find(({ type }) => !markTypes.includes(type) && !removalTypes.includes(type))
}

/** The latest change of what a flag answers, or may answer. @param changes newest first */
export function answerChange(changes: readonly FlagEvent[]): FlagEvent | undefined {
  return changes.find(({ type }) => !markTypes.includes(type))
}

/** Whether a service has no events, or shows them to other keys only. */
function isHidden({ kind }: FlagadmError): boolean {
  return kind === 'notFound' || kind === 'forbidden'
}

/** What was read about the changes of some flags. */
interface ChangesRead {
  /** By the name of the flag. */
  changes: ReadonlyMap<string, RecentChanges | FlagadmError>
  /** What the report lacks, if the service does not show changes. */
  incomplete: readonly Incomplete[]
  /** The latest time that the service gave to an event, in milliseconds since the epoch. */
  lastTime: number | undefined
}

/** The events of flags, or why they could not be read, by the name of the flag; the failure if the service shows none. */
async function readEvents(connection: Connection, names: readonly string[], since: number) {
  const events = new Map<string, readonly FlagEvent[] | FlagadmError>()
  for (const some of batchesOf(names)) {
    try {
      const batchEvents = await readFlagEvents(connection, some, since)
      for (const name of some) events.set(name, batchEvents.get(name) ?? [])
    } catch (error) {
      const failure = failureOf(error)
      if (isHidden(failure) && events.size === 0) return failure
      for (const name of some) events.set(name, failure)
    }
  }
  return events
}

const NO_REMOVALS =
  'the service does not show which environments projects had before, where flags may have been seen'

const NO_DELETIONS =
  'only root admins see which environments were deleted, where flags may have been seen'

/** Whether the key belongs to a root admin, as far as that is known. */
async function isOfAdmin({ service, apiKey }: Connection): Promise<boolean> {
  if (tokenKind(apiKey) === 'admin') return true
  const user = await optional(service.read(operations.user, {}))
  return user?.data.permissions.some(({ permission }) => permission === 'ADMIN') === true
}

/** What the report lacks of the environments that were taken out, whose events were read or not. */
async function removalGaps(
  connection: Connection,
  removals: readonly FlagEvent[] | FlagadmError,
): Promise<Incomplete[]> {
  if (!(removals instanceof FlagadmError)) {
    return (await isOfAdmin(connection)) ? [] : [{ message: NO_DELETIONS, names: [] }]
  }
  return isHidden(removals) ? [{ message: NO_REMOVALS, names: [] }] : []
}

/** From when on changes are read, in milliseconds since the epoch. */
interface ReadSince {
  since: number
  /** Of the environments of projects; undefined if they are not needed. */
  removalsSince: number | undefined
  /** The segments that strategies of a flag use, by its name. */
  segments: ReadonlyMap<string, ReadonlySet<number>>
  /** The changes of segments and imports, which are read once for all flags. */
  readShared(): Promise<readonly FlagEvent[] | FlagadmError>
}

/** Whether an event that is about several flags may have changed this one: a segment that it uses, or what its project has. */
function mayChange(event: FlagEvent, flag: Flag, used: ReadonlySet<number> | undefined): boolean {
  const segment = segmentOf(event)
  if (segment !== undefined) return used?.has(segment) === true
  return event.type === 'features-imported' && (event.project ?? flag.projectId) === flag.projectId
}

/** The changes of a flag with those of others that may have changed it, newest first. */
function withShared(own: readonly FlagEvent[], shared: readonly FlagEvent[]): readonly FlagEvent[] {
  if (shared.length === 0) return own
  return [...own, ...shared].sort(orderBy((event) => -(timeOf(event.createdAt) ?? 0)))
}

/** Reads the changes of flags, and of the environments of projects. */
export async function readChanges(
  connection: Connection,
  flags: readonly Flag[],
  { since, removalsSince, segments, readShared }: ReadSince,
): Promise<ChangesRead> {
  const names = flags.map(({ name }) => name)
  const events = await readEvents(connection, names, since)
  if (events instanceof FlagadmError) {
    const message = `recent changes of flags are not known, because the service does not show events: ${problemText(events)}`
    return {
      changes: new Map(names.map((name) => [name, { changes: undefined, removals: undefined }])),
      incomplete: [{ message, names: [] }],
      lastTime: undefined,
    }
  }
  const removals =
    removalsSince === undefined
      ? []
      : await readEnvironmentEvents(connection, removalsSince).catch(failureOf)
  const knownRemovals = removals instanceof FlagadmError ? undefined : removals
  const shared = await readShared()
  const changes = new Map<string, RecentChanges | FlagadmError>()
  for (const flag of flags) {
    const flagEvents = events.get(flag.name) ?? []
    const isUnread = removals instanceof FlagadmError && !isHidden(removals)
    if (flagEvents instanceof FlagadmError) changes.set(flag.name, flagEvents)
    else if (isUnread) changes.set(flag.name, removals)
    else if (shared instanceof FlagadmError) {
      changes.set(
        flag.name,
        isHidden(shared) ? { changes: flagEvents, removals: knownRemovals } : shared,
      )
    } else {
      const others = shared.filter((event) => mayChange(event, flag, segments.get(flag.name)))
      changes.set(flag.name, { changes: withShared(flagEvents, others), removals: knownRemovals })
    }
  }
  const all = [...events.values(), knownRemovals ?? []].flatMap((list) =>
    list instanceof FlagadmError ? [] : list,
  )
  return {
    changes,
    incomplete: removalsSince === undefined ? [] : await removalGaps(connection, removals),
    lastTime: latest(all.map(({ createdAt }) => timeOf(createdAt))),
  }
}
