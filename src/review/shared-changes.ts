// Changes that may concern several flags, and name none: of segments, and imports.
import { failureOf, FlagadmError } from '../errors.ts'
import { isOfAdmin, type KeptEvent, readSharedEvents } from '../flags/events.ts'
import type { Flag } from '../flags/flag.ts'
import { timeOf } from '../input/time.ts'
import { orderBy } from '../output/order.ts'
import { optional } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { once } from '../service/once.ts'
import { operations } from '../service/operations.ts'
import type { FlagEvent } from '../service/schema.ts'

/** The segments that strategies of flags use, by the name of the flag. */
export type UsedSegments = ReadonlyMap<string, ReadonlySet<number>>

/** What is read once for all flags, if it is needed. @param since milliseconds since the epoch */
export function createSharedReads(connection: Connection, since: number) {
  const { service } = connection
  return {
    events: once(() => readSharedEvents(connection, since).catch(failureOf)),
    /** Whether the key belongs to a root admin, as far as that is known. */
    isOfAdmin: once(async () => (await isOfAdmin(connection)) === true),
    /** The segments of projects; undefined if they cannot be read. */
    projectSegments: once(async () => {
      const list = await optional(service.read(operations.segments, {}))
      const own = list?.data.segments.filter(({ project }) => project != null)
      return own && new Set(own.map(({ id }) => id))
    }),
  }
}

export type SharedReads = ReturnType<typeof createSharedReads>

/** Whether a service has no events, or shows them to other keys only. */
export function isHidden({ kind }: FlagadmError): boolean {
  return kind === 'notFound' || kind === 'forbidden'
}

interface SharedChanges {
  /** Those that may have changed a flag. */
  of(flag: Flag): readonly FlagEvent[]
  /** What the service does not show of them, as a sentence. */
  gapOf(flag: Flag): string | undefined
}

const NO_CHANGES = 'the service does not show changes of segments, and imports'

const NO_GLOBAL_SEGMENTS =
  'only root admins see changes of segments of all projects, which flags use'

/** Whether an event may have changed a flag: a segment that it uses, or what its project has. */
function mayChange(event: KeptEvent, flag: Flag, used: ReadonlySet<number> | undefined): boolean {
  if (event.data && 'id' in event.data) return used?.has(event.data.id) === true
  return event.type === 'features-imported' && (event.project ?? flag.projectId) === flag.projectId
}

/** Reads the changes that may concern several flags; returns the failure if they cannot be read. */
export async function readSharedChanges(
  reads: SharedReads,
  segments: UsedSegments,
): Promise<SharedChanges | FlagadmError> {
  const found = await reads.events()
  if (found instanceof FlagadmError) {
    return isHidden(found) ? { of: () => [], gapOf: () => NO_CHANGES } : found
  }
  const { events, isForAdmins } = found
  const seesAll = segments.size === 0 || !isForAdmins || (await reads.isOfAdmin())
  const visible = seesAll ? undefined : await reads.projectSegments()
  const isSeen = (segment: number) => seesAll || visible?.has(segment) === true
  return {
    of: (flag) => events.filter((event) => mayChange(event, flag, segments.get(flag.name))),
    gapOf: ({ name }) =>
      [...(segments.get(name) ?? [])].every(isSeen) ? undefined : NO_GLOBAL_SEGMENTS,
  }
}

/** The changes of a flag with those of others that may have changed it, newest first. */
export function withShared(
  own: readonly FlagEvent[],
  shared: readonly FlagEvent[],
): readonly FlagEvent[] {
  if (shared.length === 0) return own
  return [...own, ...shared].sort(orderBy((event) => -(timeOf(event.createdAt) ?? 0)))
}
