import { interrupted } from '../../errors.ts'
import { spellings } from '../../input/spelling.ts'
import { NameIndex } from './composed.ts'
import type { LookupOptions } from '../lookups/find.ts'
import type { Unresolved } from '../lookups/results.ts'
import {
  byFile,
  DELETED,
  readFile,
  searching,
  type SelectedFiles,
  selectFiles,
  type SelectionOptions,
  type SourceFile,
  type UnreadFile,
} from '../files/source-files.ts'
import { readContents } from '../files/git.ts'
import { hasNoCode, isDocumentation } from '../lexer/file-names.ts'
import { isAny } from '../lookups/partial-texts.ts'
import { createPause } from '../files/pause.ts'
import type { FilePosition } from '../files/positions.ts'
import type { RevisionSelection } from '../files/revision.ts'
import { NameTargets } from './targets.ts'
import { TextScanner } from './text-scanner.ts'

/** A place of a name in a text. */
export interface CodePlace extends FilePosition {
  /** The line, or the part of a long one that has the name. */
  text: string
}

/** Where a known name is. */
export interface FoundName {
  /** In the order of the files, then of the text. At most some hundred thousand over all names. */
  places: CodePlace[]
  /** The first place where a text is composed that may be the name, as `'checkout-' + x` or `"%s.enabled"`. */
  composed: CodePlace | undefined
  /** The first lookup of a text that may be the name, as far as that is known. */
  lookup: CodePlace | undefined
  /** The first place where a tree without lookups writes it in another way, and how. */
  spelled?: CodePlace & { spelling: string }
  /** Whether its places are only mentions: lookups used it at an old revision, and no longer do. */
  isMention?: boolean
}

/** Where known names are in some files. */
export interface FoundNames extends Omit<SelectedFiles, 'files'> {
  /** By name, in the given order; a name that is nowhere has no places. */
  names: ReadonlyMap<string, FoundName>
  /** How many files were searched. */
  files: number
  /** Files that git has, but not the work tree. */
  deleted: readonly string[]
  /** Lookups that may have any name; not read if all names are in the code. */
  unresolved: readonly Unresolved[]
  /** How many lookups there are. */
  lookups: number
}

// Each place takes some hundred bytes.
const MAX_PLACES = 200_000

/** Collects the places of names. */
class Places {
  readonly names = new Map<string, FoundName>()
  #count = 0

  constructor(names: Iterable<string>) {
    for (const name of names) {
      this.names.set(name, { places: [], composed: undefined, lookup: undefined })
    }
  }

  /** The names without a place. */
  get missing(): string[] {
    return [...this.names].flatMap(([name, { places }]) => (places.length === 0 ? [name] : []))
  }

