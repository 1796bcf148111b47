import type { Context } from '../command/context.ts'
import {
  absenceText,
  type CodeOptions,
  codeRequest,
  type FoundNames,
  mentionText,
  nothingToScan,
  presenceOf,
  searchGaps,
  searchNames,
  searchRemoved,
  unreadAt,
  type UnreadFile,
} from '../code/index.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { counted, type Incomplete, listed } from '../output/incomplete.ts'
import { type Place, positionText } from '../output/problems.ts'
import type { TimeSpan } from '../input/values.ts'
import type { Connection } from '../service/connection.ts'
import type { Selection } from '../flags/selection.ts'
import { readRepositories, type SearchedRepository } from './references-file.ts'

/** The places of a flag in the code of another repository. */
interface RepositoryPlaces {
  /** Its address, or the name of its folder, and the name by which it is shown. */
  repository: string
  name: string
  /** How many places there are. */
  places: number
  /** The first one. */
  place: Place
}

/** What searches of source code found about a flag. */
export interface CodeEvidence {
  /** In the code that was searched; undefined if none was, or if it is not known whether it is there. */
  places?: readonly { file: string; line: number; column?: number }[] | undefined
  /** In other repositories; undefined if there are none, or if it is not known whether it is there. */
  repositories?: readonly RepositoryPlaces[] | undefined
  /** That it is there, or else why it may be, as sentences. */
  texts: readonly string[]
  /** What is said of it if there are no texts: `not in the code`. */
  absence: string
}

export interface CodeEvidenceOptions extends CodeOptions {
  removedSince?: string | undefined
  /** Files with what searches of other repositories found. */
  referencesFrom?: readonly string[] | undefined
}

export interface SearchedCode {
  /** Undefined if no code was searched. */
  code?: FoundNames | undefined
  /** The flags that were in the code at the revision and are no longer, if they are asked for, and where they were. */
  removed?: ReadonlyMap<string, readonly { file: string }[]> | undefined
  /** Files that could not be read: now, and at the revision. */
  unread: readonly UnreadFile[]
  unreadBefore: readonly UnreadFile[]
  /** What was found in other repositories; empty if none are given. */
  repositories: readonly SearchedRepository[]
}

function isSearched({ scan, removedSince }: CodeEvidenceOptions): boolean {
  return scan !== undefined || removedSince !== undefined
}

/** @throws a usage error for options that need code without any */
export function checkCodeOptions(
  options: CodeEvidenceOptions & { failOn?: readonly string[] | undefined },
): void {
  const { call, match, failOn, referencesFrom } = options
  const failsOnUnread = failOn?.includes('unread') && !referencesFrom
  const needing = [call && '--call', match && '--match', failsOnUnread && '--fail-on unread']
  const other = needing.find(Boolean)
  if (other && !isSearched(options)) refuseUsage(`${other} requires --scan`, 'add --scan <path>')
}

/** What a search of source code finds. */
type SearchedTree = Omit<SearchedCode, 'repositories'>

/** @throws a usage error without paths, and for paths that match nothing */
async function searchTree(
  context: Context,
  names: readonly string[],
  options: CodeEvidenceOptions,
): Promise<SearchedTree> {
  if (!isSearched(options)) return { unread: [], unreadBefore: [] }
  const { scan, call, match, removedSince } = options
  const request = await codeRequest(context, [], { scan, call, match })
  if (!request) throw nothingToScan()
  if (removedSince === undefined) {
    const code = await searchNames(context, names, request)
    return { code, unread: code.unread, unreadBefore: [] }
  }
  const removedSearch = await searchRemoved(context, names, removedSince, request)
  const { names: removed, now, before } = removedSearch
  const unreadBefore = unreadAt(before.unread, removedSince)
  return { code: now, removed, unread: now.unread, unreadBefore }
}

/**
 * Searches source code for flags, if that is wanted; with a revision, also finds which were in the code there and are no
 * longer. Reads what searches of other repositories found.
 * @throws a usage error without paths, for paths that match nothing, and for files that are not such searches
 */
export async function searchCode(
  context: Context,
  connection: Connection,
  selection: Selection,
  options: CodeEvidenceOptions & { notSeenFor: TimeSpan },
): Promise<SearchedCode> {
  const { referencesFrom = [], notSeenFor } = options
  // The flags that depend on removable ones are searched for, too.
  const names = [...new Set([...selection.names, ...selection.flags.keys()])]
  const repositories = await readRepositories(
    context,
    referencesFrom,
    names,
    connection,
    notSeenFor,
  )
  return { ...(await searchTree(context, names, options)), repositories }
}

// More places, or repositories, are only counted.
const MAX_LISTED = 3

/** `src/a.ts:3` */
const lineText = ({ file, line }: Place) => positionText({ file, line })

/** What one kind of search shows about a flag. */
interface Found extends Omit<CodeEvidence, 'absence'> {
  /** What is said of a flag that is nowhere, or that the code only mentions. */
  absence?: string
}

/** What a search of source code shows about a flag. */
function treeEvidence(found: FoundNames, name: string): Found {
  const presence = presenceOf(found, name)
  switch (presence.kind) {
    case 'found': {
      const { places } = presence
      const texts = [`in the code: ${listed(places.map(lineText), MAX_LISTED)}`]
      return { places, texts }
    }
    case 'absent':
      return { places: [], texts: [], absence: absenceText(found, presence.spelled) }
    case 'mentioned':
      return { places: [], texts: [], absence: mentionText(presence.places) }
    case 'unclear': {
      const doubts = presence.doubts.map(({ message, where }) =>
        where.length > 0 ? `${message}: ${listed(where, MAX_LISTED)}` : message,
      )
      const { places } = presence
      return { texts: places.length > 0 ? [mentionText(places), ...doubts] : doubts }
    }
  }
}

