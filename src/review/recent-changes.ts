// Recent changes of flags, and of the environments of their projects.
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import type { Incomplete } from '../output/incomplete.ts'
import type { Connection } from '../service/connection.ts'
import type { FlagEvent } from '../service/schema.ts'
import { batchesOf, readEnvironmentEvents, readFlagEvents } from '../flags/events.ts'
import type { Flag } from '../flags/flag.ts'
import { latest } from '../flags/records.ts'
import {
  isHidden,
  readSharedChanges,
  type SharedReads,
  type UsedSegments,
  withShared,
} from './shared-changes.ts'

/** The events about a flag since a time, newest first. */
export interface RecentChanges {
  /** Undefined if the service shows none. */
  changes: readonly FlagEvent[] | undefined
  /** Those that took environments out of projects, or out of the service; undefined if they are not shown, or not needed. */
  removals: readonly FlagEvent[] | undefined
  /** What the service does not show of the changes, as a sentence. */
  gap?: string | undefined
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

/** What the report lacks of the environments that were taken out, whose events were read or not. */
async function removalGaps(
  removals: readonly FlagEvent[] | FlagadmError,
  { isOfAdmin }: SharedReads,
): Promise<Incomplete[]> {
  if (removals instanceof FlagadmError) {
    return isHidden(removals) ? [{ message: NO_REMOVALS, names: [] }] : []
  }
  return (await isOfAdmin()) ? [] : [{ message: NO_DELETIONS, names: [] }]
}

/** From when on changes are read, in milliseconds since the epoch. */
interface ReadSince {
  since: number
  /** Of the environments of projects; undefined if they are not needed. */
  removalsSince: number | undefined
  /** The segments that strategies of a flag use, by its name. */
  segments: UsedSegments
  shared: SharedReads
}

/** Reads the changes of flags, and of the environments of projects. */
export async function readChanges(
  connection: Connection,
  flags: readonly Flag[],
  { since, removalsSince, segments, shared }: ReadSince,
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
      ? undefined
      : await readEnvironmentEvents(connection, removalsSince).catch(failureOf)
  const isUnread = removals instanceof FlagadmError && !isHidden(removals)
  const knownRemovals = removals instanceof FlagadmError ? undefined : (removals ?? [])
  const sharedChanges = await readSharedChanges(shared, segments)
  const changesOf = (flag: Flag): RecentChanges | FlagadmError => {
    const own = events.get(flag.name) ?? []
    if (own instanceof FlagadmError) return own
    if (isUnread) return removals
    if (sharedChanges instanceof FlagadmError) return sharedChanges
    const changes = withShared(own, sharedChanges.of(flag))
    return { changes, removals: knownRemovals, gap: sharedChanges.gapOf(flag) }
  }
  const all = [...events.values(), knownRemovals ?? []].flatMap((list) =>
    list instanceof FlagadmError ? [] : list,
  )
  return {
    changes: new Map(flags.map((flag) => [flag.name, changesOf(flag)])),
    incomplete: removals ? await removalGaps(removals, shared) : [],
    lastTime: latest(all.map(({ createdAt }) => timeOf(createdAt))),
  }
}
