import pMap from 'p-map'
import type { Context } from '../context.ts'
import { failureOfOne, reportCauses } from '../failures.ts'
import { failureOfAll, FlagadmError, interruptedAfter } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { byCodeUnit } from '../output/order.ts'
import { listed } from '../output/phrases.ts'
import { optional, type Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { type Missing, nothingMissing } from './missing.ts'
import { unlistedText } from './report/missing.ts'

/** The options that select projects. In an id, `*` matches any text. */
export interface ProjectOptions {
  project?: readonly string[] | undefined
  allProjects?: true | undefined
  /** The same as `allProjects`, which it implies. */
  all?: true | undefined
}

/** Whether options select projects. */
export function selectsProjects({ project, allProjects }: ProjectOptions): boolean {
  return project !== undefined || allProjects === true
}

/** @throws a usage error unless options select projects */
export function refuseWithoutProjects(options: ProjectOptions): void {
  if (selectsProjects(options)) return
  throw new FlagadmError('usage', 'no project given', {
    hint: 'use --project <id> or --all-projects',
    addition: ['--all-projects'],
  })
}

/** The only project that is selected, by its id; undefined for all others. */
export function singleProject({ project = [] }: ProjectOptions): string | undefined {
  const [id, ...others] = new Set(project)
  return others.length > 0 || id?.includes('*') ? undefined : id
}

/** `project shop`, `projects mail, shop-*`, or all that the service lists. */
export function scopeText({ project }: ProjectOptions): string {
  if (!project) return 'any project that the service lists'
  return `${project.length === 1 ? 'project' : 'projects'} ${listed(project)}`
}

/** The ids of the projects that the service lists, without archived ones, by code unit. */
export async function listedProjects(service: Service): Promise<string[]> {
  const { projects } = (await service.projects()).data
  return projects
    .filter(({ archivedAt }) => archivedAt == null)
    .map(({ id }) => id)
    .sort(byCodeUnit)
}

/** @throws `notFound` for a pattern that matches none of the projects */
export function matching(pattern: string, ids: readonly string[]): string[] {
  const found = ids.filter(matcherOf([pattern]))
  if (found.length > 0) return found
  const stem = pattern.replaceAll('*', '')
  const similar = ids.filter((id) => closest(stem, [id, id.slice(0, stem.length)]) !== undefined)
  throw new FlagadmError('notFound', `no project matches ${pattern}`, {
    hint:
      similar.length > 0
        ? `did you mean ${listed(similar)}?`
        : `the service lists: ${listed(ids) || 'no projects'}`,
    correction: similar.length === 1 ? new Map([[pattern, similar]]) : undefined,
  })
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
export interface ProjectResults<Result> {
  results: Result[]
  missing: Missing
  failures: readonly FlagadmError[]
}

/** @throws the error for projects that could not be read */
export function refuseUnread({
  failures,
  missing,
}: Pick<ProjectResults<unknown>, 'failures' | 'missing'>): void {
  if (failures.length > 0) throw failureOfAll(failures, missing.projects.of, 'projects')
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
  if (ids.length > 1) reportCauses(context, failures, 'projects')
  const unread = { names: [...failed.keys()].sort(byCodeUnit), of: ids.length }
  return {
    results: results.flat(),
    missing: { ...nothingMissing, projects: unread, unlistedProjects },
    failures,
  }
}

/** @throws `notFound` if any of the projects given is unknown, so that a misspelt one is not just missing */
export function refuseUnknown(
  { project }: ProjectOptions,
  { failures, missing }: Pick<ProjectResults<unknown>, 'failures' | 'missing'>,
): void {
  if (!project || failures.every(({ kind }) => kind !== 'notFound')) return
  const { message } = failureOfAll(failures, missing.projects.of, 'projects')
  throw new FlagadmError('notFound', message)
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
