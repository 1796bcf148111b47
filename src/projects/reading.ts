import pMap from 'p-map'
import type { Context } from '../old/context.ts'
import { failureOfOne, reportByCause } from '../old/failures.ts'
import { type FlagadmError, interruptedAfter } from '../errors.ts'
import { byCodeUnit } from '../output/order.ts'
import { optional, type Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { Connection } from '../service/connection.ts'
import { nothingMissing, type ProjectResults } from './missing.ts'
import { unlistedText } from './report/missing.ts'
import { matching, type ProjectOptions, singleProject } from './selection.ts'

/** The ids of the listed projects, by code unit; without archived ones, which have no active flags. */
export async function listedProjects(service: Service): Promise<string[]> {
  const { projects } = (await service.read(operations.projects, {})).data
  return projects
    .filter(({ archivedAt }) => archivedAt == null)
    .map(({ id }) => id)
    .sort(byCodeUnit)
}

/** The ids of projects, each once, and those of them that the service lists if it was asked. */
async function selectedIds(context: Context, service: Service, { project }: ProjectOptions) {
  if (project && !project.some((id) => id.includes('*'))) {
    return { ids: [...new Set(project)], known: undefined, unlistedProjects: false }
  }
  const known = await listedProjects(service)
  // Before the patterns are used, because it explains why one matches nothing.
  const unlistedProjects = await warnOfUnlisted(context, service, known)
  const ids = project?.flatMap((id) => (id.includes('*') ? matching(id, known) : [id]))
  return { ids: [...new Set(ids ?? known)], known, unlistedProjects }
}

/** Reads several projects. If that is interrupted, reports how many were read. */
export async function readEach<Project, Result>(
  { host, messages }: Context,
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
    if (host.signal.aborted && count > 1) messages.fail(interruptedAfter(done, count, 'projects'))
    throw error
  }
}

/**
 * Reads the selected projects, or all that the service lists. Reports the failures of some of several.
 * @param read is called with whether the service lists the project, which then exists
 * @throws the failure of a single project, and `notFound` for a pattern that matches none
 */
export async function readProjects<Result>(
  context: Context,
  { service, concurrency }: Connection,
  options: ProjectOptions,
  read: (projectId: string, isListed: boolean) => Promise<Result>,
): Promise<ProjectResults<Result>> {
  const single = singleProject(options)
  if (single !== undefined) {
    return { results: [await read(single, false)], missing: nothingMissing, failures: [] }
  }
  const { ids, known, unlistedProjects } = await selectedIds(context, service, options)
  const failed = new Map<string, FlagadmError>()
  const readOne = async (projectId: string) => {
    try {
      return [await read(projectId, known?.includes(projectId) ?? false)]
    } catch (error) {
      failed.set(projectId, failureOfOne(error, ids.length))
      return []
    }
  }
  const results = await readEach(context, ids, concurrency, readOne)
  const failures = [...failed.values()]
  if (ids.length > 1) reportByCause(context, failures, 'projects')
  const unread = { names: [...failed.keys()].sort(byCodeUnit), of: ids.length }
  return {
    results: results.flat(),
    missing: { ...nothingMissing, projects: unread, unlistedProjects },
    failures,
  }
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
  const config = (await optional(service.read(operations.uiConfig, {})))?.data
  if (config?.environment !== 'Open Source') return false
  messages.warn(`${unlistedText}; pass the ids of others`)
  return true
}
