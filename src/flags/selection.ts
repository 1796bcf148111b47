import type { Context } from '../command/context.ts'
import { FlagadmError, problemText, refuseUsage } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { listed } from '../output/incomplete.ts'
import { orderBy } from '../output/order.ts'
import type { Results } from '../requests/each.ts'
import { type ProjectResults, readProjects, refuseUnknownProject } from '../project/projects.ts'
import { type ProjectOptions, scopeText } from '../project/selection.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { type Flag, flagOf } from './flag.ts'
import { type Absence, type Lists, readAbsences } from './absences.ts'

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

/** Which usage counts. In a pattern, `*` matches any text. */
export interface UsageFilter {
  application?: readonly string[] | undefined
  environment?: readonly string[] | undefined
}

/** A filter of usage that matches no known name. */
interface UnknownFilter {
  /** A warning, with the names that exist. */
  text: string
  /** Whether there are others, which it may mean. */
  hasOthers: boolean
  meant: string | undefined
}

export function unknownFilters(
  { application, environment }: UsageFilter,
  applications: Iterable<string>,
  environments: Iterable<string>,
): UnknownFilter[] {
  const unknownIn = (what: string, patterns: readonly string[] = [], known: Iterable<string>) => {
    const names = [...new Set(known)].sort()
    const unknown = patterns.filter((pattern) => !names.some(matcherOf([pattern])))
    const those = names.length === 0 ? 'none known' : `known: ${listed(names)}`
    return unknown.map((pattern) => ({
      text: `unknown ${what} '${pattern}' (${those})`,
      hasOthers: names.length > 0,
      meant: closest(pattern, names),
    }))
  }
  return [
    ...unknownIn('application', application, applications),
    ...unknownIn('environment', environment, environments),
  ]
}

/** The names that filters of usage may have, as far as they are known. */
interface KnownNames {
  applications: readonly string[]
  environments: readonly string[]
  /** Whether something that may have others could not be read. */
  isPart: boolean
}

/**
 * Refuses filters that match none of the known names. Warns of them if none is known, or only a part.
 * @throws `notFound` with the known names
 */
export function refuseUnknownFilters(
  { messages }: Context,
  filter: UsageFilter,
  { applications, environments, isPart }: KnownNames,
): void {
  const unknown = unknownFilters(filter, applications, environments)
  const texts = unknown.map(({ text }) => text)
  if (!isPart && unknown.some(({ hasOthers }) => hasOthers)) {
    const meant = unknown.flatMap((one) => (one.meant === undefined ? [] : `'${one.meant}'`))
    const isList = [filter.application, filter.environment].flat().some((one) => one?.includes(','))
    const repeat = isList ? 'repeat the option for each name' : undefined
    const hint = meant.length > 0 ? `did you mean ${listed(meant)}?` : repeat
    throw new FlagadmError('notFound', texts.join('; '), { hint })
  }
  for (const text of texts) messages.warn(text)
}

/** The flags that a command is about, and what could not be read: failures and `requested` are of projects. */
export interface Selection extends Omit<ProjectResults<FlagList>, 'results'> {
  /** In the given order; without names, by name. */
  names: readonly string[]
  /** All flags of the projects, by name. */
  flags: ReadonlyMap<string, Flag>
  /** Names that are in no list, and why. */
  absences: ReadonlyMap<string, Absence>
  /** The lists; undefined for a service that follows only the specification, which has none. */
  lists: Lists | undefined
  /** How many projects were read. */
  projects: number
}

/**
 * Selects names without lists of flags, as they are.
 * @throws a usage error for a pattern, which only lists can resolve
 */
export function namesAsGiven(names: readonly string[]): Selection {
  const pattern = names.find((name) => name.includes('*'))
  if (pattern !== undefined) {
    refuseUsage(
      `'${pattern}' contains '*', which requires a project`,
      'use --project <id> or --all-projects',
    )
  }
  return {
    names,
    flags: new Map(),
    absences: new Map(),
    lists: undefined,
    projects: 0,
    requested: 0,
    failures: new Map(),
    incomplete: [],
  }
}

/**
 * Finds names among the flags of the selected projects, or of all that the service lists.
 * @param given names, in which `*` matches any text; empty for all flags, unless they come from a list
 * @throws `notFound` for a pattern that matches no flag
 */
export async function selectFlags(
  context: Context,
  connection: Connection,
  given: readonly string[],
  options: ProjectOptions & { namesFrom?: string | undefined },
): Promise<Selection> {
  const { service } = connection
  if (given.length === 0 && options.namesFrom !== undefined) return namesAsGiven([])
  const read = readProjects(context, connection, options, (id, isListed) =>
    readFlags(service, id, isListed),
  )
  const isOptional = given.length > 0 && !options.project && !options.allProjects
  const projects = isOptional ? await unlessMissing(read) : await read
  if (!projects) return namesAsGiven(given)
  const { results, ...gaps } = projects
  const { flags, lists } = mergeLists(projects, options)
  const names = given.length > 0 ? matchingNames(given, lists) : lists.flags
  const absent = names.filter((name) => !flags.has(name))
  const { absences, incomplete } = await readAbsences(service, absent, lists)
  return {
    ...gaps,
    incomplete: [...gaps.incomplete, ...incomplete],
    names,
    flags,
    absences,
    lists,
    projects: results.length,
  }
}

/** @throws an `unavailable` error if two lists have the same flag. @param flags in the order of their names */
function refuseRepeated(flags: readonly Flag[]): void {
  const index = flags.findIndex(({ name }, place) => name === flags[place + 1]?.name)
  const [one, other] = flags.slice(index, index + 2)
  if (index < 0 || !one || !other) return
  const where = listed([...new Set([one.projectId, other.projectId])].sort())
  throw new FlagadmError('unavailable', `the service lists ${one.name} twice: in ${where}`, {
    hint: 'run the command again: a flag may have been moved in between',
  })
}

/**
 * The flags of several lists by name, and what a search for other names needs to know.
 * @throws an `unavailable` error if two lists have the same flag
 */
export function mergeLists(
  { results, failures }: Results<FlagList>,
  options: ProjectOptions = {},
): { flags: Map<string, Flag>; lists: Lists } {
  const all = results.flatMap((list) => list.flags).sort(orderBy(({ name }) => name))
  refuseRepeated(all)
  const flags = new Map(all.map((flag) => [flag.name, flag]))
  const ids = results.map(({ projectId }) => projectId)
  const isSelected = options.project !== undefined
  return {
    flags,
    lists: {
      scope: isSelected ? scopeText(options, ids.length) : 'any project that the service lists',
      selected: isSelected ? ids : undefined,
      // The open-source edition lists only this project.
      mayHaveOthers: ids.every((id) => id === 'default'),
      flags: [...flags.keys()],
      failures,
    },
  }
}

/** The given names, and the known ones that their patterns match. */
function matchingNames(given: readonly string[], { flags, scope, failures }: Lists) {
  const matching = given.flatMap((name) => {
    if (!name.includes('*')) return [name]
    const matches = flags.filter(matcherOf([name])).sort()
    if (matches.length > 0) return matches
    const [failed] = failures
    if (failed) {
      const [projectId, failure] = failed
      const what = `no flag that could be read matches ${name}; project ${projectId} could not be read: ${problemText(failure)}`
      throw new FlagadmError(failure.kind, what, { hint: failure.hint })
    }
    throw new FlagadmError('notFound', `no flag of ${scope} matches ${name}`, {
      hint: 'check the pattern, and the projects',
    })
  })
  return [...new Set(matching)]
}
