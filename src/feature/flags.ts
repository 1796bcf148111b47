import { timeOf } from '../input/time.ts'
import type { Feature } from '../service/schema.ts'

/** The state of a flag in an environment. What the service does not report is undefined. */
export interface FlagEnvironment {
  name: string
  enabled: boolean | undefined
  /** As the service wrote it; null if the flag was never seen there. */
  lastSeenAt: string | null | undefined
}

/** A feature flag, as the list of its project has it. What the service does not report is undefined. */
export interface Flag {
  projectId: string
  name: string
  type: string | undefined
  stale: boolean
  createdAt: string | undefined
  /** Those that the project has now: the flag may have been seen in others. */
  environments: readonly FlagEnvironment[]
  /** When it was last seen in any environment, if the service reports that apart from the environments. */
  lastSeenAt: string | null | undefined
}

export function flagOf(feature: Feature, projectId: string): Flag {
  return {
    projectId,
    name: feature.name,
    type: feature.type ?? undefined,
    stale: feature.stale === true,
    createdAt: feature.createdAt ?? undefined,
    environments: (feature.environments ?? []).map(({ name, enabled, lastSeenAt }) => {
      return { name, enabled: enabled ?? undefined, lastSeenAt }
    }),
    lastSeenAt: feature.lastSeenAt,
  }
}

/** When a flag was last seen. */
export interface Sighting {
  /** In milliseconds since the epoch; undefined if it was not seen, or that is not known. */
  time: number | undefined
  /** Where; empty if only the flag itself has the time. */
  environments: string[]
  /** Whether the service reports it for every environment, so that no time means that it was not seen there. */
  isReported: boolean
}

/**
 * When a flag was last seen in the environments that match. The time of the flag itself counts only without a filter,
 * because it may be of any environment, also one that its project does not have any more.
 */
export function lastSeen(
  { environments, lastSeenAt }: Pick<Flag, 'environments' | 'lastSeenAt'>,
  matches: ((environment: string) => boolean) | undefined,
): Sighting {
  const own = matches ? environments.filter(({ name }) => matches(name)) : environments
  const times = own.map((environment) => timeOf(environment.lastSeenAt))
  const flagTime = matches ? undefined : timeOf(lastSeenAt)
  const time = [...times, flagTime].reduce(
    (latest, one) => (one === undefined || (latest !== undefined && latest >= one) ? latest : one),
    undefined,
  )
  const seenIn = own.filter((_, index) => time !== undefined && times[index] === time)
  const isKnown = own.every((one, index) => one.lastSeenAt === null || times[index] !== undefined)
  return {
    time,
    environments: seenIn.map(({ name }) => name),
    isReported: flagTime !== undefined || (own.length > 0 && isKnown),
  }
}
