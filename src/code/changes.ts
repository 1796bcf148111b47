import { groupBy } from '../groups.ts'
import type { GivenRevision } from './files/git.ts'
import {
  type FoundLookups,
  findLookupsInFiles,
  findLookupsInRevision,
  type LookupOptions,
} from './lookups/find.ts'
import { UnchangedFiles } from './files/unchanged.ts'
import type { Reference, Unresolved } from './lookups/results.ts'
import type { FilePosition } from './files/positions.ts'
import {
  changedFiles,
  type IndexSelection,
  type RevisionSelection,
  selectRevision,
  selectStaged,
} from './files/revision.ts'
import {
  type CodePlace,
  type FoundNames,
  searchFiles,
  searchRevision,
  withMentions,
} from './text/search.ts'
import { type SelectedFiles, selectFiles, type UnreadFile } from './files/source-files.ts'

/** Names that are compared with an old revision: known ones, as texts, or those that lookups use. */
type ComparedNames = readonly string[] | 'of lookups'

/** Which names to compare with an old revision. */
export interface ChangeRequest {
  revision: GivenRevision
  added?: ComparedNames | undefined
  removed?: ComparedNames | undefined
}

/** A place of a name that was not in the code. */
interface AddedPlace extends CodePlace {
  kind: 'text' | Reference['kind']
  /** Where the literal with the name is. */
  origin: FilePosition
}

/** Names that the code has and did not have at an old revision, and what could not be read, as far as it is new. */
export interface AddedNames {
  /** Where they are. */
  names: ReadonlyMap<string, readonly AddedPlace[]>
  /** Those of them that the code may have had: in a file that could not be read at the revision. */
  doubts: ReadonlyMap<string, UnreadFile>
  unresolved: readonly Unresolved[]
  unread: readonly UnreadFile[]
  /** What could not be read at the revision, and may have changed since. */
  unreadBefore: readonly UnreadFile[]
  /** How many lookups there are, old ones included. */
  lookups: number
  /** How many there were. */
  lookupsBefore: number
}

/** Names that the code had at an old revision and no longer has, or only mentions. */
export interface RemovedNames {
  /** Where they were; of those that are still mentioned, where lookups used them. */
  names: ReadonlyMap<string, readonly CodePlace[]>
  /** Where the names of the old revision are now, and what could not be read, as in `searchFiles`. */
  now: FoundNames
  before: {
    unread: readonly UnreadFile[]
    /** Lookups there that could not be read; empty if the names were given. */
    unresolved: readonly Unresolved[]
    /** How many lookups there were. */
    lookups: number
  }
}

/** What has changed since an old revision; nothing was added or removed if that was not asked for. */
export interface CodeChanges {
  added: AddedNames
  removed: RemovedNames
  /** The files of the work tree. */
  selection: SelectedFiles
  /** Paths and globs that match nothing in the old revision, as after a folder was renamed. */
  unmatchedBefore: readonly string[]
}

const NO_GAPS = { unresolved: [], unread: [], lookups: 0 }
const NOT_ADDED: AddedNames = {
  ...NO_GAPS,
  names: new Map(),
  doubts: new Map(),
  unreadBefore: [],
  lookupsBefore: 0,
}
const NOT_SEARCHED: FoundNames = {
  ...NO_GAPS,
  names: new Map(),
  files: 0,
  unmatched: [],
  excluded: 0,
  plainFolders: [],
  otherRepositories: [],
  deleted: [],
}
const NOT_REMOVED: RemovedNames = { names: new Map(), now: NOT_SEARCHED, before: NO_GAPS }

/** The work tree and an old revision of it. The files of both are listed once; the old ones are read once for each kind of names. */
class Comparison {
  readonly selection: SelectedFiles
  readonly old: RevisionSelection
  readonly #globs: readonly string[]
  readonly #options: LookupOptions
  readonly #unchanged: UnchangedFiles
  #lookups: Promise<PlacedCode> | undefined
  #oldLookups: Promise<PlacedCode> | undefined
  #oldTexts: { names: readonly string[]; code: Promise<PlacedCode> } | undefined

  constructor(
    selection: SelectedFiles,
    old: RevisionSelection,
    globs: readonly string[],
    options: LookupOptions,
  ) {
    this.selection = selection
    this.old = old
    this.#globs = globs
    this.#options = options
    this.#unchanged = new UnchangedFiles(old.files)
  }

  /** Names in the work tree. */
  async now(names: ComparedNames): Promise<PlacedCode> {
    if (names !== 'of lookups') return placedTexts(await this.nowAsTexts(names))
    this.#lookups ??= this.#readLookups()
    return this.#lookups
  }

