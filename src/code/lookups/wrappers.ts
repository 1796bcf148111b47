import { isTest } from '../lexer/file-names.ts'
import { familyOf, languageOf } from '../languages/of-file.ts'
import type { Call, Facts } from './facts.ts'
import type { Lookup } from './lookup.ts'
import type { KnownCalls } from './sdks.ts'
import type { Passed } from './surroundings.ts'

// Common names of functions, most of whose calls do not take flags.
const BUILT_IN =
  /^(?:valueOf|toString|equals|set|add|filter|map|some|every|constructor|init|new|call|invoke|run|apply|then|match|it|describe|main|handle|execute|render|__init__|__call__|initialize)$/
// Methods that many types have: only calls on an object for flags, or of the type that passes on the name, count.
const COMMON = /^(?:has|get|find|check|test|can)$/i
const FLAG_OBJECT = /flag|feature|toggle|unleash/i

/** The functions that pass a flag name on in the code that was read so far. */
export class Wrappers {
  readonly #known: KnownCalls
  readonly #calls: readonly Call[]
  /** The calls that pass on what functions get, by the name of the function. */
  readonly #passing = new Map<string, { file: string; passed: Passed }[]>()
  /** The files that define the wrappers of a family of languages, once for each definition: `js:name`. */
  readonly #definitions = new Map<string, string[]>()
  readonly #verdicts = new Map<string, boolean>()

  constructor(known: KnownCalls, facts: ReadonlyMap<string, Pick<Facts, 'calls' | 'definitions'>>) {
    this.#known = known
    this.#calls = [...facts.values()].flatMap(({ calls }) => calls)
    for (const { file, passed } of this.#calls) {
      if (passed?.function !== undefined) addTo(this.#passing, passed.function, { file, passed })
    }
    for (const [file, { definitions }] of facts) {
      for (const name of definitions) addTo(this.#definitions, `${familyOf(file)}:${name}`, file)
    }
  }

  /** Functions that pass something on, even if they are defined more than once. */
  candidates(): Map<string, Lookup[]> {
    const names = new Map<string, Lookup[]>()
    for (const call of this.#calls) {
      const { function: name, lookup } = call.passed ?? {}
      if (name === undefined || !lookup || BUILT_IN.test(name) || !this.isAccepted(call)) continue
      if (this.#isFixed(name, call.file) && !this.#isDefault(name) && !lookup.isReceiver) continue
      if (!names.get(name)?.some((one) => isSame(one, lookup))) addTo(names, name, lookup)
    }
    return names
  }

  /** Whether a function that is called is a lookup. */
  isAccepted({ name, file, lookup, owners }: Call): boolean {
    // Its object decides whether it is one.
    if (lookup.isReceiver || lookup.sdk !== undefined || name === '') return true
    // The body of a configured function shows which parameter is the flag.
    const passing = this.#passing.get(name) ?? []
    const isOther = ({ passed }: { passed: Passed }) => passed.lookup.index !== lookup.index
    if (lookup.isDefault && passing.some(isOther)) return false
    if (this.#isFixed(name, file)) return true
    if (owners === '' || !COMMON.test(name)) return this.#isWrapperIn(name, familyOf(file))
    const path = owners.toLowerCase()
    const isOfType = ({ passed: { type = '' } }: { passed: Passed }) =>
      type !== '' && path.includes(type.toLowerCase())
    return passing.length > 0 && (FLAG_OBJECT.test(owners) || passing.some(isOfType))
  }

  /** Whether a call is not one of a function of the SDKs or the configuration. */
  isWrapper({ name, file, lookup }: Call): boolean {
    return lookup.sdk === undefined && name !== '' && !this.#isFixed(name, file)
  }

  /** Whether callers of the function that passes something on specify the name. */
  isKnown({ function: name = '', lookup }: Passed, file: string): boolean {
    if (name === '') return false
    if (lookup.isReceiver || COMMON.test(name) || this.#isFixed(name, file)) return true
    return this.#isWrapperIn(name, familyOf(file))
  }

  /** Whether all calls of a function are lookups, unlike those of common words of the SDKs such as `Toggle`. */
  #isFixed(name: string, file: string): boolean {
    const known = this.#known.lookupsOf(name, languageOf(file))
    return known.some(({ sdk = 'plain' }) => sdk === 'plain' || sdk === 'context')
  }

  #isDefault(name: string): boolean {
    return this.#known.configured.get(name)?.some(({ isDefault }) => isDefault) === true
  }

  #isWrapperIn(name: string, family: string): boolean {
    const key = `${family}:${name}`
    const verdict = this.#verdicts.get(key) ?? this.#decide(name, key)
    this.#verdicts.set(key, verdict)
    return verdict
  }

  /** Whether a function is defined only where it passes its parameter on, apart from tests. */
  #decide(name: string, key: string): boolean {
    const all = this.#definitions.get(key) ?? []
    const own = all.filter((file) => !isTest(file))
    const files = own.length > 0 ? own : all
    const passing = (this.#passing.get(name) ?? []).filter(({ file }) => files.includes(file))
    const definitions = new Set(passing.map(({ file, passed }) => `${file}:${passed.at}`))
    const indexes = new Set(passing.map(({ passed }) => passed.lookup.index))
    if (files.length === 1) return definitions.size === 1
    return definitions.size >= files.length && indexes.size === 1
  }
}

/** Adds an item to the list that a map has for a key. */
function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

export function isSame(a: Lookup, b: Lookup): boolean {
  return (['index', 'key', 'member', 'isReceiver'] as const).every((part) => a[part] === b[part])
}
