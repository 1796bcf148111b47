import { byCodeUnit } from '../../output/order.ts'
import { isTest } from '../lexer/file-names.ts'
import { type Group, groupOf } from '../lexer/languages.ts'
import type { Call, Passed } from './facts.ts'
import type { Lookup } from './arguments.ts'
import { addTo, type Collection } from './collection.ts'

/** A function that passes a flag name on to a lookup. */
export interface Wrapper {
  name: string
  /** Which argument it passes on: 1-based, or the label of the argument. */
  argument: number | string
}

// The name of custom patterns and of the syntax of frameworks.
const NO_FUNCTION = ''

// Common names of functions, most of whose calls do not take flags.
const BUILT_IN =
  /^(?:valueOf|toString|equals|set|add|filter|map|some|every|constructor|init|new|call|invoke|run|apply|then|match|it|describe|main|handle|execute|render|__init__|__call__|initialize)$/
// Methods that many types have: only calls on an object for flags, or of the type that passes on the name, count.
const COMMON = /^(?:has|get|find|check|test|can)$/i
const FLAG_OBJECT = /flag|feature|toggle|unleash/i

// The objects of the SDKs, by their usual names.
const CLIENT = /unleash|client/i

const keyOf = (name: string, file: string) => `${groupOf(file)}:${name}`

/** The functions that pass a flag name on in the code that was read so far. */
export class Wrappers {
  readonly #collection: Collection
  readonly #verdicts = new Map<string, boolean>()
  readonly #adding: ReadonlySet<string>
  /** The parameters that functions pass on, by the name of the function. */
  readonly #passing = new Map<string, Passed[]>()

  constructor(collection: Collection) {
    this.#collection = collection
    this.#adding = addingFunctions(collection.calls)
    for (const { passed } of collection.calls) {
      if (passed?.function !== undefined) addTo(this.#passing, passed.function, passed)
    }
  }

  /** Functions that pass a parameter on, even if they are defined more than once. */
  candidates(): Map<string, Lookup[]> {
    const names = new Map<string, Lookup[]>()
    for (const call of this.#collection.calls) {
      const { function: name, lookup } = call.passed ?? {}
      if (name === undefined || !lookup || !this.isAccepted(call) || this.isPart(call)) continue
      if (BUILT_IN.test(name) || (this.#isFixed(name) && !this.#isDefault(name))) continue
      if (!names.get(name)?.some((one) => isSame(one, lookup))) addTo(names, name, lookup)
    }
    return names
  }

  /** Types whose methods pass a field on. */
  flagTypes(): Set<string> {
    const { calls } = this.#collection
    const accepted = calls.filter((call) => call.ownType && this.isAccepted(call))
    return new Set(accepted.flatMap(({ ownType }) => ownType ?? []))
  }

  /** Whether a function that is called is a lookup. */
  isAccepted(call: Pick<Call, 'name' | 'file' | 'lookup' | 'owners'>): boolean {
    const { name, file, lookup, owners } = call
    // The body of a configured function shows which parameter is the flag.
    const passing = this.#passing.get(name) ?? []
    if (lookup.isDefault && passing.some((one) => one.lookup.index !== lookup.index)) return false
    if (!this.isWrapper(call)) return true
    if (owners === '' || !COMMON.test(name)) return this.#isWrapperIn(name, groupOf(file))
    const path = owners.toLowerCase()
    const isOfType = ({ type = '' }: Passed) => type !== '' && path.includes(type.toLowerCase())
    return passing.length > 0 && (FLAG_OBJECT.test(owners) || passing.some(isOfType))
  }

  /** Whether a call is not one of a function of the SDKs or the configuration. */
  isWrapper({ name, lookup }: Pick<Call, 'name' | 'lookup'>): boolean {
    return lookup.sdk === undefined && name !== NO_FUNCTION && !this.#isFixed(name)
  }

  /** Whether all calls of a function are lookups, unlike those of common words of the SDKs such as `Toggle`. */
  #isFixed(name: string): boolean {
    const known = this.#collection.lookups.get(name) ?? []
    return known.some(({ sdk = 'plain' }) => sdk === 'plain' || sdk === 'context')
  }

  #isDefault(name: string): boolean {
    return this.#collection.lookups.get(name)?.some(({ isDefault }) => isDefault) === true
  }

  /** Whether a function of a file is a lookup, so that its callers specify the name. */
  isKnown(name: string | undefined, file: string): boolean {
    if (name === undefined) return false
    return COMMON.test(name) || this.isAccepted({ name, file, lookup: {}, owners: '' })
  }

  /**
   * Whether the name in a call is only a part of that of the flag, because a function of the project has the
   * name of a lookup and adds to it: `fun isEnabled(name: String) = unleash.isEnabled("shop." + name)`.
   */
  isPart({ name, file, lookup, receiver }: Call): boolean {
    if (lookup.sdk === undefined || CLIENT.test(receiver)) return false
    return this.#adding.has(keyOf(name, file))
  }

  list(): Wrapper[] {
    const groups = new Set(this.#collection.calls.map(({ file }) => groupOf(file)))
    return [...this.candidates()]
      .filter(([name]) => [...groups].some((group) => this.#isWrapperIn(name, group)))
      .flatMap(([name, lookups]) => lookups.map((lookup) => wrapperOf(name, lookup)))
      .sort((a, b) => byCodeUnit(a.name, b.name))
  }

  #isWrapperIn(name: string, group: Group): boolean {
    const key = `${group}:${name}`
    const verdict = this.#verdicts.get(key) ?? this.#decide(name, key)
    this.#verdicts.set(key, verdict)
    return verdict
  }

  /** Whether a function is defined only where it passes its parameter on, apart from tests. */
  #decide(name: string, key: string): boolean {
    const all = this.#collection.definitions.get(key) ?? []
    const own = all.filter((file) => !isTest(file))
    const files = own.length > 0 ? own : all
    const passing = this.#collection.calls.filter(
      (call) => call.passed?.function === name && files.includes(call.file) && !this.isPart(call),
    )
    const definitions = new Set(passing.map(({ file, passed }) => `${file}:${passed?.at}`))
    const indexes = new Set(passing.map(({ passed }) => passed?.lookup.index))
    if (files.length === 1) return definitions.size === 1
    return definitions.size >= files.length && indexes.size === 1
  }
}

/** The functions that only call the client with a name to which they add. */
function addingFunctions(calls: readonly Call[]): Set<string> {
  const ofClient = calls.filter(({ receiver }) => CLIENT.test(receiver))
  const adding = new Set<string>()
  for (const { file, addedBy } of ofClient) if (addedBy) adding.add(keyOf(addedBy, file))
  for (const { file, passed } of ofClient) adding.delete(keyOf(passed?.function ?? '', file))
  return adding
}

function wrapperOf(name: string, { index, key, member }: Lookup): Wrapper {
  const isProperty = member !== undefined && (member === key || /^[A-Z]/.test(name))
  if (isProperty) return { name, argument: member }
  return { name, argument: index === undefined ? (key ?? '') : index + 1 }
}

function isSame(a: Lookup, b: Lookup): boolean {
  return a.index === b.index && a.key === b.key && a.member === b.member
}
