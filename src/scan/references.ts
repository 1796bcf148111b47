import { groupBy } from '../groups.ts'
import { readFacts } from './code/collector.ts'
import { addNames, type Matched, type Wanted } from './code/facts.ts'
import type { Lookup } from './code/lookups.ts'
import { createCandidateTest, indexedWords, sdkLookups } from './code/sdks.ts'
import { moduleName } from './lexer/file-names.ts'
import { groupOf } from './lexer/languages.ts'
import { createLocator, lineAt, ownCopy } from './positions.ts'
import { parseCall } from './settings.ts'
import { createWordFinder } from './code/words.ts'
import { Collection } from './collection.ts'
import { type Mention, scanResult } from './result.ts'
import { createGuesses } from './guesses.ts'
import { nextRound } from './rounds.ts'
import { Wrappers } from './wrappers.ts'

/** Options for what is found besides the lookups of the SDKs. */
export interface ScanConfiguration {
  /** Functions that take the name of a flag: `name`, `name:2`, `name:key`; objects of flags: `name.*`. */
  calls?: readonly string[]
  /** Types whose members are flags. */
  definitions?: readonly string[]
  /** Custom patterns that `checkMatch` accepts. */
  patterns?: readonly string[]
  /** Known names, whose quoted literals are mentions. */
  names?: Iterable<string>
  /** Whether functions that pass on a name count as lookups; true by default. */
  wrappers?: boolean
  /** Whether to guess which functions and types could be added; false by default. */
  guesses?: boolean
}

/** Reads all files again: calls back with the text of each. */
type Reread = (onText: (file: string, text: string) => void) => Promise<void>

/** The lookups of the SDKs and the configured ones, which replace those of the same name. */
function lookupsWith(calls: readonly string[]): Map<string, Lookup[]> {
  const lookups = sdkLookups()
  for (const specification of calls) {
    const { name, lookup } = parseCall(specification)
    const known = lookups.get(name)?.filter(({ sdk }) => sdk === undefined) ?? []
    lookups.set(name, [...known, lookup])
  }
  return lookups
}

// More rounds than functions that call each other have, to bound the work.
const MAX_ROUNDS = 20

/** Reads files again until no new constants and calls turn up, and returns the functions that pass on a name. */
async function readRounds(
  collection: Collection,
  useWrappers: boolean,
  reread: Reread,
): Promise<Wrappers> {
  const searched = new Set<string>()
  for (let round = 0; ; round++) {
    const wrappers = new Wrappers(collection, useWrappers)
    const next = round < MAX_ROUNDS ? nextRound(collection, wrappers, searched) : undefined
    if (!next) return wrappers
    const wordsIn = createWordFinder(next.words.flat())
    const listsOf = groupBy(next.words, ([first]) => first)
    await reread((file, text) => {
      // A default export may have a name that its file does not contain.
      const words = new Set(wordsIn(text)).add(moduleName(file))
      const hasAll = (list: readonly string[]) => list.every((word) => words.has(word))
      if (![...words].some((word) => listsOf.get(word)?.some(hasAll))) return
      collection.take(file, readFacts(text, file, next.wanted))
    })
  }
}

// The quoted text is not consumed, so that an apostrophe does not hide a literal.
const QUOTED = /(["'`])(?=([\w.~!*()-]{1,100})\1)/g

/** Finds known names, wherever they are quoted. */
async function readMentions(names: ReadonlySet<string>, reread: Reread): Promise<Mention[]> {
  const mentions: Mention[] = []
  if (names.size === 0) return mentions
  await reread((file, text) => {
    const positionOf = createLocator(text, file)
    for (const { 2: name = '', index } of text.matchAll(QUOTED)) {
      if (!names.has(name)) continue
      const place = positionOf(index + 1)
      mentions.push({ name: ownCopy(name), ...place, text: lineAt(text, index + 1) })
    }
  })
  return mentions
}

/** The functions that are lookups, also by another name, and the words of the names that they take. */
function knownNames(collection: Collection, wrappers: Wrappers) {
  const functions = new Set(collection.lookups.keys())
  const types = collection.typesWithMembers()
  for (const { name } of wrappers.list()) functions.add(name)
  for (const { expression, text } of collection.calls) {
    functions.add(/[\w$]+[?!]?(?=\()/.exec(text)?.[0] ?? '')
    addNames(expression, types)
  }
  return { functions, types }
}

/**
 * Finds flags in files. Each file is added once, and read again if it may contain a constant or a
 * call that turned up in another one.
 */
export function createScanner({
  calls = [],
  definitions = [],
  names = [],
  wrappers: useWrappers = true,
  guesses: makesGuesses = false,
}: ScanConfiguration) {
  const lookups = lookupsWith(calls)
  const wanted: Wanted = {
    lookups,
    constants: new Set(),
    definitions: new Set(definitions),
    flagTypes: new Set(),
    members: new Map(),
    isFirst: true,
  }
  const isCandidate = createCandidateTest(lookups)
  const wordsIn = createWordFinder([...indexedWords(lookups), ...definitions])
  const collection = new Collection(lookups)
  const guesses = createGuesses(definitions)
  return {
    add(file: string, text: string, matched: readonly Matched[]): void {
      if (makesGuesses) guesses.add(text)
      const words = wordsIn(text)
      const isWanted =
        matched.length > 0 ||
        definitions.some((type) => words.has(type)) ||
        isCandidate(words, groupOf(file), text)
      if (isWanted) collection.take(file, readFacts(text, file, wanted, matched))
    },
    /** Reads files again until nothing new turns up, and returns the result. */
    async finish(reread: Reread) {
      const wrappers = await readRounds(collection, useWrappers, reread)
      const mentions = await readMentions(new Set(names), reread)
      const { functions, types } = knownNames(collection, wrappers)
      return {
        ...scanResult(collection, wrappers, mentions),
        guesses: guesses.list(functions, types),
        incomplete: collection.incomplete,
      }
    },
  }
}
