import { isTest } from '../lexer/file-names.ts'
import { familyOf, languageOf } from '../languages/of-file.ts'
import type { Call, Facts } from './facts.ts'
import type { Links } from './links.ts'
import type { Lookup } from './lookup.ts'
import type { Projects } from './manifests.ts'
import type { KnownCalls } from './sdks.ts'
import type { Passed } from './surroundings.ts'

// Common names of functions, most of whose calls do not take flags.
const BUILT_IN =
  /^(?:valueOf|toString|equals|set|add|filter|map|some|every|constructor|init|new|call|invoke|run|apply|then|match|it|describe|main|handle|execute|render|__init__|__call__|initialize)$/
// Methods that many types have: only calls on an object for flags, or of the type that passes on the name, count.
const COMMON = /^(?:has|get|find|check|test|can)$/i
const FLAG_OBJECT = /flag|feature|toggle|unleash/i

/** A function whose calls are wanted. */
export interface Candidate {
  name: string
  lookup: Lookup
  /** Where it is defined. */
  file: string
}

/** A function that passes a parameter on. */
interface Passing {
  file: string
  passed: Passed
  /** Where it does. */
  call: Call
}

/** The functions that pass a flag name on in the code that was read so far. */
export class Wrappers {
  readonly #known: KnownCalls
  readonly #links: Links
  readonly #projects: Projects
  readonly #calls: readonly Call[]
  /** The functions that pass on what they get, by their names. */
  readonly #passing = new Map<string, Passing[]>()
  /** The definitions of functions in the languages of a family, by `family:name`. */
  readonly #definitions = new Map<string, { file: string }[]>()
  /** Whether a function that a file calls is a wrapper; false while that is being decided. */
  readonly #verdicts = new Map<string, boolean>()

