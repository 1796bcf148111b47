// Why names that were given are in no list of flags.
import { failureOf } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Failures } from '../requests/each.ts'
import { optional, type Service } from '../service/client.ts'
import { once } from '../service/once.ts'
import { operations } from '../service/operations.ts'
import {
  checkArchivedList,
  findArchived,
  findArchivedIn,
  findArchivedNamed,
  findLive,
  MAX_SEARCHES,
} from './search.ts'

/** Why a name is in no list of flags. */
export interface Absence {
  kind: 'archived' | 'not-a-flag' | 'unclear'
  /** Whether it is a flag all the same, of a project that is not listed; undefined if that is not known. */
  isFlag?: boolean | undefined
  /** The project that has it, if that is none of those that were selected. */
  elsewhere?: string | undefined
  reason: string
}

/** `dark-mode is a flag of project default (--project default)` */
export const elsewhereText = (name: string, projectId: string, what = 'a flag') =>
  `${name} is ${what} of project ${projectId} (--project ${projectId})`

export interface Lists {
  /** `project shop`, `3 projects` */
  scope: string
  /** The projects that were selected; undefined if all that the service lists were. */
  selected: readonly string[] | undefined
  /** Whether the service may have projects that it does not list. */
  mayHaveOthers: boolean
  /** The names of all flags in them. */
  flags: readonly string[]
  failures: Failures
}

// Names beyond these are looked for in lists of all archived flags, which may have many pages.
const MAX_NAMED = 5
// To guess what many names mean takes long.
const MAX_GUESSES = 10

/** A function that searches as often as the service allows; undefined for a search that was not made, or failed. */
function createSearches() {
  let remaining = MAX_SEARCHES
  return async <Result>(search: () => Promise<Result>): Promise<Result | undefined> => {
    if (remaining === 0) return undefined
    remaining--
    try {
      return await search()
    } catch (error) {
      // Rethrows an interrupt or a bug.
      failureOf(error)
      // The others would fail, too, or wait for a minute.
      remaining = 0
      return undefined
    }
  }
}

type Searches = ReturnType<typeof createSearches>

/** Which other projects have names that a project has not, as sentences: as many as the service allows searches in a minute. */
export async function findElsewhere(
  service: Service,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const searches = createSearches()
  const texts = new Map<string, string>()
  for (const name of names) {
    const archived = (await searches(() => findArchivedNamed(service, name)))?.get(name)
    const live = archived ?? (await searches(() => findLive(service, name)))?.get(name)
    const what = archived === undefined ? 'a flag' : 'an archived flag'
    if (live !== undefined) texts.set(name, elsewhereText(name, live, what))
  }
  return texts
}

/** The projects of those names that are archived flags, by name, and the names for which that is not known. */
async function searchArchived(
  service: Service,
  names: readonly string[],
  { selected }: Lists,
  searches: Searches,
) {
  const projectOf = new Map<string, string>()
  const isOpen = (name: string) => !projectOf.has(name)
  const add = (some: ReadonlyMap<string, string> | undefined) => {
    for (const [name, project] of some ?? []) projectOf.set(name, project)
    return some !== undefined
  }
  if (names.length <= MAX_NAMED) {
    const unasked: string[] = []
    for (const name of names) {
      if (!add(await searches(() => findArchivedNamed(service, name)))) unasked.push(name)
    }
    return { projectOf, unasked }
  }
  let isAsked = true
  for (const projectId of selected ?? [undefined]) {
    const search = () =>
      projectId === undefined
        ? findArchived(service, names)
        : findArchivedIn(service, projectId, names.filter(isOpen))
    isAsked &&= add(await searches(search))
  }
  return { projectOf, unasked: isAsked ? [] : names.filter(isOpen) }
}

/**
 * The projects of those names that are flags of projects that were not selected, or that the service does not list, and what
 * is not known.
 */
async function searchOthers(
  service: Service,
  names: readonly string[],
  { selected, mayHaveOthers }: Lists,
  searches: Searches,
) {
  const projectOf = new Map<string, string>()
  const unasked: string[] = []
  if (!selected && !mayHaveOthers) return { projectOf, unasked }
  for (const name of names) {
    const some = await searches(() => findLive(service, name))
    // It is not a flag of the selected projects in any case.
    if (!some && !selected) unasked.push(name)
    for (const [flag, project] of some ?? []) projectOf.set(flag, project)
  }
  return { projectOf, unasked }
}

