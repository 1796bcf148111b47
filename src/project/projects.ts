import { Option } from '@commander-js/extra-typings'
import { pMapIterable } from 'p-map'
import type { Context } from '../context.ts'
import { commonKind, failureOf, FlagadmError, withParts } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { counted, listed, type Incomplete } from '../output/incomplete.ts'
import { collect } from '../options.ts'
import { byCodeUnit } from '../output/order.ts'
import { optional, type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'

/** The options that select projects. In an id, `*` matches any text. */
export interface ProjectOptions {
  project?: readonly string[] | undefined
  allProjects?: true | undefined
}

/** @param description of what is done with the project */
export function projectOption(description = 'flags of this project') {
  const text = `${description}; '*' matches any text`
  return new Option('--project <id>', text).argParser(collect).conflicts('allProjects')
}

/** The only project that is selected, by its id; undefined if there may be several. */
export function singleProject({ project = [] }: ProjectOptions): string | undefined {
  const [id, ...others] = new Set(project)
  return others.length > 0 || id?.includes('*') ? undefined : id
}

/** Whether options select projects. */
export function selectsProjects({ project, allProjects }: ProjectOptions): boolean {
  return project !== undefined || allProjects === true
}

/** Whether there is one result: without projects, or with one. */
export function isSingle(options: ProjectOptions): boolean {
  return !selectsProjects(options) || singleProject(options) !== undefined
}

/** @throws a usage error unless options select projects */
export function refuseWithoutProjects(options: ProjectOptions): void {
  if (selectsProjects(options)) return
  throw new FlagadmError('usage', 'no project given', {
    hint: 'use --project <id> or --all-projects',
  })
}

/** The failures of some flags or projects, by name. */
export type Failures = ReadonlyMap<string, FlagadmError>

/** What could be read of several flags or projects, in their order, and the failures of the others. */
export interface Results<Result> {
  results: Result[]
  failures: Failures
}

/**
 * Reads each of several flags or projects, and goes on after the failure of one.
 * @param use takes each result, in the order of the names; without it, results are returned
 * @throws what the others would fail for, too, if it comes first
 */
export async function readEach<Result>(
  names: readonly string[],
  concurrency: number,
  read: (name: string) => Promise<Result>,
  use?: (result: Result) => void,
): Promise<Results<Result>> {
  const results: Result[] = []
  const failures = new Map<string, FlagadmError>()
  let isFirst = true
  const readOne = async (name: string) => {
    try {
      return { name, result: await read(name) }
    } catch (error) {
      const failure = failureOf(error)
      if (!failure.isGeneral || !isFirst || names.length === 1) return { name, failure }
      throw withParts(failure, { projectId: undefined, featureName: undefined })
    } finally {
      isFirst = false
    }
  }
  const options = { concurrency, backpressure: 4 * concurrency }
  for await (const one of pMapIterable(names, readOne, options)) {
    if (one.failure) failures.set(one.name, one.failure)
    else if (use) use(one.result)
    else results.push(one.result)
  }
  return { results, failures }
}

type Plural = 'flags' | 'projects'

// More are hard to read.
const MAX_FAILURES = 10

/**
 * Ends a run with its failures, if there are any. Reports the first ones before, unless only one was to be read.
 * @param requested how many flags or projects were to be read
 * @throws the error of a single one, otherwise one of the kind that all share, or `partial`
 */
export function throwFailures(
  { messages }: Context,
  failures: Failures,
  requested: number,
  what: Plural,
): void {
  const all = [...failures.values()]
  const [first] = all
  if (!first) return
  if (requested === 1) throw first
  for (const failure of all.slice(0, MAX_FAILURES)) messages.fail(failure)
  const more = all.length - MAX_FAILURES
  const problem = `${all.length} of ${requested} ${what} could not be read`
  const text = more > 0 ? `${problem} (${more} more than above)` : problem
  throw new FlagadmError(commonKind(all, requested), text)
}

/** What a report lacks because of failures. */
export function unread(failures: Failures, requested: number, what: Plural): Incomplete[] {
  if (failures.size === 0) return []
  const message = `${failures.size} of ${requested} ${what} could not be read`
  return [{ message, names: [...failures.keys()].sort(byCodeUnit) }]
}

/** The ids of the projects that the service lists, by code unit; without archived ones, which have no flags. */
export async function listedProjects(service: Service): Promise<string[]> {
  const { projects } = (await service.read(operations.projects, {})).data
  return projects
    .filter(({ archivedAt }) => archivedAt == null)
    .map(({ id }) => id)
    .sort(byCodeUnit)
}

/** @throws `notFound` for an id or a pattern that matches none of the projects */
export function matchingProjects(pattern: string, ids: readonly string[]): string[] {
  const found = ids.filter(matcherOf([pattern]))
  if (found.length > 0) return found
  const meant = closest(pattern.replaceAll('*', ''), ids)
  const isId = !pattern.includes('*')
  const what = isId ? `unknown project '${pattern}'` : `no project matches ${pattern}`
  throw new FlagadmError('notFound', what, {
    hint:
      meant === undefined
        ? `the service lists: ${listed(ids) || 'no projects'}`
        : `did you mean '${meant}'?`,
  })
}

/** What a list lacks if the service has the edition that lists only the project `default`. */
export async function unlistedProjects(
  service: Service,
  listedIds: readonly string[],
): Promise<Incomplete[]> {
  if (listedIds.some((id) => id !== 'default')) return []
  const config = (await optional(service.read(operations.uiConfig, {})))?.data
  if (config?.environment !== 'Open Source') return []
  return [{ message: 'the open-source edition lists only the project default', names: [] }]
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
  { messages }: Context,
  { service, concurrency }: Connection,
  options: ProjectOptions,
  read: (projectId: string, isListed: boolean) => Promise<Result>,
): Promise<ProjectResults<Result>> {
  const { project } = options
  const single = singleProject(options)
  if (single !== undefined) {
    const results = [await read(single, false)]
    return { results, failures: new Map(), requested: 1, incomplete: [] }
  }
  const needsList = !project || project.some((id) => id.includes('*'))
  const known = needsList ? await listedProjects(service) : []
  const unlisted = needsList ? await unlistedProjects(service, known) : []
  for (const { message } of unlisted) messages.warn(`${message}; pass the ids of others`)
  const matching = project?.flatMap((id) => (id.includes('*') ? matchingProjects(id, known) : [id]))
  const ids = [...new Set(matching ?? known)]
  const found = await readEach(ids, concurrency, (id) => read(id, known.includes(id)))
  const unknown = [...found.failures.values()].find(({ kind }) => kind === 'notFound')
  // A misspelt project must not just be missing.
  if (project && unknown) throw unknown
  const incomplete = [...unlisted, ...unread(found.failures, ids.length, 'projects')]
  return { ...found, requested: ids.length, incomplete }
}

/**
 * Checks that a project exists whose list of flags is empty, as that of an unknown project is.
 * @throws `notFound` for an unknown project
 */
export async function refuseUnknownProject(service: Service, projectId: string): Promise<void> {
  if (await unlessMissing(service.read(operations.projectOverview, { projectId }))) return
  // The service may have no overviews. The open-source edition has them, but lists only one project.
  const known = await optional(listedProjects(service))
  if (known && !known.includes(projectId)) matchingProjects(projectId, known)
}

/** `project shop`, `3 projects` */
export function scopeText(options: ProjectOptions, read: number): string {
  const single = singleProject(options)
  return single === undefined ? counted(read, 'project') : `project ${single}`
}
