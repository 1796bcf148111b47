import type { Binding } from './bindings.ts'
import type { Facts } from './facts.ts'
import { groupOf } from '../lexer/languages.ts'
import type { Lookup } from './arguments.ts'

/** The facts of all files. */
export class Collection {
  /** The functions that take the name of a flag, by their names. */
  readonly lookups: ReadonlyMap<string, readonly Lookup[]>
  readonly calls: Facts['calls'] = []
  readonly forms: Facts['forms'] = []
  readonly members: Facts['members'] = []
  readonly uses: Facts['uses'] = []
  readonly bindings = new Map<string, Binding[]>()
  /** The files that define the functions of a group of languages, once for each definition: `js:name`. */
  readonly definitions = new Map<string, string[]>()
  /** Files with more lookups than are read. */
  readonly incomplete = new Set<string>()
  /** Files with lookups of another flag system. */
  readonly otherSystems = new Set<string>()
  readonly #taken = new Set<string>()

  constructor(lookups: Collection['lookups']) {
    this.lookups = lookups
  }

  /**
   * Adds the facts of a file. A binding may be found again when the file is read again.
   * @param facts undefined for a file with too many lookups
   */
  take(file: string, facts: Facts | undefined): void {
    if (!facts) {
      this.incomplete.add(file)
      return
    }
    if (facts.hasOtherSystem) this.otherSystems.add(file)
    const { calls, forms, members, uses, bindings, functions } = facts
    for (const call of calls) this.calls.push(call)
    for (const form of forms) this.forms.push(form)
    for (const member of members) this.members.push(member)
    for (const use of uses) this.uses.push(use)
    for (const binding of bindings) {
      const key = `${file}:${binding.offset}`
      if (!this.#taken.has(key)) addTo(this.bindings, binding.name, binding)
      this.#taken.add(key)
    }
    for (const name of functions) addTo(this.definitions, `${groupOf(file)}:${name}`, file)
  }

  /** The types whose members are flags. */
  typesWithMembers(): Set<string> {
    return new Set(this.members.map(({ type }) => type))
  }
}

/** Adds an item to the list that a map has for a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}
