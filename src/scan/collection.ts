import type { Member } from './code/definitions.ts'
import type { Call, Facts, FormName, MemberUse } from './code/facts.ts'
import { type Group, languageOf } from './lexer/languages.ts'
import type { Lookup } from './code/lookups.ts'
import type { Mention } from './mentions.ts'
import type { FileBinding } from './resolution.ts'

type In<Fact> = Fact & { file: number }

/** The facts of all files. */
export interface Collection {
  files: string[]
  /** The functions that take the name of a flag, by their names. */
  lookups: ReadonlyMap<string, readonly Lookup[]>
  calls: In<Call>[]
  forms: In<FormName>[]
  uses: In<MemberUse>[]
  members: In<Member>[]
  mentions: In<Mention>[]
  bindings: Map<string, FileBinding[]>
  /** The files that define the functions of a group of languages, once for each definition: `js:name`. */
  definitions: Map<string, number[]>
  /** Files that were not read to their end. */
  incomplete: Set<number>
  fileOf(file: number): string
  groupOf(file: number): Group
  /** Adds a file. */
  addFile(file: number, path: string): void
  /** Adds the facts of a file. */
  take(file: number, facts: Facts): void
}

export function createCollection(lookups: ReadonlyMap<string, readonly Lookup[]>): Collection {
  const groups: Group[] = []
  const taken = new Set<string>()
  const collection: Collection = {
    files: [],
    lookups,
    calls: [],
    forms: [],
    uses: [],
    members: [],
    mentions: [],
    bindings: new Map(),
    definitions: new Map(),
    incomplete: new Set(),
    fileOf: (file) => collection.files[file] ?? '',
    groupOf: (file) => groups[file] ?? 'other',
    addFile(file, path) {
      collection.files[file] = path
      groups[file] = languageOf(path).group
    },
    take(file, facts) {
      if (facts.isIncomplete) {
        collection.incomplete.add(file)
        return
      }
      const group = collection.groupOf(file)
      for (const call of facts.calls) collection.calls.push({ ...call, file })
      for (const form of facts.forms) collection.forms.push({ ...form, file })
      for (const use of facts.uses) collection.uses.push({ ...use, file })
      for (const member of facts.members) collection.members.push({ ...member, file })
      for (const binding of facts.bindings) {
        const key = `${file}:${binding.offset}`
        if (taken.has(key)) continue
        taken.add(key)
        const placed = { ...binding, file, group }
        const known = collection.bindings.get(binding.name)
        if (known) known.push(placed)
        else collection.bindings.set(binding.name, [placed])
      }
      for (const [name, count] of facts.functions) {
        const key = `${group}:${name}`
        const others = collection.definitions.get(key) ?? []
        collection.definitions.set(key, others.concat(Array<number>(count).fill(file)))
      }
    },
  }
  return collection
}