  add(name: string, isComposed: boolean, place: CodePlace): void {
    const ofName = this.names.get(name)
    if (!ofName) return
    if (isComposed) {
      ofName.composed ??= place
      return
    }
    if (this.#count === MAX_PLACES && ofName.places.length > 0) return
    ofName.places.push(place)
    this.#count++
  }
}

function scannerOf(names: readonly string[]): TextScanner {
  return new TextScanner(new NameTargets(names), new NameIndex(names))
}

/** Finds names in the texts of files. Returns the files that could not be read, also those that are deleted. */
async function searchTexts(
  places: Places,
  files: readonly SourceFile[],
  { signal, progress }: SelectionOptions,
  scanner = scannerOf([...places.names.keys()]),
): Promise<UnreadFile[]> {
  const unread: UnreadFile[] = []
  const pause = createPause(signal)
  await progress.track(searching(files), async (advance) => {
    for (const source of files) {
      const { file } = source
      const reason = await readFile(source, async (read) => {
        scanner.begin(!isDocumentation(file), ({ name, isComposed, ...place }) =>
          places.add(name, isComposed, { file, ...place }),
        )
        for (;;) {
          const { from, to } = scanner.room
          const count = read(scanner.buffer, from, to)
          if (count === 0) return scanner.end()
          scanner.added(count)
          await pause()
        }
      })
      if (reason !== undefined) unread.push({ file, reason })
      advance()
    }
  })
  if (signal.aborted) throw interrupted()
  return unread
}

/** The files that may have code, also if they could not be read. */
function withCode(files: readonly UnreadFile[]): UnreadFile[] {
  return files.filter(({ file }) => !hasNoCode(file))
}

/** Finds names that no text has in lookups. Returns those that may have any name. */
async function searchLookups(
  places: Places,
  globs: readonly string[],
  selection: SelectedFiles,
  options: LookupOptions,
) {
  const { findLookupsInFiles } = await import('../lookups/find.ts')
  const missing = new Set(places.missing)
  const lookups = await findLookupsInFiles(globs, options, selection)
  // The parts of the name are joined in the code.
  for (const { name, file, line, column, text } of lookups.references) {
    if (missing.has(name)) places.add(name, false, { file, line, column, text })
  }
  for (const [name, place] of possibleLookups(places.missing, lookups.unresolved)) {
    const ofName = places.names.get(name)
    if (ofName) ofName.lookup = place
  }
  return { ...lookups, unresolved: lookups.unresolved.filter(mayHaveAnyName) }
}

// The prefixes that constants and variables of environments for flags have.
const PREFIXES = ['FF_', 'FLAG_', 'FEATURE_']

/** Other ways to write a name: `newUi`, `NEW_UI`, `FF_NEW_UI`; none for a single word, which means other things as well. */
function spellingsOf(name: string): string[] {
  if (!/[-_.]|[a-z\d][A-Z]/.test(name)) return []
  const all = spellings(name)
  const constants = all.filter((spelling) => /^[A-Z\d]+_[A-Z\d_]+$/.test(spelling))
  const prefixed = PREFIXES.flatMap((prefix) => constants.map((constant) => prefix + constant))
  return [...all, ...prefixed].filter((spelling) => spelling !== name)
}

/** Adds how a tree writes names that it does not contain. */
async function addSpellings(
  places: Places,
  files: readonly SourceFile[],
  options: SelectionOptions,
): Promise<void> {
  const byName = new Map(places.missing.map((name) => [name, spellingsOf(name)]))
  const all = [...byName.values()].flat()
  if (all.length === 0) return
  const spelled = new Places(all)
  const scanner = new TextScanner(new NameTargets(all), new NameIndex([]))
  await searchTexts(spelled, files, options, scanner)
  for (const [name, ofName] of places.names) {
    for (const spelling of byName.get(name) ?? []) {
      const [place] = spelled.names.get(spelling)?.places ?? []
      if (place) ofName.spelled ??= { ...place, spelling }
    }
  }
}

/** The first lookup that may have each of some names, by what is known of its text. */
function possibleLookups(
  names: readonly string[],
  unresolved: readonly Unresolved[],
): Map<string, CodePlace> {
  const index = new NameIndex(names)
  const lookups = new Map<string, CodePlace>()
  for (const { texts, file, line, column, text } of unresolved) {
    const partials = texts.filter((partial) => !isAny(partial))
    for (const name of partials.flatMap((partial) => index.take(partial))) {
      lookups.set(name, { file, line, column, text })
    }
  }
  return lookups
}

function mayHaveAnyName({ texts }: Unresolved): boolean {
  return texts.some(isAny)
}

/**
 * Marks names as only mentioned where they are.
 * @param lookups those of the same files, none of which uses the names
 */
export function withMentions(
  places: FoundNames,
  mentioned: readonly string[],
  { unresolved, lookups }: Pick<FoundNames, 'unresolved' | 'lookups'>,
): FoundNames {
  const names = new Map(places.names)
  const possible = possibleLookups(mentioned, unresolved)
  for (const name of mentioned) {
    const ofName = places.names.get(name)
    if (!ofName) continue
    names.set(name, { ...ofName, lookup: possible.get(name), isMention: true })
  }
  return { ...places, names, unresolved: unresolved.filter(mayHaveAnyName), lookups }
}

/**
 * Finds known names in the files that paths and globs select: every occurrence that is not part of a longer name,
 * whatever the language, encoding and size of the file; names without one also in lookups.
 *
 * A name without places is not in the code only if nothing is `unread` or `unresolved`, and no text may be it
 * (`composed`, `lookup`); otherwise that is unclear. Where nothing is looked up, its other spellings are `spelled`.
 *
 * @param selected the files, if they are known
 * @throws `interrupted` when the signal aborts; a `usage` error for a glob that cannot be matched, for a pattern that
 * takes too long, and if git is missing or refuses
 */
export async function searchFiles(
  names: readonly string[],
  globs: readonly string[],
  options: LookupOptions,
  selected?: SelectedFiles,
): Promise<FoundNames> {
  const all = selected ?? (await selectFiles(globs, options))
  const { files, ...selection } = all
  const places = new Places(names)
  const missing = await searchTexts(places, files, options)
  const deleted = missing.filter(({ reason }) => reason === DELETED).map(({ file }) => file)
  const unread = withCode([
    ...selection.unread,
    ...missing.filter(({ reason }) => reason !== DELETED),
  ])
  const read = files.length - deleted.length
  const common = { ...selection, names: places.names, files: read, deleted }
  const isAllFound = places.missing.length === 0
  if (isAllFound) return { ...common, unread: unread.sort(byFile), unresolved: [], lookups: 0 }
  const { unresolved, lookups, unread: others } = await searchLookups(places, globs, all, options)
  if (lookups === 0) await addSpellings(places, files, options)
  const notRead = new Map([...others, ...unread].map((file) => [file.file, file]))
  return { ...common, unread: [...notRead.values()].sort(byFile), unresolved, lookups }
}

/**
 * Finds known names as `searchFiles` does, but not in lookups, in an old revision. Reads git's objects and leaves the
 * work tree alone.
 */
export async function searchRevision(
  names: readonly string[],
  { top, files, ...selection }: RevisionSelection,
  options: SelectionOptions,
): Promise<FoundNames> {
  const places = new Places(names)
  const scanner = scannerOf(names)
  const unread: UnreadFile[] = [...selection.unread]
  const ids = files.map(({ id }) => id)
  const pause = createPause(options.signal)
  let current = -1
  await options.progress.track(searching(files), async (advance) => {
    for await (const [index, piece] of readContents(top, ids, options)) {
      const { file = '' } = files[index] ?? {}
      if (index !== current) {
        current = index
        scanner.begin(!isDocumentation(file), ({ name, isComposed, ...place }) =>
          places.add(name, isComposed, { file, ...place }),
        )
      }
      for (let at = 0; at < piece.length; ) {
        const { from, to } = scanner.room
        const count = piece.copy(scanner.buffer, from, at, at + to - from)
        scanner.added(count)
        at += count
      }
      if (piece.length === 0) {
        const reason = scanner.end()
        if (reason !== undefined) unread.push({ file, reason })
        advance()
      }
      await pause()
    }
  })
  return {
    ...selection,
    names: places.names,
    deleted: [],
    unread: withCode(unread).sort(byFile),
    files: files.length,
    unresolved: [],
    lookups: 0,
  }
}