/** Who asks for names that no flag has, by name: `SDKs ask for it (web)`. */
async function readAsking(service: Service): Promise<Map<string, string>> {
  const list = await optional(service.read(operations.unknownFlags, {}))
  return new Map(
    list?.data.unknownFlags.map(({ name, reports }) => {
      const applications = (reports ?? []).flatMap(({ appName }) => appName ?? []).sort()
      const by = applications.length > 0 ? ` (${listed(applications)})` : ''
      return [name, `SDKs ask for it${by}`]
    }),
  )
}

/** What a run asks besides the lists: searches, as often as the service allows, and some things once. */
export function createLookups(service: Service) {
  const searches = createSearches()
  return {
    searches,
    /** Whether an empty answer means that no archived flag has the name; undefined if that is not known. */
    listsArchived: once(() =>
      searches(async () => {
        await checkArchivedList(service)
        return true
      }),
    ),
    asking: once(() => readAsking(service)),
  }
}

/** The same, if a service that does not list archived flags may have given an empty answer. */
async function readArchived(
  service: Service,
  names: readonly string[],
  lists: Lists,
  { searches, listsArchived }: ReturnType<typeof createLookups>,
) {
  const { projectOf, unasked } = await searchArchived(service, names, lists, searches)
  if (projectOf.size > 0 || unasked.length === names.length) return { projectOf, unasked }
  return { projectOf, unasked: (await listsArchived()) ? unasked : names }
}

/**
 * Finds out why names are in no list: a flag is archived or of another project, or there is none. Says what could not be
 * checked.
 */
export async function readAbsences(
  service: Service,
  names: readonly string[],
  lists: Lists,
  lookups = createLookups(service),
) {
  const absences = new Map<string, Absence>()
  if (names.length === 0) return { absences, incomplete: [] }
  const { scope, failures } = lists
  const asking = await lookups.asking()
  const archived = await readArchived(service, names, lists, lookups)
  const others = names.filter((name) => !archived.projectOf.has(name))
  const unlisted = await searchOthers(service, others, lists, lookups.searches)
  const unasked = new Set([...archived.unasked, ...unlisted.unasked])

  const withoutGuess = (name: string): Absence => {
    const archivedIn = archived.projectOf.get(name)
    const liveIn = unlisted.projectOf.get(name)
    if (archivedIn !== undefined) {
      return { kind: 'archived', isFlag: false, reason: `archived in project ${archivedIn}` }
    }
    if (liveIn !== undefined && lists.selected && failures.size === 0) {
      const reason = `not a flag of ${scope}, but of project ${liveIn} (--project ${liveIn})`
      return { kind: 'not-a-flag', isFlag: false, elsewhere: liveIn, reason }
    }
    if (liveIn !== undefined && !lists.selected) {
      const reason = `a flag of project ${liveIn}, which the service does not list: use --project ${liveIn}`
      return { kind: 'unclear', isFlag: true, reason }
    }
    if (failures.size > 0) {
      const unread = counted(failures.size, 'project')
      const reason = `not a flag of the projects that could be read; ${unread} could not be`
      return { kind: 'unclear', isFlag: undefined, reason }
    }
    const reason = `not a flag of ${scope}`
    if (!unasked.has(name)) return { kind: 'not-a-flag', isFlag: false, reason }
    const isOpen = unlisted.unasked.includes(name)
    const unchecked = isOpen ? 'one of another project, or archived' : 'archived'
    return {
      kind: 'unclear',
      isFlag: isOpen ? undefined : false,
      reason: `${reason}; not checked whether it is ${unchecked}`,
    }
  }

  for (const [index, name] of names.entries()) {
    const { kind, isFlag, elsewhere, reason } = withoutGuess(name)
    const isGuessed = kind === 'not-a-flag' && elsewhere === undefined && index < MAX_GUESSES
    const meant = isGuessed ? closest(name, lists.flags) : undefined
    const guess = meant === undefined ? [] : `did you mean ${meant}?`
    const asks = asking.get(name) ?? []
    absences.set(name, { kind, isFlag, elsewhere, reason: [reason, asks, guess].flat().join('; ') })
  }
  const unchecked = names.filter((name) => unasked.has(name) && !unlisted.projectOf.has(name))
  const message = 'not checked whether names are archived flags, or flags of other projects'
  return { absences, incomplete: unchecked.length > 0 ? [{ message, names: unchecked }] : [] }
}
