import { groupBy } from '../../groups.ts'
import { moduleName } from '../lexer/file-names.ts'
import { groupOf } from '../lexer/languages.ts'
import { parseCall } from '../settings.ts'
import type { Lookup } from './arguments.ts'
import { Collection } from './collection.ts'
import { readFacts } from './collector.ts'
import type { Matched, Wanted } from './facts.ts'
import { scanResult } from './result.ts'
import { nextRound } from './rounds.ts'
import { createCandidateTest, indexedWords, sdkLookups } from './sdks.ts'
import { createWordFinder } from './words.ts'
import { Wrappers } from './wrappers.ts'

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
async function readRounds(collection: Collection, reread: Reread): Promise<Wrappers> {
  const searched = new Set<string>()
  for (let round = 0; ; round++) {
    const wrappers = new Wrappers(collection)
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

/**
 * Finds lookups in files. Each file is added once, and read again if it may contain a constant or a call that
 * turned up in another one.
 * @param calls functions of the project that take the name of a flag, as in `--call`
 */
export function createScanner(calls: readonly string[]) {
  const lookups = lookupsWith(calls)
  const wanted: Wanted = {
    lookups,
    constants: new Set(),
    flagTypes: new Set(),
    members: new Map(),
    isFirst: true,
  }
  const isCandidate = createCandidateTest(lookups)
  const wordsIn = createWordFinder(indexedWords(lookups))
  const collection = new Collection(lookups)
  return {
    add(file: string, text: string, matched: readonly Matched[]): void {
      const isWanted = matched.length > 0 || isCandidate(wordsIn(text), groupOf(file), text)
      if (isWanted) collection.take(file, readFacts(text, file, wanted, matched))
    },
    /** Reads files again until nothing new turns up, and returns the result. */
    async finish(reread: Reread) {
      const wrappers = await readRounds(collection, reread)
      const { incomplete, otherSystems } = collection
      return { ...scanResult(collection, wrappers), incomplete, otherSystems: [...otherSystems] }
    },
  }
}