  async #readLookups(): Promise<PlacedCode> {
    return placedLookups(
      await findLookupsInFiles(this.#globs, this.#options, this.selection, this.#unchanged),
    )
  }

  /** Whether a file of the work tree that was read for lookups has the content of the old revision. */
  isUnchanged(file: string): boolean {
    return this.#unchanged.has(file)
  }

  nowAsTexts(names: readonly string[]): Promise<FoundNames> {
    return searchFiles(names, this.#globs, this.#options, this.selection)
  }

  /** Names in the old revision. */
  before(names: ComparedNames): Promise<PlacedCode> {
    if (names === 'of lookups') {
      this.#oldLookups ??= this.#readOldLookups()
      return this.#oldLookups
    }
    if (this.#oldTexts?.names !== names) {
      this.#oldTexts = { names, code: this.#readOldTexts(names) }
    }
    return this.#oldTexts.code
  }

  async #readOldLookups(): Promise<PlacedCode> {
    // Most files are the same, and are not read again.
    await this.now('of lookups')
    return placedLookups(
      await findLookupsInRevision(this.old, this.#globs, this.#options, this.#unchanged),
    )
  }

  async #readOldTexts(names: readonly string[]): Promise<PlacedCode> {
    return placedTexts(await searchRevision(names, this.old, this.#options))
  }

  /** The files that differ between the old revision and git's index. */
  changed(): Promise<Set<string>> {
    return changedFiles(this.old, this.#options)
  }
}

/**
 * Finds names that are in the work tree, and were not in the merge base of a revision and the checked-out branch, and
 * names that were there, and are nowhere in the work tree. A name that has moved is neither.
 * @throws as `searchFiles`, and a `usage` error outside a repository, for an unknown revision, and without a common
 * commit
 */
export async function findChanges(
  { revision, added, removed }: ChangeRequest,
  globs: readonly string[],
  options: LookupOptions,
): Promise<CodeChanges> {
  const old = await selectRevision(revision, globs, options)
  const selection = await selectFiles(globs, options)
  const comparison = new Comparison(selection, old, globs, options)
  return {
    added: added ? await findAdded(comparison, added) : NOT_ADDED,
    removed: removed ? await findRemoved(comparison, removed) : NOT_REMOVED,
    selection,
    unmatchedBefore: old.unmatched,
  }
}

/** Names with their places, and what could not be read. */
interface PlacedCode {
  names: ReadonlyMap<string, readonly AddedPlace[]>
  unresolved: readonly Unresolved[]
  unread: readonly UnreadFile[]
  lookups: number
}

const NOTHING_PLACED: PlacedCode = { names: new Map(), unresolved: [], unread: [], lookups: 0 }

function placedLookups({ references, unresolved, unread, lookups }: FoundLookups): PlacedCode {
  return { names: groupBy(references, ({ name }) => name), unresolved, unread, lookups }
}

function placedTexts({ names, unresolved, unread, lookups }: FoundNames): PlacedCode {
  const present = [...names].filter(([, { places }]) => places.length > 0)
  const withOrigin = (place: CodePlace): AddedPlace => {
    const { file, line, column } = place
    return { ...place, kind: 'text', origin: { file, line, column } }
  }
  const placed = present.map(([name, { places }]) => [name, places.map(withOrigin)] as const)
  return { names: new Map(placed), unresolved, unread, lookups }
}

/** What could not be read of an old revision, and whether the work tree still has it as it was. */
class OldGaps {
  readonly #unread: ReadonlyMap<string, UnreadFile>
  readonly #changed: ReadonlySet<string>

  /** @param changed the files that differ between the revision and git's index */
  constructor(unread: readonly UnreadFile[], changed: ReadonlySet<string>) {
    this.#unread = new Map(unread.map((gap) => [gap.file, gap]))
    this.#changed = changed
  }

  /** The unread file that a path is, or the unread submodule that it is in. */
  at(path: string): UnreadFile | undefined {
    const above = path.lastIndexOf('/')
    return this.#unread.get(path) ?? (above > 0 ? this.at(path.slice(0, above)) : undefined)
  }

  /** Whether a path could not be read, and is the same. */
  isKept(path: string): boolean {
    const gap = this.at(path)
    return gap !== undefined && !this.#changed.has(gap.file)
  }
}

/** Two versions of the code, and what is the same in both. */
interface Versions extends Pick<Comparison, 'now' | 'before' | 'changed' | 'isUnchanged'> {
  old: Pick<RevisionSelection, 'links'>
}

/**
 * Finds names that lookups in git's index use, and those of the checked-out commit do not.
 * @throws a `usage` error outside a repository
 */
export async function findStaged(
  option: string,
  globs: readonly string[],
  options: LookupOptions,
): Promise<{ added: AddedNames; selection: IndexSelection; unmatchedBefore: readonly string[] }> {
  const { index, head } = await selectStaged(option, globs, options)
  const ids = new Map(head?.files.map(({ file, id }) => [file, id]))
  const same = new Set(index.files.flatMap(({ file, id }) => (ids.get(file) === id ? file : [])))
  const lookupsIn = async (selection: IndexSelection | undefined) => {
    if (!selection) return NOTHING_PLACED
    return placedLookups(await findLookupsInRevision(selection, globs, options))
  }
  const versions: Versions = {
    now: () => lookupsIn(index),
    before: () => lookupsIn(head),
    old: head ?? { links: new Set() },
    changed: async () => (head ? changedFiles(head, options) : new Set()),
    isUnchanged: (file) => same.has(file),
  }
  const added = await findAdded(versions, 'of lookups')
  return { added, selection: index, unmatchedBefore: head?.unmatched ?? index.unmatched }
}

/** The names that the code has now and the old revision had not. */
async function findAdded(comparison: Versions, wanted: ComparedNames): Promise<AddedNames> {
  const now = await comparison.now(wanted)
  const before = await comparison.before(wanted)
  const changed = before.unread.length > 0 ? await comparison.changed() : new Set<string>()
  const gaps = new OldGaps(before.unread, changed)
  // A link is the same although what it leads to has changed.
  const isOld = ({ file }: FilePosition) => gaps.isKept(file) && !comparison.old.links.has(file)
  const isNew = ({ file }: { file: string }) => !gaps.isKept(file) && !comparison.isUnchanged(file)
  const names = new Map<string, readonly AddedPlace[]>()
  const doubts = new Map<string, UnreadFile>()
  for (const [name, places] of now.names) {
    if (before.names.has(name) || places.some(isOld)) continue
    names.set(name, places)
    const [doubt] = places.flatMap(({ file }) => gaps.at(file) ?? [])
    if (doubt) doubts.set(name, doubt)
  }
  return {
    names,
    doubts,
    unresolved: withoutOld(now.unresolved.filter(isNew), before.unresolved),
    unread: now.unread.filter(isNew),
    unreadBefore: before.unread.filter(isNew),
    lookups: now.lookups,
    lookupsBefore: before.lookups,
  }
}

/** The lookups without one for each old one with the same text: in the same file or, if it has moved, in any. */
function withoutOld(now: readonly Unresolved[], old: readonly Unresolved[]): Unresolved[] {
  const inFile = ({ file, text }: Unresolved) => `${file}:${text}`
  const { rest, unmatched } = unpaired(now, old, inFile)
  const anywhere = ({ text }: Unresolved) => text
  return unpaired(rest, unmatched, anywhere).rest
}

/** Pairs items with others that have the same key, and returns what is left of both. */
function unpaired<Item>(
  items: readonly Item[],
  others: readonly Item[],
  keyOf: (item: Item) => string,
): { rest: Item[]; unmatched: Item[] } {
  const open = new Map(Array.from(groupBy(others, keyOf), ([key, group]) => [key, [...group]]))
  const rest = items.filter((item) => open.get(keyOf(item))?.shift() === undefined)
  return { rest, unmatched: [...open.values()].flat() }
}

/** The names of the old revision that are nowhere in the work tree, and those that no lookup uses any more. */
async function findRemoved(comparison: Comparison, wanted: ComparedNames): Promise<RemovedNames> {
  const before = await comparison.before(wanted)
  const now = await comparison.nowAsTexts([...before.names.keys()])
  const isInText = (name: string) => (now.names.get(name)?.places.length ?? 0) > 0
  const names = new Map([...before.names].filter(([name]) => !isInText(name)))
  const inText = [...before.names.keys()].filter(isInText)
  if (inText.length === 0) return { names, now, before }
  const lookedUp = await comparison.before('of lookups')
  const wereLookedUp = inText.filter((name) => lookedUp.names.has(name))
  if (wereLookedUp.length === 0) return { names, now, before }
  const lookups = await comparison.now('of lookups')
  const mentioned = wereLookedUp.filter((name) => !lookups.names.has(name))
  for (const name of mentioned) names.set(name, lookedUp.names.get(name) ?? [])
  return { names, now: withMentions(now, mentioned, lookups), before }
}
