import { type Group, isTest } from './lexer/languages.ts'
import type { Lookup } from './code/lookups.ts'
import type { Collection } from './collection.ts'
import { createPartTest } from './parts.ts'

/** A function that passes a flag name on to a lookup. */
export interface Wrapper {
  name: string
  /** Which argument it passes on: 1-based, or the label of the argument. */
  argument: number | string
}

/** The functions of the scanned code that pass a flag name on. */
export interface Wrappers {
  /** Functions that pass a parameter on, even if they are defined more than once. */
  candidates(): Map<string, Lookup[]>
  /** Types whose methods pass a field on. */
  flagTypes(): Set<string>
  /** Whether a function that is called is a lookup. */
  isAccepted(call: { name: string; file: number }): boolean
  /** Whether a name is not one of the SDKs or the configuration. */
  isWrapper(name: string): boolean
  /** Whether a function of a file is a lookup, so that its callers specify the name. */
  isKnown(name: string | undefined, file: number): boolean
  /** Whether the name in a call is only a part of that of the flag. */
  isPart(call: Collection['calls'][number]): boolean
  /** Forgets the decisions, because more files were read. */
  reset(): void
  list(): Wrapper[]
}

// The name of the matches of custom patterns.
const MATCHED = ''

// Common names of functions, most of whose calls do not take flags.
const BUILT_IN =
  /^(?:valueOf|toString|equals|get|set|has|add|find|filter|map|some|every|constructor|init|new|call|invoke|run|apply|then|test|match|it|describe|main|handle|execute|render|__init__|__call__|initialize)$/

export function createWrappers(collection: Collection, isEnabled: boolean): Wrappers {
  const verdicts = new Map<string, boolean>()
  let isPart: ReturnType<typeof createPartTest> | undefined

  /** Whether a function is defined only where it passes its parameter on, apart from tests. */
  const decide = (name: string, group: Group): boolean => {
    const all = collection.definitions.get(`${group}:${name}`) ?? []
    const own = all.filter((file) => !isTest(collection.fileOf(file)))
    const files = own.length > 0 ? own : all
    const passing = collection.calls.filter(
      (call) =>
        call.passed?.function === name && files.includes(call.file) && !wrappers.isPart(call),
    )
    const definitions = new Set(passing.map(({ file, passed }) => `${file}:${passed?.at}`))
    const indexes = new Set(passing.map(({ passed }) => passed?.lookup.index))
    if (files.length === 1) return definitions.size === 1
    return definitions.size >= files.length && indexes.size === 1
  }

  const isWrapperIn = (name: string, group: Group): boolean => {
    const key = `${group}:${name}`
    const verdict = verdicts.get(key) ?? decide(name, group)
    verdicts.set(key, verdict)
    return verdict
  }

  const wrappers: Wrappers = {
    candidates() {
      const names = new Map<string, Lookup[]>()
      if (!isEnabled) return names
      for (const call of collection.calls) {
        const { function: name, lookup } = call.passed ?? {}
        if (name === undefined || !lookup || !wrappers.isAccepted(call)) continue
        if (wrappers.isPart(call)) continue
        if (collection.lookups.has(name) || BUILT_IN.test(name)) continue
        const known = names.get(name) ?? []
        if (!known.some((one) => isSame(one, lookup))) names.set(name, [...known, lookup])
      }
      return names
    },
    flagTypes() {
      const types = new Set<string>()
      for (const call of isEnabled ? collection.calls : []) {
        if (call.ownType !== undefined && wrappers.isAccepted(call)) types.add(call.ownType)
      }
      return types
    },
    isAccepted: ({ name, file }) =>
      collection.lookups.has(name) ||
      name === MATCHED ||
      isWrapperIn(name, collection.groupOf(file)),
    isWrapper: (name) => !collection.lookups.has(name) && name !== MATCHED,
    isKnown: (name, file) =>
      name !== undefined &&
      isEnabled &&
      (collection.lookups.has(name) || isWrapperIn(name, collection.groupOf(file))),
    isPart(call) {
      isPart ??= createPartTest(collection)
      return isPart(call)
    },
    reset() {
      verdicts.clear()
      isPart = undefined
    },
    list() {
      const groups = new Set(collection.files.map((_, file) => collection.groupOf(file)))
      return [...wrappers.candidates()]
        .filter(([name]) => [...groups].some((group) => isWrapperIn(name, group)))
        .flatMap(([name, lookups]) => lookups.map((lookup) => wrapperOf(name, lookup)))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
  }
  return wrappers
}

function wrapperOf(name: string, { index, key, member }: Lookup): Wrapper {
  const isProperty = member !== undefined && (member === key || /^[A-Z]/.test(name))
  if (isProperty) return { name, argument: member }
  return { name, argument: index === undefined ? (key ?? '') : index + 1 }
}

function isSame(a: Lookup, b: Lookup): boolean {
  return a.index === b.index && a.key === b.key && a.member === b.member
}
