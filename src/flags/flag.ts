// A feature flag as a list of its project has it: its environments, and when it was last seen.
import { timeOf } from '../input/time.ts'
import { CLOCK_TOLERANCE_MS } from '../output/time.ts'
import type { Feature } from '../service/schema.ts'
import { latest } from './records.ts'

/** What the service does not report is undefined. */
export function flagOf(feature: Feature, projectId: string) {
  const created = timeOf(feature.createdAt)
  // A sighting from before it was created is of another flag, which had the name before.
  const seenAt = (lastSeenAt: string | null | undefined) => {
    const time = timeOf(lastSeenAt)
    const isEarlier =
      time !== undefined && created !== undefined && time < created - CLOCK_TOLERANCE_MS
    return isEarlier ? null : lastSeenAt
  }
  return {
    projectId,
    name: feature.name,
    type: feature.type ?? undefined,
    stale: feature.stale ?? undefined,
    createdAt: feature.createdAt ?? undefined,
    /** Those that the project has now: the flag may have been seen in others. */
    environments: (feature.environments ?? []).map((environment) => {
      const { name, type, enabled, lastSeenAt, variantCount } = environment
      // As the service wrote it; null if the flag was never seen there.
      return {
        name,
        type: type ?? undefined,
        enabled: enabled ?? undefined,
        lastSeenAt: seenAt(lastSeenAt),
        ...(variantCount != null && { variantCount }),
      }
    }),
    /** When it was last seen in any environment, if the service reports that apart from the environments. */
    lastSeenAt: seenAt(feature.lastSeenAt),
  }
}

/** A feature flag, as the list of its project has it. */
export type Flag = ReturnType<typeof flagOf>

export const isOnSomewhere = ({ environments }: Flag) => environments.some(({ enabled }) => enabled)

/**
 * When a flag was last seen in the environments that match. The time of the flag itself counts only without a filter,
 * because it may be of any environment, also one that its project does not have any more.
 */
export function lastSeen(
  { environments, lastSeenAt }: Flag,
  matches?: (environment: string) => boolean,
) {
  const counted = matches ? environments.filter(({ name }) => matches(name)) : environments
  const times = counted.map((environment) => timeOf(environment.lastSeenAt))
  const flagTime = matches ? undefined : timeOf(lastSeenAt)
  const time = latest([...times, flagTime])
  const seenIn = counted.filter((_, index) => time !== undefined && times[index] === time)
  const isReadable =
    counted.every(({ lastSeenAt: at }, index) => at == null || times[index] !== undefined) &&
    (matches !== undefined || lastSeenAt == null || flagTime !== undefined)
  const isKnown = counted.length > 0 && counted.every(({ lastSeenAt: at }) => at !== undefined)
  return {
    /** In milliseconds since the epoch; undefined if it was not seen, or that is not known. */
    time,
    /** Where; empty if only the flag itself has the time. */
    environments: seenIn.map(({ name }) => name),
    /** Whether each time that the service reports can be read. */
    isReadable,
    /** Whether the service reports it for every environment, so that no time means that it was not seen there. */
    isReported: isReadable && (flagTime !== undefined || isKnown),
  }
}

// What is not known counts as recent, so that a flag in use is not listed as unused.
const UNKNOWN = Number.MAX_VALUE
/** Before every time. */
export const NEVER = -Number.MAX_VALUE

/** When a flag was created, to sort by. */
export function createdKey({ createdAt }: Flag): number {
  return timeOf(createdAt) ?? UNKNOWN
}

/** When a flag was last seen in any of its environments, to sort by. */
export function seenKey(flag: Flag): number {
  const { time, isReported } = lastSeen(flag)
  return time ?? (isReported ? NEVER : UNKNOWN)
}

/** The oldest time when one of the flags was last seen in an environment; undefined if none was. */
export function oldestSighting(flags: readonly Flag[]): number | undefined {
  const times = flags.flatMap(({ environments }) =>
    environments.map((environment) => timeOf(environment.lastSeenAt)),
  )
  const sightings = times.filter((time) => time !== undefined)
  return sightings.length > 0
    ? sightings.reduce((oldest, time) => Math.min(oldest, time))
    : undefined
}

/** `release (stale)` */
export function typeText({ type, stale }: Flag): string | undefined {
  return type && type + (stale ? ' (stale)' : '')
}

/** The environments of flags, by code unit. */
export function environmentsOf(flags: readonly Flag[]): string[] {
  const names = flags.flatMap(({ environments }) => environments.map(({ name }) => name))
  return [...new Set(names)].sort()
}
