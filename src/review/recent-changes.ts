// What recent changes of flags say about their verdicts.
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import type { TimeSpan } from '../input/values.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { ageText, agoText, timeText } from '../output/time.ts'
import type { Connection } from '../service/connection.ts'
import type { FlagEvent } from '../service/schema.ts'
import { batchesOf, readEnvironmentEvents, readFlagEvents } from '../flags/events.ts'
import { type Flag, lastSeen } from '../flags/selection.ts'
import { latest } from '../flags/records.ts'
import type { Span } from '../flags/span.ts'

/** What changes leave open about a flag, as sentences. */
interface ChangeDoubts {
  /** Why it may be ready for use. */
  aboutReadiness: readonly string[]
  /** Why it may have been seen. */
  aboutUsage: readonly string[]
}

/** Why flags may be in use soon, or may have been seen where that is not shown any more. */
export interface Changes {
  /** By the name of the flag. */
  doubts: ReadonlyMap<string, ChangeDoubts>
  /** By the name of the flag, if its changes could not be read. */
  failures: ReadonlyMap<string, FlagadmError>
  /** What the report lacks, if the service does not show changes. */
  incomplete: readonly Incomplete[]
  /** The latest time that the service gave to an event, in milliseconds since the epoch. */
  lastTime: number | undefined
}

const noChanges: Changes = {
  doubts: new Map(),
  failures: new Map(),
  incomplete: [],
  lastTime: undefined,
}

/** The conditions of a verdict that changes are judged by. */
interface ChangeTerms {
  span: Span
  notSeenFor: TimeSpan
  /** In milliseconds; 0 if that does not matter. */
  clocksDiffer: number
}

// Every other change, also one of a type that a later version of the service adds, may make a flag ready for use.
const harmlessTypes: ReadonlySet<string> = new Set([
  // They go with removing a flag.
  'feature-archived',
  'feature-completed',
  'feature-dependencies-removed',
  'feature-dependency-removed',
  'feature-environment-disabled',
  'feature-potentially-stale-on',
  'feature-stale-on',
  'feature-strategy-remove',
  'release-plan-removed',
  // They say nothing about its use.
  'drop-feature-tags',
  'feature-favorited',
  'feature-link-added',
  'feature-link-removed',
  'feature-link-updated',
  'feature-metadata-updated',
  'feature-tag-import',
  'feature-tagged',
  'feature-type-updated',
  'feature-unfavorited',
  'feature-untagged',
])

/** `2 d ago by ada` */
function occasionText({ createdAt, createdBy }: FlagEvent, now: number): string {
  const time = timeOf(createdAt)
  const when = time === undefined ? 'at an unknown time' : agoText(now - time)
  return createdBy ? `${when} by ${createdBy}` : when
}

/** `too recent until 2026-11-30 10:00 UTC (--not-seen-for 7d)` */
export function tooRecentText(time: number, { notSeenFor }: Pick<ChangeTerms, 'notSeenFor'>) {
  const until = timeText(time + notSeenFor.milliseconds)
  return `too recent until ${until} (--not-seen-for ${notSeenFor.text})`
}

/** Why the latest change that made a flag ready for use speaks against removing it. @param events newest first */
function changeDoubt(events: readonly FlagEvent[], terms: ChangeTerms): string | undefined {
  const event = events.find(({ type }) => !harmlessTypes.has(type))
  if (!event) return undefined
  const { type, environment, createdAt } = event
  const { span, notSeenFor, clocksDiffer } = terms
  const what = environment ? `${type} in ${environment}` : type
  const changed = `changed ${occasionText(event, span.now)} (${what})`
  const time = timeOf(createdAt)
  if (time === undefined) return changed
  if (time > span.now - notSeenFor.milliseconds) return `${changed}: ${tooRecentText(time, terms)}`
  return `${changed}, and the clocks differ by ${ageText(clocksDiffer)}`
}

/** Why a flag that was never seen may have been seen in an environment that its project had. */
function environmentDoubt(
  flag: Flag,
  events: readonly FlagEvent[],
  { span }: ChangeTerms,
): string | undefined {
  if (lastSeen(flag).time !== undefined) return undefined
  // An event without a project took the environment out of all of them.
  const event = events.find(({ project }) => !project || project === flag.projectId)
  if (!event) return undefined
  const { environment, project } = event
  const name = environment ?? 'an environment'
  const from = project ? 'the project' : 'the service'
  return `${name} was taken out of ${from} ${occasionText(event, span.now)}: the flag may have been seen there`
}

const NO_REMOVALS =
  'the service does not show which environments projects had before, where flags may have been seen'

/** Whether a service has no events, or shows them to other keys only. */
function isWithoutEvents({ kind }: FlagadmError): boolean {
  return kind === 'notFound' || kind === 'forbidden'
}

/** The events that took environments out, or why they are not known. */
function readRemovals(connection: Connection, since: number): Promise<FlagEvent[] | FlagadmError> {
  return readEnvironmentEvents(connection, since).catch(failureOf)
}

/** The events of flags, or why they could not be read, by the name of the flag. */
async function readEvents(connection: Connection, names: readonly string[], since: number) {
  const events = new Map<string, readonly FlagEvent[]>()
  const failures = new Map<string, FlagadmError>()
  for (const some of batchesOf(names)) {
    try {
      const own = await readFlagEvents(connection, some, since)
      for (const name of some) events.set(name, own.get(name) ?? [])
    } catch (error) {
      const failure = failureOf(error)
      if (isWithoutEvents(failure) && events.size + failures.size === 0) return failure
      for (const name of some) failures.set(name, failure)
    }
  }
  return { events, failures }
}

/** Reads the recent changes of flags, and of the environments of their projects. */
export async function readChanges(
  connection: Connection,
  flags: readonly Flag[],
  terms: ChangeTerms,
): Promise<Changes> {
  if (flags.length === 0) return noChanges
  const { span, notSeenFor, clocksDiffer } = terms
  const since = span.now - notSeenFor.milliseconds - clocksDiffer
  const names = flags.map(({ name }) => name)
  const read = await readEvents(connection, names, since)
  if (read instanceof FlagadmError) {
    const message = `recent changes of flags are not known, because the service does not show events: ${problemText(read)}`
    return { ...noChanges, incomplete: [{ message, names: [] }] }
  }
  const { events, failures } = read
  const neverSeen = flags.filter((flag) => lastSeen(flag).time === undefined)
  const removals = neverSeen.length > 0 ? await readRemovals(connection, since) : []
  const isUnknown = removals instanceof FlagadmError
  if (isUnknown && !isWithoutEvents(removals)) {
    for (const { name } of neverSeen) failures.set(name, removals)
  }
  const doubts = flags.map((flag) => {
    const failure = failures.get(flag.name)
    const unread = failure && `its recent changes could not be read: ${problemText(failure)}`
    const change = changeDoubt(events.get(flag.name) ?? [], terms)
    const removal = isUnknown ? undefined : environmentDoubt(flag, removals, terms)
    const own: ChangeDoubts = {
      aboutReadiness: [unread, change].filter((doubt) => doubt !== undefined),
      aboutUsage: removal === undefined ? [] : [removal],
    }
    return [flag.name, own] as const
  })
  const all = [...events.values(), isUnknown ? [] : removals].flat()
  const isHidden = isUnknown && isWithoutEvents(removals)
  return {
    doubts: new Map(doubts),
    failures,
    incomplete: isHidden ? [{ message: NO_REMOVALS, names: [] }] : [],
    lastTime: latest(all.map(({ createdAt }) => timeOf(createdAt))),
  }
}
