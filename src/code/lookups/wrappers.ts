import { isTest } from '../lexer/file-names.ts'
import { languageOf } from '../languages/of-file.ts'
import type { Call, Facts } from './facts.ts'
import type { Lookup } from './lookup.ts'
import { Declarations, type NearestFirst } from './nearest.ts'
import type { KnownCalls } from './sdks.ts'
import type { Passed } from './surroundings.ts'

// Common names of functions, most of whose calls do not take flags.
const BUILT_IN =
  /^(?:valueOf|toString|equals|set|add|filter|map|some|every|constructor|init|new|call|invoke|run|apply|then|match|it|describe|main|handle|execute|render|__init__|__call__|initialize)$/
// Methods that many types have: only those of an object for flags count.
const COMMON = /^(?:has|get|find|check|test|can)$/i
const CLIENT = /client|flag|feature|toggle|unleash/i

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

/** A function, and where it is called. */
type CalledFunction = Pick<Call, 'name' | 'file' | 'lookup'>

/** The functions that pass a flag name on in the code that was read so far. */
export class Wrappers {
  readonly #knownCalls: KnownCalls
  readonly #nearestFirst: NearestFirst
  readonly #hasSdk: (file: string) => boolean
  readonly #calls: readonly Call[]
  /** The functions that pass on what they get. */
  readonly #passing: Declarations<Passing>
  readonly #definitions: Declarations<{ file: string }>
  /** Whether a function that a file calls is a wrapper; false while that is being decided. */
  readonly #verdicts = new Map<string, boolean>()

