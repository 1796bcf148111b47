// What recent changes of flags say about their verdicts.
import { failureOf, type FlagadmError, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import type { TimeSpan } from '../input/values.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { agoText, timeText } from '../output/time.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import type { FlagEvent } from '../service/schema.ts'
import { readEnvironmentEvents, readFlagEvents } from './flag-events.ts'
import { type Flag, lastSeen } from './flags.ts'
import { latest } from './records.ts'
import type { Span } from './span.ts'

/** Why flags may be in use soon, or may have been seen where that is not shown any more. */
export interface Changes {
  /** By the name of the flag, as sentences. */
  doubts: ReadonlyMap<string, readonly string[]>
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
  const what = environment ? `${type} in ${environment}` : type
  const changed = `changed ${occasionText(event, terms.span.now)} (${what})`
  const time = timeOf(createdAt)
  return time === undefined ? changed : `${changed}: ${tooRecentText(time, terms)}`
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

/** The doubts about flags that events give. */
function doubtsOf(
  flags: readonly Flag[],
  ownEvents: ReadonlyMap<string, readonly FlagEvent[]>,
  environmentEvents: readonly FlagEvent[],
  terms: ChangeTerms,
) {
  return new Map(
    flags.map((flag) => {
      const doubts = [
        changeDoubt(ownEvents.get(flag.name) ?? [], terms),
        environmentDoubt(flag, environmentEvents, terms),
      ]
      return [flag.name, doubts.filter((doubt) => doubt !== undefined)] as const
    }),
  )
}

const NO_REMOVALS =
  'the service cannot search for events, so environments that projects had before are not known'

/** Without events, verdicts rest on the rest; events that exist but could not be read leave flags unclear. */
function withoutEvents(flags: readonly Flag[], failure: FlagadmError): Changes {
  const problem = problemText(failure)
  if (failure.kind === 'notFound' || failure.kind === 'forbidden') {
    const message = `recent changes of flags are not known, because the service does not show events: ${problem}`
    return { ...noChanges, incomplete: [{ message, names: [] }] }
  }
  const names = flags.map(({ name }) => name)
  const doubts = [`its recent changes could not be read: ${problem}`]
  return {
    ...noChanges,
    doubts: new Map(names.map((name) => [name, doubts])),
    failures: new Map(names.map((name) => [name, failure])),
  }
}

/** Reads the recent changes of flags, and of the environments of their projects. */
export async function readChanges(
  connection: Connection,
  flags: readonly Flag[],
  terms: ChangeTerms,
): Promise<Changes> {
  if (flags.length === 0) return noChanges
  const since = terms.span.now - terms.notSeenFor.milliseconds
  const names = flags.map(({ name }) => name)
  try {
    const ownEvents = await readFlagEvents(connection, names, since)
    const isNeverSeen = flags.some((flag) => lastSeen(flag).time === undefined)
    const removals = isNeverSeen
      ? await unlessMissing(readEnvironmentEvents(connection, since))
      : []
    const events = [...ownEvents.values(), removals ?? []].flat()
    return {
      doubts: doubtsOf(flags, ownEvents, removals ?? [], terms),
      failures: new Map(),
      incomplete: removals ? [] : [{ message: NO_REMOVALS, names: [] }],
      lastTime: latest(events.map(({ createdAt }) => timeOf(createdAt))),
    }
  } catch (error) {
    return withoutEvents(flags, failureOf(error))
  }
}
