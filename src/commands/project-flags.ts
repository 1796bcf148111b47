import pMap from 'p-map'
import type { Connected } from '../connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { readProjectFlags } from '../service/projects.ts'
import type { ProjectFeatures } from '../service/schema.ts'
import type { Sighting } from '../usage/past.ts'
import { byCodeUnit } from '../usage/rows.ts'
import { timeOf } from '../usage/time.ts'

/** One project, or all that the service lists. */
export interface Projects {
  project?: string | undefined
  allProjects?: true | undefined
}

/** Reads all projects that the service lists, by id. Reports the failures of some of several. */
export async function readAllProjects<Result>(
  { messages }: Context,
  { service, concurrency }: Connected,
  read: (projectId: string) => Promise<Result>,
): Promise<{ results: Result[]; failures: FlagadmError[] }> {
  const { projects } = (await service.projects()).data
  const ids = projects.map(({ id }) => id).sort(byCodeUnit)
  const failures: FlagadmError[] = []
  const readOne = async (projectId: string) => {
    try {
      return [await read(projectId)]
    } catch (error) {
      if (!(error instanceof FlagadmError) || error.kind === 'interrupted') throw error
      failures.push(error)
      return []
    }
  }
  const results = (await pMap(ids, readOne, { concurrency })).flat()
  if (ids.length > 1) for (const failure of failures) messages.fail(failure)
  return { results, failures }
}

/** The names of the flags that exist, and the projects whose flags could not be read. */
export interface ExistingFlags {
  /** Sorted by code unit. */
  names: string[]
  /** Where the service last saw each. */
  sightings: ReadonlyMap<string, readonly Sighting[]>
  failures: FlagadmError[]
  /** How many projects were to be read. */
  projects: number
}

/**
 * The flags of a project, or of all that the service lists.
 * @throws `notFound` for an unknown project, and if the service has no lists of flags
 */
export async function readExistingFlags(
  context: Context,
  connected: Connected,
  { project }: Projects,
): Promise<ExistingFlags> {
  const { service } = connected
  if (project !== undefined) {
    const { document } = await readProjectFlags(service, project)
    return { ...flagsOf([document.data]), failures: [], projects: 1 }
  }
  const { results, failures } = await readAllProjects(context, connected, async (projectId) => {
    return (await service.projectFeatures(projectId)).data
  })
  const projects = results.length + failures.length
  return { ...flagsOf(results), failures, projects }
}

function flagsOf(lists: readonly ProjectFeatures[]): Pick<ExistingFlags, 'names' | 'sightings'> {
  const sightings = new Map(
    lists.flatMap(({ features }) =>
      features.map((flag) => [flag.name, sightingsOf(flag)] as const),
    ),
  )
  return { names: [...sightings.keys()].sort(byCodeUnit), sightings }
}

function sightingsOf({ environments }: ProjectFeatures['features'][number]): Sighting[] {
  return (environments ?? []).flatMap(({ name, lastSeenAt }) => {
    const time = lastSeenAt == null ? undefined : timeOf(lastSeenAt)
    return time === undefined ? [] : [{ environment: name, time }]
  })
}