  constructor(
    known: KnownCalls,
    facts: ReadonlyMap<string, Pick<Facts, 'calls' | 'definitions'>>,
    links: Links,
    projects: Projects,
  ) {
    this.#projects = projects
    this.#known = known
    this.#links = links
    this.#calls = [...facts.values()].flatMap(({ calls }) => calls)
    for (const call of this.#calls) {
      const { file, passed } = call
      if (!passed) continue
      const names = namesOf(passed, file)
      for (const name of names) addTo(this.#passing, name, { file, passed, call })
      const isOfObject = passed.function === languageOf(file).callMethod
      if (!isOfObject && !passed.isConstructor) continue
      for (const name of names) addTo(this.#definitions, `${familyOf(file)}:${name}`, { file })
    }
    for (const [file, { definitions }] of facts) {
      for (const name of definitions)
        addTo(this.#definitions, `${familyOf(file)}:${name}`, { file })
    }
  }

  /** Functions that pass something on, even if they are defined more than once, with a file that defines them. */
  candidates(): Candidate[] {
    const candidates: Candidate[] = []
    for (const call of this.#calls) {
      const { passed, file } = call
      if (!passed || !this.isAccepted(call)) continue
      const { lookup } = passed
      for (const name of namesOf(passed, file)) {
        const isKnown = this.#isFixed(name, file) && !this.#isDefault(name) && !lookup.isReceiver
        if (isKnown || BUILT_IN.test(name)) continue
        candidates.push({ name, lookup, file })
      }
    }
    return candidates
  }

  /** Functions with common names that pass something on, by file: only calls there without an object count. */
  localCandidates(): Map<string, Map<string, Lookup[]>> {
    const byFile = new Map<string, Map<string, Lookup[]>>()
    for (const call of this.#calls) {
      const { function: name, lookup } = call.passed ?? {}
      const isLocal = name !== undefined && BUILT_IN.test(name) && lookup?.isReceiver !== true
      if (!isLocal || !lookup || !this.isAccepted(call)) continue
      const ofFile = byFile.get(call.file) ?? new Map<string, Lookup[]>()
      if (!ofFile.get(name)?.some((one) => isSame(one, lookup))) addTo(ofFile, name, lookup)
      byFile.set(call.file, ofFile)
    }
    return byFile
  }

  /** Whether a function that is called is a lookup. */
  isAccepted(call: Call): boolean {
    const { name, file, lookup, owners } = call
    if (name === '') return true
    if (lookup.sdk !== undefined) return !this.isOwnFunction(call)
    // Its object decides whether it is one.
    if (lookup.isReceiver) return this.#passingSeen(call).length > 0
    const passing = this.#passing.get(name) ?? []
    // The body of a configured function shows which parameter is the flag.
    const isOther = ({ passed }: Passing) => passed.lookup.index !== lookup.index
    if (lookup.isDefault && passing.some(isOther)) return false
    if (this.#isFixed(name, file)) return true
    if (owners === '' || !COMMON.test(name)) return this.#isWrapper(call)
    const path = owners.toLowerCase()
    const isOfType = ({ passed: { type = '' } }: Passing) =>
      type !== '' && path.includes(type.toLowerCase())
    const seen = this.#passingSeen(call)
    return seen.length > 0 && (FLAG_OBJECT.test(owners) || seen.some(isOfType))
  }

  /** Whether a call without an object may be one of an SDK, in a project that mentions none. */
  mayBeOwn({ file, lookup, isBare }: Call): boolean {
    return lookup.sdk !== undefined && isBare && !this.#projects.hasSdk(file)
  }

  /** Whether a function that is called like one of an SDK is of the project, and does not pass on the name. */
  isOwnFunction(call: Call): boolean {
    if (!this.mayBeOwn(call)) return false
    const definitions = this.#definitions.get(`${familyOf(call.file)}:${call.name}`) ?? []
    return definitions.length > 0 && this.#isSeen(call, definitions) && !this.#isWrapper(call)
  }

  #isSeen({ name, file }: Call, definitions: readonly { file: string }[]): boolean {
    return this.#links.groups(file, [name], definitions).length > 0
  }

  /** Whether a call is not one of a function of the SDKs or the configuration. */
  isWrapper({ name, file, lookup }: Call): boolean {
    return lookup.sdk === undefined && name !== '' && !this.#isFixed(name, file)
  }

  /** Whether callers of the function that passes something on specify the name. */
  isKnown(passed: Passed, file: string): boolean {
    const { lookup } = passed
    return namesOf(passed, file).some((name) => {
      if (lookup.isReceiver || COMMON.test(name) || this.#isFixed(name, file)) return true
      return this.#isWrapper({ name, file, lookup, owners: '' })
    })
  }

  /** The functions that a call may be one of, by their files and tokens. */
  placesOf(call: Call): string[] {
    return this.#passingSeen(call)
      .filter((one) => one.call !== call)
      .map(({ file, passed }) => `${file}:${passed.at}`)
  }

  /** Whether all calls of a function are lookups, unlike those of common words of the SDKs such as `Toggle`. */
  #isFixed(name: string, file: string): boolean {
    const lookups = this.#known.lookupsOf(name, languageOf(file))
    return lookups.some(({ sdk = 'plain' }) => sdk === 'plain' || sdk === 'context')
  }

  #isDefault(name: string): boolean {
    return this.#known.configured.get(name)?.some(({ isDefault }) => isDefault) === true
  }

  /** The functions with the name of a call that pass something on, and that its file can see. */
  #passingSeen({ name, file, owners }: Pick<Call, 'name' | 'file' | 'owners'>): Passing[] {
    const family = familyOf(file)
    const passing = (this.#passing.get(name) ?? []).filter((one) => familyOf(one.file) === family)
    const types = passing.flatMap(({ passed: { type } }) => type ?? [])
    return this.#links.groups(file, [name, ...wordsIn(owners), ...types], passing).flat()
  }

  #isWrapper(call: Pick<Call, 'name' | 'file' | 'owners' | 'lookup'>): boolean {
    const { name, file, owners, lookup } = call
    const key = [name, file, owners, lookup.index, lookup.key, lookup.member].join('\n')
    const verdict = this.#verdicts.get(key)
    if (verdict !== undefined) return verdict
    this.#verdicts.set(key, false)
    const decided = this.#decide(call)
    this.#verdicts.set(key, decided)
    return decided
  }

  /** Whether a function is defined only where it passes its parameter on, as far as its caller can see. */
  #decide({ name, file, owners, lookup }: Pick<Call, 'name' | 'file' | 'owners' | 'lookup'>) {
    const all = this.#definitions.get(`${familyOf(file)}:${name}`) ?? []
    const ofProduction = all.filter((one) => !isTest(one.file))
    const types = (this.#passing.get(name) ?? []).flatMap(({ passed: { type } }) => type ?? [])
    const names = [name, ...wordsIn(owners), ...types]
    const [seen = []] = this.#links.groups(
      file,
      names,
      ofProduction.length > 0 ? ofProduction : all,
    )
    const files = new Set(seen.map((one) => one.file))
    const passing = (this.#passing.get(name) ?? []).filter(
      (one) => files.has(one.file) && this.isAccepted(one.call),
    )
    const isPassed = ({ passed }: Passing) =>
      lookup.sdk === undefined
        ? isSame(passed.lookup, lookup)
        : passed.lookup.index === lookup.index
    if (!passing.some(isPassed)) return false
    const definitions = new Set(passing.map((one) => `${one.file}:${one.passed.at}`))
    const indexes = new Set(passing.map(({ passed }) => passed.lookup.index))
    if (seen.length === 1) return definitions.size === 1
    return definitions.size >= seen.length && indexes.size === 1
  }
}

/**
 * The names by which a function is called: its own or, for the method of an object that is called like a function,
 * those of such objects: `isOn` and `isOnUseCase` for `IsOnUseCase`.
 */
function namesOf({ function: name, type }: Passed, file: string): string[] {
  if (name === undefined) return []
  if (name !== languageOf(file).callMethod) return [name]
  if (type === undefined) return []
  const object = type.charAt(0).toLowerCase() + type.slice(1)
  return [...new Set([object, object.replace(/(?:UseCase|Protocol|Impl)+$/, '')])]
}

/** The words of a name with members. */
function wordsIn(path: string): string[] {
  return path.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
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
