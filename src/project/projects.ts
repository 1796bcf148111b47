import type { Context } from '../command/context.ts'
import { readEach, type Results, unread } from '../requests/each.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { listed, type Incomplete } from '../output/incomplete.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { capabilities, lackingError } from '../service/release.ts'
import { type ProjectOptions, singleProject } from './selection.ts'

/** The ids of the projects that the service lists, by code unit; without archived ones, which have no flags. */
export async function listedProjects(service: Service): Promise<string[]> {
  const { projects } = (await service.read(operations.projects, {})).data
  return projects.flatMap(({ id, archivedAt }) => (archivedAt == null ? id : [])).sort()
}

/** @throws `notFound` for an id or a pattern that matches none of the projects */
export function matchingProjects(pattern: string, ids: readonly string[]): string[] {
  const matchingIds = ids.filter(matcherOf([pattern]))
  if (matchingIds.length > 0) return matchingIds
  const meant = closest(pattern.replaceAll('*', ''), ids)
  const isId = !pattern.includes('*')
  const what = isId ? `unknown project '${pattern}'` : `no project matches ${pattern}`
  const listing = `the service lists: ${listed(ids) || 'no projects'}`
  const hint = meant === undefined ? listing : `did you mean '${meant}'?`
  throw new FlagadmError('notFound', what, { hint })
}

/** What a list lacks, or may lack, because of the edition that lists only the project `default`. */
export async function unlistedProjects(
  service: Service,
  listedIds: readonly string[],
): Promise<Incomplete[]> {
  if (listedIds.some((id) => id !== 'default')) return []
  const edition = (await service.release())?.edition
  if (edition === undefined) {
    return [{ message: 'it is not known whether the service lists all projects', names: [] }]
  }
  if (edition !== 'Open Source') return []
  return [{ message: 'the open-source edition lists only the project default', names: [] }]
}

/** Warns of projects that the service does not list. @returns what reports lack because of that */
export async function warnOfUnlisted(
  { messages }: Context,
  service: Service,
  listedIds: readonly string[],
): Promise<Incomplete[]> {
  const unlisted = await unlistedProjects(service, listedIds)
  for (const { message } of unlisted) messages.warn(`${message}; pass the ids of others`)
  return unlisted.map((one) => ({ ...one, isReported: true }))
}

/** What could be read of projects. */
export interface ProjectResults<Result> extends Results<Result> {
  /** How many were to be read. */
  requested: number
  /** The projects that are missing. */
  incomplete: Incomplete[]
}

/**
 * Reads the selected projects, or all that the service lists.
 * @param read is called with whether the service lists the project, which then exists
 * @throws the failure of a single project, and `notFound` for an id or a pattern that matches none
 */
export async function readProjects<Result>(
  context: Context,
  connection: Connection,
  options: ProjectOptions,
  read: (projectId: string, isListed: boolean) => Promise<Result>,
): Promise<ProjectResults<Result>> {
  const { service, progress } = connection
  const { project } = options
  const single = singleProject(options)
  if (single !== undefined) {
    const results = [await read(single, false)]
    return { results, failures: new Map(), requested: 1, incomplete: [] }
  }
  const needsList = !project || project.some((id) => id.includes('*'))
  const list = { verb: 'Reading', noun: 'project' } as const
  const listedIds = needsList ? await progress.track(list, () => listedProjects(service)) : []
  const unlisted = needsList ? await warnOfUnlisted(context, service, listedIds) : []
  const matching = project?.flatMap((id) =>
    id.includes('*') ? matchingProjects(id, listedIds) : [id],
  )
  const ids = [...new Set(matching ?? listedIds)]
  const results = await readEach('project', ids, connection, (id) =>
    read(id, listedIds.includes(id)),
  )
  const unknown = [...results.failures.values()].find(({ kind }) => kind === 'notFound')
  // A misspelt project must not just be missing.
  if (project && unknown) throw unknown
  const incomplete = [...unlisted, ...unread({ ...results, requested: ids.length }, 'project')]
  return { ...results, requested: ids.length, incomplete }
}

/** The overview of a project or, where there are no overviews, the document of the project. */
async function readProject(service: Service, projectId: string) {
  try {
    const { data } = await service.read(operations.projectOverview, { projectId })
    return { data, isOverview: true }
  } catch (error) {
    if (!failureOf(error).isLacking) throw error
    const { data } = await service.read(operations.project, { projectId })
    return { data, isOverview: false }
  }
}

/** The stored settings of a project, as the service reports them. @throws an error if its version does not */
export async function readProjectSettings(service: Service, projectId: string) {
  const { data, isOverview } = await readProject(service, projectId)
  const release = isOverview || data.mode != null ? undefined : await service.release()
  const lacking = release && lackingError(release, capabilities.projectSettings)
  if (lacking) throw lacking
  return data
}

/**
 * Checks that a project exists whose list of flags is empty, as that of an unknown project is.
 * @throws `notFound` for an unknown project
 */
export async function refuseUnknownProject(service: Service, projectId: string): Promise<void> {
  if (await unlessMissing(readProject(service, projectId))) return
  // The service may have no overviews. The open-source edition has them, but lists only one project.
  const projectIds = await unlessMissing(listedProjects(service))
  if (projectIds && !projectIds.includes(projectId)) matchingProjects(projectId, projectIds)
}
