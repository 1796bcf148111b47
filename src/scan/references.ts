import { createReader } from './code/collector.ts'
import type { Matched } from './code/facts.ts'
import type { Lookup } from './code/lookups.ts'
import { indexedWords, isCandidate, sdkLookups } from './code/sdks.ts'
import { createWordIndex, hashesIn, hashOf, type WordIndex } from './code/words.ts'
import { createCollection } from './collection.ts'
import { type Findings, findingsIn } from './findings.ts'
import { mentionsIn } from './mentions.ts'
import { createRounds } from './rounds.ts'
import { createWrappers } from './wrappers.ts'

export type { Matched } from './code/facts.ts'
export type { FilePosition, Findings, Reference, Unresolved } from './findings.ts'
export type { Wrapper } from './wrappers.ts'

/** What to find besides the lookups of the SDKs. */
export interface ScanConfiguration {
  /** Functions that take the name of a flag: `name`, `name:2`, `name:key`; objects of flags: `name.*`. */
  calls?: readonly string[]
  /** Types whose members are flags. */
  definitions?: readonly string[]
  /** Known names, whose quoted literals are mentions. */
  names?: Iterable<string>
  /** Whether functions that pass on a name count as lookups; true by default. */
  wrappers?: boolean
}

/** Reads files again: calls back with the text of each. */
export type Reread = (
  files: readonly number[],
  onText: (file: number, text: string) => void,
) => Promise<void>

const SPECIFICATION = /^([^:\s*]+(?:::[^:\s*]+)*)(?::(\w+)|(\.\*))?$/

/** The lookup that a specification describes; undefined for an invalid one. */
export function parseCall(specification: string): { name: string; lookup: Lookup } | undefined {
  const [, path = '', argument, members] = SPECIFICATION.exec(specification) ?? []
  // The function in `client.isOn` or `Flags::on?`.
  const name = path.split(/\.|::|->/).at(-1) ?? ''
  if (!/^[\p{L}_$@][\p{L}\p{N}_$]*[?!]?$/u.test(name)) return undefined
  if (members !== undefined) return { name, lookup: { hasMembers: true } }
  if (argument === undefined) return { name, lookup: { index: 0 } }
  if (!/^\d+$/.test(argument)) return { name, lookup: { key: argument } }
  const index = Number(argument) - 1
  return index < 0 ? undefined : { name, lookup: { index } }
}

/** The lookups of the SDKs and the configured ones, which replace those of the same name. */
function lookupsWith(calls: readonly string[]): Map<string, Lookup[]> {
  const lookups = sdkLookups()
  for (const specification of calls) {
    const parsed = parseCall(specification)
    if (!parsed) throw new Error(`invalid call '${specification}'`)
    const { name, lookup } = parsed
    const known = lookups.get(name)?.filter(({ sdk }) => sdk === undefined) ?? []
    lookups.set(name, [...known, lookup])
  }
  return lookups
}

// More rounds than functions that call each other have, to bound the work.
const MAX_ROUNDS = 20
// With more names, selecting files takes longer than reading them.
const MAX_FILTERED = 500

/** Whether a file may mention one of some names. */
function mentions(index: WordIndex, names: ReadonlySet<string>): (file: number) => boolean {
  if (names.size > MAX_FILTERED) return () => true
  const words = [...names].map(hashesIn)
  return (file) => words.some((all) => index.mayContainAll(file, all))
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
}: ScanConfiguration) {
  const lookups = lookupsWith(calls)
  const factsIn = createReader({
    lookups,
    constants: new Set(),
    definitions: new Set(definitions),
    members: new Map(),
    isFirst: true,
  })
  const index = createWordIndex([...indexedWords(lookups), ...definitions])
  const collection = createCollection(lookups)
  const wrappers = createWrappers(collection, useWrappers)
  const nextRound = createRounds(collection, wrappers)
  const added = () => [...collection.files.keys()].filter((file) => file in collection.files)
  return {
    /** Adds a file; its text is decoded only if it can contain a lookup. */
    add(
      number: number,
      file: string,
      bytes: Uint8Array,
      textOf: () => string,
      matched: readonly Matched[],
    ): void {
      collection.addFile(number, file)
      const group = collection.groupOf(number)
      const words = index.add(number, bytes, /^(?:ruby|elixir)$/.test(group))
      const isWanted =
        definitions.some((type) => words.has(type)) || isCandidate(words, group, lookups)
      if (isWanted || matched.length > 0) collection.take(number, factsIn(textOf(), file, matched))
    },
    /** Reads files again until nothing new turns up. */
    async finish(reread: Reread): Promise<void> {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        wrappers.reset()
        const next = nextRound()
        if (!next) break
        const hashes = next.words.map((words) => words.map(hashOf))
        const selected = added().filter((file) =>
          hashes.some((all) => index.mayContainAll(file, all)),
        )
        const factsAgain = createReader(next.wanted)
        await reread(selected, (file, text) =>
          collection.take(file, factsAgain(text, collection.fileOf(file))),
        )
      }
      wrappers.reset()
      const known = new Set(names)
      if (known.size === 0) return
      await reread(added().filter(mentions(index, known)), (file, text) => {
        for (const mention of mentionsIn(text, known))
          collection.mentions.push({ ...mention, file })
      })
    },
    /** The files that have more lookups than are read, by their numbers. */
    incomplete: (): ReadonlySet<number> => collection.incomplete,
    findings: (): Findings => findingsIn(collection, wrappers),
  }
}