/** `shop-api (src/a.ts:3 and 2 more)` */
function placesText({ name, place, places }: RepositoryPlaces): string {
  const more = places > 1 ? ` and ${places - 1} more` : ''
  return `${name} (${lineText(place)}${more})`
}

/** Why a flag may be in a repository: `shop-api (read 40 d ago)`; undefined if it is certainly not. */
function doubtText({ name, doubts, flags }: SearchedRepository, flag: string): string | undefined {
  const searchedFlag = flags.get(flag)
  if (searchedFlag?.isInCode === false && doubts.length === 0) return undefined
  const where = searchedFlag ? lineText(searchedFlag.place) : 'not searched for'
  const reasons = [...doubts, where].filter((reason) => reason !== '')
  return reasons.length > 0 ? `${name} (${reasons.join('; ')})` : name
}

/** What searches of other repositories show about a flag. */
function repositoryEvidence(all: readonly SearchedRepository[], flag: string): Found {
  const places = all.flatMap(({ repository, name, flags }): RepositoryPlaces[] => {
    const searchedFlag = flags.get(flag)
    return searchedFlag?.isInCode ? [{ repository, name, ...searchedFlag }] : []
  })
  if (places.length > 0) {
    const text = `in the code of ${listed(places.map(placesText), MAX_LISTED)}`
    return { repositories: places, texts: [text] }
  }
  const doubts = all.flatMap((one) => doubtText(one, flag) ?? [])
  if (doubts.length === 0) return { repositories: [], texts: [] }
  return { texts: [`may be in the code of ${listed(doubts, MAX_LISTED)}`] }
}

/** `shop-api`, `40 repositories` */
function repositoriesText(all: readonly SearchedRepository[]): string {
  const names = [...new Set(all.map(({ name }) => name))]
  return names.length > 1 ? `${names.length} repositories` : names.join()
}

/** What is said of a flag that is nowhere, or only mentioned. */
function nowhereText({ repositories }: SearchedCode, own: string | undefined): string {
  if (repositories.length === 0) return own ?? ''
  const others = repositoriesText(repositories)
  return own === undefined ? `not in the code of ${others}` : `${own}, nor in that of ${others}`
}

/** What all searches show about a flag; undefined if there was none. Where it certainly is, no other place matters. */
export function codeEvidence(searched: SearchedCode, name: string): CodeEvidence | undefined {
  const { code, repositories } = searched
  const tree = code && treeEvidence(code, name)
  const others = repositories.length > 0 ? repositoryEvidence(repositories, name) : undefined
  const all = [tree, others].filter((one) => one !== undefined)
  if (all.length === 0) return undefined
  const certain = all.filter((one) => one.places?.length || one.repositories?.length)
  return {
    places: tree?.places,
    repositories: others?.repositories,
    texts: (certain.length > 0 ? certain : all).flatMap(({ texts }) => texts),
    absence: nowhereText(searched, tree?.absence),
  }
}

/** What leaves open whether flags are in a repository, as one sentence. @param names the flags that are reviewed */
function repositoryGaps(
  { path, name, doubts, flags }: SearchedRepository,
  names: readonly string[],
): Incomplete[] {
  const missing = names.filter((one) => !flags.has(one))
  const allDoubts = [...doubts]
  if (missing.length > 0) allDoubts.push(`${counted(missing.length, 'flag')} not searched for`)
  if (allDoubts.length === 0) return []
  const message = `${path}, the code of ${name}: ${allDoubts.join('; ')}; flags that it does not have are unclear`
  return [{ message, names: missing }]
}

/** What could not be read of the code. @param names the flags that are reviewed */
export function codeIncomplete(
  { code, unread, unreadBefore, repositories }: SearchedCode,
  names: readonly string[],
): Incomplete[] {
  const gaps = code ? searchGaps({ ...code, unread: [...unread, ...unreadBefore] }) : []
  return [...gaps, ...repositories.flatMap((one) => repositoryGaps(one, names))]
}

/**
 * The error for code that could not be read: if the check asks for it, or if no flag is left that may have been removed.
 * @param isEmpty whether there is no flag
 */
export function unreadRefusal(
  { unread, unreadBefore, repositories }: SearchedCode,
  { removedSince, failOn }: CodeEvidenceOptions & { failOn?: readonly string[] | undefined },
  isEmpty: boolean,
): FlagadmError | undefined {
  const ownFiles = [...unread, ...unreadBefore].map(({ file }) => file)
  const others = repositories.flatMap(({ name, unread: files }) =>
    files.map((file) => `${name}: ${file}`),
  )
  const all = [...ownFiles, ...others]
  if (failOn?.includes('unread') && all.length > 0) {
    return new FlagadmError('checkFailed', `unread: ${listed(all)}`)
  }
  if (!isEmpty || removedSince === undefined || unreadBefore.length === 0) return undefined
  const count = counted(unreadBefore.length, 'file')
  const what = `flags may have been removed from the code: ${count} could not be read at ${removedSince}`
  return new FlagadmError('checkFailed', what)
}