  constructor(
    knownCalls: KnownCalls,
    facts: ReadonlyMap<string, Pick<Facts, 'calls' | 'definitions'>>,
    nearestFirst: NearestFirst,
    hasSdk: (file: string) => boolean,
  ) {
    this.#hasSdk = hasSdk
    this.#knownCalls = knownCalls
    this.#nearestFirst = nearestFirst
    this.#passing = new Declarations(nearestFirst)
    this.#definitions = new Declarations(nearestFirst)
    this.#calls = [...facts.values()].flatMap(({ calls }) => calls)
    // Several lookups may use a field of a class.
    const constructors = new Set<string>()
    for (const call of this.#calls) {
      const { file, passed } = call
      if (!passed) continue
      const names = namesOf(passed, file)
      for (const name of names) this.#passing.add(name, { file, passed, call })
      const isOfObject = passed.function === languageOf(file).callMethod
      const place = `${file}:${passed.at}`
      if ((!isOfObject && !passed.isConstructor) || constructors.has(place)) continue
      constructors.add(place)
      for (const name of names) {
        // In Java and C#, a constructor is already found as a function.
        if (facts.get(file)?.definitions.includes(name)) continue
        this.#definitions.add(name, { file })
      }
    }
    for (const [file, { definitions }] of facts) {
      for (const name of definitions) this.#definitions.add(name, { file })
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

  /**
   * Whether a function that is called is a lookup. Functions of the SDKs and of `--call` are, unless the project has one
   * of the same name that does something else; all others only if they pass on what they get to one that is.
   */
  isAccepted(call: Call): boolean {
    const { name, file, lookup, owners } = call
    if (name === '') return true
    if (lookup.sdk !== undefined) return !this.isOwnFunction(call)
    // The object that a method is called on decides whether it is a flag.
    if (lookup.isReceiver) return this.#isPassedIn(call)
    if (this.#takesOther(call)) return false
    if (this.#isFixed(name, file)) return true
    if (owners === '' || !COMMON.test(name)) return this.#isWrapper(call)
    return CLIENT.test(owners) && this.#isPassedIn(call)
  }

  /** Whether a function with the name of a call passes something on, as far as its file can see. */
  #isPassedIn({ name, file }: Call): boolean {
    return this.#passing.seenFrom(file, name).length > 0
  }

  /** Whether the body of a configured function shows that the flag is another parameter than the assumed one. */
  #takesOther({ name, file, lookup }: Call): boolean {
    const isOther = ({ passed }: Passing) => passed.lookup.index !== lookup.index
    return lookup.isDefault === true && this.#passing.all(name, file).some(isOther)
  }

  /**
   * Whether a call may be one of a function of the project or another library, because its repository uses no SDK: one of
   * the same name is defined there, or the object shows no client.
   */
  mayBeOwn(call: Call): boolean {
    const { lookup, file, owners } = call
    if (lookup.sdk === undefined || this.#hasSdk(file)) return false
    const isOfOther = owners !== '' && !CLIENT.test(owners)
    return isOfOther || this.#othersSeen(call) > 0
  }

  /** Whether a function or method that is called like one of an SDK is another one, and does not pass on the name. */
  isOwnFunction(call: Call): boolean {
    return this.mayBeOwn(call) && !this.#isWrapper(call)
  }

  /** How many functions a call may be one of, without the one of its name that it is in, which calls another one. */
  #othersSeen({ name, file, isInNamesake = false }: Call): number {
    // Each definition may have a call, so they are counted without a copy.
    const groups = this.#definitions.seenFrom(file, name)
    return groups.reduce((sum, { length }) => sum + length, 0) - Number(isInNamesake)
  }

  /** Whether a call is not one of a function of the SDKs or the configuration. */
  isWrapper({ name, file, lookup }: Call): boolean {
    return lookup.sdk === undefined && name !== '' && !this.#isFixed(name, file)
  }

  /** Whether callers of the function around a lookup specify the name, because it is one of `--call`. */
  isConfigured(name: string | undefined): boolean {
    return name !== undefined && this.#knownCalls.configured.has(name)
  }

  /** Whether callers of the function that passes something on specify the name. */
  isKnown(passed: Passed, file: string): boolean {
    const { lookup } = passed
    return namesOf(passed, file).some((name) => {
      if (lookup.isReceiver || COMMON.test(name) || this.#isFixed(name, file)) return true
      return this.#isWrapper({ name, file, lookup })
    })
  }

  /** The functions that a call may be one of, by their files and tokens. */
  placesOf(call: Call): string[] {
    return this.#passing
      .seenFrom(call.file, call.name)
      .flat()
      .filter((passing) => passing.call !== call)
      .map(({ file, passed }) => `${file}:${passed.at}`)
  }

  /** Whether all calls of a function are lookups, unlike those of common words of the SDKs such as `Toggle`. */
  #isFixed(name: string, file: string): boolean {
    const lookups = this.#knownCalls.lookupsOf(name, languageOf(file))
    return lookups.some(({ sdk = 'plain' }) => sdk === 'plain' || sdk === 'context')
  }

  #isDefault(name: string): boolean {
    return this.#knownCalls.configured.get(name)?.some(({ isDefault }) => isDefault) === true
  }

  #isWrapper(call: CalledFunction): boolean {
    const { name, file, lookup } = call
    const key = [name, file, lookup.index, lookup.key, lookup.member].join('\n')
    const verdict = this.#verdicts.get(key)
    if (verdict !== undefined) return verdict
    this.#verdicts.set(key, false)
    const decided = this.#decide(call)
    this.#verdicts.set(key, decided)
    return decided
  }

  /** Whether a function is defined only where it passes its parameter on, as far as its caller can see. */
  #decide({ name, file, lookup }: CalledFunction): boolean {
    const all = this.#definitions.all(name, file)
    const ofProduction = all.filter((definition) => !isTest(definition.file))
    const [seen = []] = this.#nearestFirst(file, ofProduction.length > 0 ? ofProduction : all)
    const files = new Set(seen.map((definition) => definition.file))
    const passing = this.#passing
      .all(name, file)
      .filter((place) => files.has(place.file) && this.isAccepted(place.call))
    const isPassed = ({ passed }: Passing) =>
      lookup.sdk === undefined
        ? isSame(passed.lookup, lookup)
        : passed.lookup.index === lookup.index
    if (!passing.some(isPassed)) return false
    const places = new Set(passing.map(({ file, passed }) => `${file}:${passed.at}`))
    const indexes = new Set(passing.map(({ passed }) => passed.lookup.index))
    if (seen.length === 1) return places.size === 1
    return places.size >= seen.length && indexes.size === 1
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

export function isSame(a: Lookup, b: Lookup): boolean {
  return (['index', 'key', 'member', 'isReceiver'] as const).every((part) => a[part] === b[part])
}
