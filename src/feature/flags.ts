import { timeOf } from '../input/time.ts'
import { matcherOf } from '../input/wildcards.ts'
import { choices } from '../options.ts'
import { listed } from '../output/incomplete.ts'
import { byCodeUnit } from '../output/order.ts'
import { refuseUnknownProject } from '../project/reading.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { Feature } from '../service/schema.ts'
import { latest } from './records.ts'

/** What the service does not report is undefined. */
function flagOf(feature: Feature, projectId: string) {
  return {
    projectId,
    name: feature.name,
    type: feature.type ?? undefined,
    stale: feature.stale === true,
    createdAt: feature.createdAt ?? undefined,
    /** Those that the project has now: the flag may have been seen in others. */
    environments: (feature.environments ?? []).map(({ name, enabled, lastSeenAt }) => {
      // As the service wrote it; null if the flag was never seen there.
      return { name, enabled: enabled ?? undefined, lastSeenAt }
    }),
    /** When it was last seen in any environment, if the service reports that apart from the environments. */
    lastSeenAt: feature.lastSeenAt,
  }
}

/** A feature flag, as the list of its project has it. */
export type Flag = ReturnType<typeof flagOf>

/**
 * When a flag was last seen in the environments that match. The time of the flag itself counts only without a filter,
 * because it may be of any environment, also one that its project does not have any more.
 */
export function lastSeen(
  { environments, lastSeenAt }: Pick<Flag, 'environments' | 'lastSeenAt'>,
  matches: ((environment: string) => boolean) | undefined,
) {
  const own = matches ? environments.filter(({ name }) => matches(name)) : environments
  const times = own.map((environment) => timeOf(environment.lastSeenAt))
  const flagTime = matches ? undefined : timeOf(lastSeenAt)
  const time = latest([...times, flagTime])
  const seenIn = own.filter((_, index) => time !== undefined && times[index] === time)
  const isKnown = own.every((one, index) => one.lastSeenAt === null || times[index] !== undefined)
  return {
    /** In milliseconds since the epoch; undefined if it was not seen, or that is not known. */
    time,
    /** Where; empty if only the flag itself has the time. */
    environments: seenIn.map(({ name }) => name),
    /** Whether the service reports it for every environment, so that no time means that it was not seen there. */
    isReported: flagTime !== undefined || (own.length > 0 && isKnown),
  }
}

/**
 * The flags of a project, and the document of the service.
 * @param isListed whether the service lists the project, which then exists
 * @throws `notFound` for an unknown project, and if the service has no lists of flags
 */
export async function readFlags(service: Service, projectId: string, isListed: boolean) {
  const { data, json } = await service.read(operations.projectFeatures, { projectId })
  if (data.features.length === 0 && !isListed) await refuseUnknownProject(service, projectId)
  return { projectId, flags: data.features.map((feature) => flagOf(feature, projectId)), json }
}

export type FlagList = Awaited<ReturnType<typeof readFlags>>

/** The option that selects types: those that Unleash has. */
export function typeOption() {
  const types = ['release', 'experiment', 'operational', 'kill-switch', 'permission'] as const
  return choices('--type <type>', 'only this type', types)
}

/** Whether a flag has one of the types; without them, any. */
export function isOfType(flag: Flag | undefined, types?: readonly string[]): boolean {
  return types === undefined || types.includes(flag?.type ?? '')
}

/** The environments of flags, by code unit. */
export function environmentsOf(flags: readonly Flag[]): string[] {
  const names = flags.flatMap(({ environments }) => environments.map(({ name }) => name))
  return [...new Set(names)].sort(byCodeUnit)
}

/** A warning for each filter value that matches no known name, with those that exist. */
export function unknownValues(
  what: string,
  patterns: readonly string[] = [],
  known: readonly string[],
): string[] {
  const names = [...new Set(known)].sort(byCodeUnit)
  const unknown = patterns.filter((pattern) => !names.some(matcherOf([pattern])))
  const those = names.length === 0 ? 'none known' : `known: ${listed(names)}`
  return unknown.map((pattern) => `unknown ${what} '${pattern}' (${those})`)
}
