import pMap from 'p-map'
import type { Context } from '../old/context.ts'
import { timeOf } from '../input/time.ts'
import { byCodeUnit } from '../output/order.ts'
import { optional, type Service, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { Connection } from '../service/connection.ts'
import type { Feature, ProjectFeatures } from '../service/schema.ts'
import { findProject } from './known.ts'
import { refuseUnknown, type UnreadProjects } from './missing.ts'
import { listedProjects, readProjects } from './reading.ts'
import type { ProjectOptions } from './selection.ts'

/** The state of a flag in an environment. Fields that the service does not report are undefined. */
export interface FlagEnvironment {
  name: string
  enabled: boolean | undefined
  /** A timestamp; null if the flag was never seen there. */
  lastSeenAt?: string | null | undefined
}

/** When the service last saw a flag in an environment, in milliseconds since the epoch; undefined if it never did. */
export function lastSeenIn(environment: Pick<FlagEnvironment, 'lastSeenAt'>): number | undefined {
  return timeOf(environment.lastSeenAt)
}

/** A feature flag of a project. Fields that the service does not report are undefined. */
export interface Flag {
  projectId: string
  name: string
  type: string | undefined
  stale: boolean
  createdAt: string | undefined
  environments: readonly FlagEnvironment[]
}

// Enough for a suggestion, without reading hundreds of lists after an error.
const MAX_PROJECTS = 50

/** The names of the flags of the listed projects, as far as they can be read. */
export async function listedFlagNames({ service, concurrency }: Connection): Promise<string[]> {
  const ids = (await optional(listedProjects(service))) ?? []
  const read = (id: string) => optional(service.read(operations.projectFeatures, { projectId: id }))
  const lists = await pMap(ids.slice(0, MAX_PROJECTS), read, { concurrency })
  return lists.flatMap((list) => list?.data.features.map(({ name }) => name) ?? [])
}

/** A flag in a project's list. */
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
  }
}

/** The flags in a project's list. */
export function flagsIn({ features }: ProjectFeatures, projectId: string): Flag[] {
  return features.map((feature) => flagOf(feature, projectId))
}

/**
 * The list of flags of a project.
 * @param isListed whether the service lists the project, which then exists
 * @throws `notFound` for an unknown project, and if the service has no lists of flags
 */
export async function readFeatures(
  service: Service,
  projectId: string,
  isListed: boolean,
): Promise<ProjectFeatures> {
  const list = service.read(operations.projectFeatures, { projectId })
  if (isListed) return (await list).data
  const found = await unlessMissing(list)
  // The list of flags of an unknown project is empty.
  if (!found?.data.features.length) await findProject(service, projectId)
  return (await list).data
}

/** The flags that exist, and what could not be read. */
export interface ExistingFlags extends UnreadProjects {
  /** The ids of the projects that could be read. */
  projects: string[]
  /** By name, sorted by code unit. */
  flags: ReadonlyMap<string, Flag>
}

/**
 * The flags of projects.
 * @throws `notFound` for an unknown project, and if the service has no lists of flags
 */
export async function readExistingFlags(
  context: Context,
  connection: Connection,
  options: ProjectOptions,
): Promise<ExistingFlags> {
  const { results, ...unread } = await readProjects(
    context,
    connection,
    options,
    async (id, isListed) => ({
      id,
      flags: flagsIn(await readFeatures(connection.service, id, isListed), id),
    }),
  )
  refuseUnknown(options, unread)
  const flags = results.flatMap((one) => one.flags).sort((a, b) => byCodeUnit(a.name, b.name))
  return {
    projects: results.map(({ id }) => id),
    flags: new Map(flags.map((flag) => [flag.name, flag])),
    ...unread,
  }
}
