import { byCodeUnit } from '../output/order.ts'
import pMap from 'p-map'
import type { Connected } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError, interruptedAfter } from '../errors.ts'
import { unlistedText } from './report/missing.ts'
import { optional, type Service } from '../service/client.ts'
import { readProjectFlags } from './known.ts'
import type { ProjectFeatures } from '../service/schema.ts'
import { type Missing, nothingMissing } from './missing.ts'

/** One project, or all that the service lists. */
export interface Projects {
  project?: string | undefined
  allProjects?: true | undefined
}

/** Reads several projects. If that is interrupted, reports how many were read. */
export async function readEach<Project, Result>(
  { messages, signal }: Pick<Context, 'messages' | 'signal'>,
  projects: readonly Project[],
  concurrency: number,
  read: (project: Project) => Promise<Result>,
): Promise<Result[]> {
  let done = 0
  const readOne = async (project: Project) => {
    const result = await read(project)
    done++
    return result
  }
  try {
    return await pMap(projects, readOne, { concurrency })
  } catch (error) {
    const count = projects.length
    if (signal.aborted && count > 1) messages.fail(interruptedAfter(done, count, 'projects'))
    throw error
  }
}

/** The results of those projects that could be read. */
interface ProjectResults<Result> {
  results: Result[]
  missing: Missing
  failures: FlagadmError[]
}

/** Reads one project, or all that the service lists, by id. Reports the failures of some of several. */
export async function readProjects<Result>(
  context: Context,
  { service, concurrency }: Connected,
  { project }: Projects,
  read: (projectId: string) => Promise<Result>,
): Promise<ProjectResults<Result>> {
  if (project !== undefined) {
    return { results: [await read(project)], missing: nothingMissing, failures: [] }
  }
  const { projects } = (await service.projects()).data
  const ids = projects.map(({ id }) => id).sort(byCodeUnit)
  const failures = new Map<string, FlagadmError>()
  const readOne = async (projectId: string) => {
    try {
      return [await read(projectId)]
    } catch (error) {
      if (!(error instanceof FlagadmError) || error.kind === 'interrupted') throw error
      failures.set(projectId, error)
      return []
    }
  }
  const results = await readEach(context, ids, concurrency, readOne)
  if (ids.length > 1) for (const failure of failures.values()) context.messages.fail(failure)
  const unlistedProjects = await warnOfUnlisted(context, service, ids)
  const unread = { names: [...failures.keys()].sort(byCodeUnit), of: ids.length }
  const missing = { ...nothingMissing, projects: unread, unlistedProjects }
  return { results: results.flat(), missing, failures: [...failures.values()] }
}

/**
 * Warns if the service has the edition that lists only the project `default`.
 * @param ids the projects that it lists
 */
export async function warnOfUnlisted(
  { messages }: Context,
  service: Service,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.some((id) => id !== 'default')) return false
  const config = (await optional(service.uiConfig()))?.data
  if (config?.environment !== 'Open Source') return false
  messages.warn(`${unlistedText}; pass the ids of others`)
  return true
}

/** The state of a flag in an environment. Fields that the service does not report are undefined. */
export interface FlagEnvironment {
  name: string
  enabled: boolean | undefined
  /** A timestamp; null if the flag was never seen there. */
  lastSeenAt: string | null | undefined
}

/** The environments in a project's list of flags. */
export function environmentsOf({
  environments,
}: ProjectFeatures['features'][number]): FlagEnvironment[] {
  return (environments ?? []).map(({ name, enabled, lastSeenAt }) => {
    return { name, enabled: enabled ?? undefined, lastSeenAt }
  })
}

/** The flags that exist, and what could not be read. */
export interface ExistingFlags {
  /** The environments of each flag. The names are sorted by code unit. */
  environments: ReadonlyMap<string, readonly FlagEnvironment[]>
  missing: Missing
  failures: readonly FlagadmError[]
}

/**
 * The flags of a project, or of all that the service lists.
 * @throws `notFound` for an unknown project, and if the service has no lists of flags
 */
export async function readExistingFlags(
  context: Context,
  connected: Connected,
  projects: Projects,
): Promise<ExistingFlags> {
  const { service } = connected
  const { results, ...unread } = await readProjects(context, connected, projects, async (id) => {
    // A project in the service's list exists.
    const isListed = projects.project === undefined
    const list = isListed
      ? await service.projectFeatures(id)
      : (await readProjectFlags(service, id)).document
    return list.data.features
  })
  const flags = results.flat().map((flag) => [flag.name, environmentsOf(flag)] as const)
  return { environments: new Map(flags.sort(([a], [b]) => byCodeUnit(a, b))), ...unread }
}
