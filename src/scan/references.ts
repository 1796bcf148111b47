import type { Member } from './code/definitions.ts'
import {
  type Call,
  type Facts,
  factsIn,
  type FormName,
  type Matched,
  type MemberUse,
  type Wanted,
} from './code/facts.ts'
import { type Mention, mentionsIn } from './mentions.ts'
import type { Position } from './code/positions.ts'
import type { Expression } from './code/expressions.ts'
import { type Group, languageOf } from './code/languages.ts'
import { indexedWords, isCandidate, type Lookup, sdkLookups } from './code/lookups.ts'
import { createResolver, type PlacedBinding, type Value } from './resolution.ts'
import { createWordIndex, hashesIn, hashOf } from './code/words.ts'

/** What a user adds to what the scanner knows. */
export interface ScanConfiguration {
  /** Functions that take the name of a flag: `name`, `name:2`, `name:key`. */
  calls?: readonly string[]
  /** Types whose members are flags. */
  definitions?: readonly string[]
  /** Known names, whose quoted literals are mentions. */
  names?: Iterable<string>
  /** Whether functions that pass on a name count as lookups; true by default. */
  wrappers?: boolean
}

/** A flag name where source code uses it. */
export interface Reference extends Position {
  name: string
  file: string
  kind: 'call' | 'constant' | 'mention'
  /** The source text of the use. */
  text: string
  /** Where the literal with the name is; the same file for a `call`. */
  origin: FilePosition
}

/** A place in source code. */
export interface FilePosition extends Position {
  file: string
}

/** A lookup whose flag name could not be read. */
export interface Unresolved extends FilePosition {
  text: string
  /** The values of a constant that has more than one, in code unit order. */
  candidates: string[]
}

/** A function that passes a flag name on to a lookup. */
export interface Wrapper {
  name: string
  /** Which argument it passes on: 1-based, or the label of the argument. */
  argument: number | string
}

export interface Findings {
  /** In the order of the files, then of the text. */
  references: Reference[]
  unresolved: Unresolved[]
  /** How many lookups there are, those that could not be read included. */
  lookups: number
  /** In the order of their names. */
  wrappers: Wrapper[]
}

/** Reads files again: calls back with the text of each. */
export type { Matched }

export type Reread = (
  files: readonly number[],
  onText: (file: number, text: string) => void,
) => Promise<void>

const SPECIFICATION = /^([^:\s]+)(?::(\w+))?$/

/** The lookup that a specification describes; undefined for an invalid one. */
export function parseCall(specification: string): { name: string; lookup: Lookup } | undefined {
  const [, name, argument] = SPECIFICATION.exec(specification) ?? []
  if (name === undefined) return undefined
  if (argument === undefined) return { name: wordIn(name), lookup: { index: 0 } }
  const index = /^\d+$/.test(argument) ? Number(argument) - 1 : undefined
  if (index === undefined) return { name: wordIn(name), lookup: { key: argument } }
  return index < 0 ? undefined : { name: wordIn(name), lookup: { index } }
}

/** The function in `client.isOn` or `Flags::on?`. */
function wordIn(name: string): string {
  return name.split(/\.|::|->/).at(-1) ?? name
}

interface FileFacts {
  calls: (Call & { file: number })[]
  forms: (FormName & { file: number })[]
  uses: (MemberUse & { file: number })[]
  members: (Member & { file: number })[]
  mentions: (Mention & { file: number })[]
}

// The name of what a custom pattern found, which no function has.
const MATCHED = ''

// More rounds than functions that call each other have, to bound the work.
const MAX_ROUNDS = 12
const MAX_CANDIDATES = 20
// With more names, selecting files takes longer than reading them.
const MAX_FILTERED = 500
// Functions of the languages, whose other calls do not take flags.
const BUILT_IN =
  /^(?:valueOf|toString|equals|get|set|has|add|find|filter|map|some|every|constructor|init|new|call|invoke|run|apply|then|test|match|it|describe|main|handle|execute|render|__init__|__call__|initialize)$/

/**
 * Collects what files say about flags. Files are added once; those that may contain a constant or a
 * call that turned up later are read again.
 */
export function createScanner({
  calls = [],
  definitions = [],
  names = [],
  wrappers = true,
}: ScanConfiguration) {
  const files: string[] = []
  const groups: Group[] = []
  const lookups = sdkLookups()
  for (const specification of calls) {
    const parsed = parseCall(specification)
    if (!parsed) continue
    const { name, lookup } = parsed
    const known = lookups.get(name)?.filter(({ sdk }) => sdk === undefined) ?? []
    lookups.set(name, [...known, lookup])
  }
  const initial: Wanted = {
    lookups,
    constants: new Set(),
    functions: new Set(),
    definitions: new Set(definitions),
    members: new Map(),
    forms: true,
  }
  const index = createWordIndex([...indexedWords(lookups), ...definitions])
  const found: FileFacts = { calls: [], forms: [], uses: [], members: [], mentions: [] }
  const bindings = new Map<string, PlacedBinding[]>()
  const bindingKeys = new Set<string>()
  const definitionCounts = new Map<string, number>()
  const searched = {
    constants: new Set<string>(),
    functions: new Set<string>(),
    members: new Set<string>(),
  }

  const groupOf = (file: number): Group => groups[file] ?? 'other'

  const take = (file: number, facts: Facts) => {
    verdicts.clear()
    const group = groupOf(file)
    for (const call of facts.calls) found.calls.push({ ...call, file })
    for (const form of facts.forms) found.forms.push({ ...form, file })
    for (const use of facts.uses) found.uses.push({ ...use, file })
    for (const member of facts.members) found.members.push({ ...member, file })
    for (const binding of facts.bindings) {
      const key = `${file}:${binding.offset}`
      if (bindingKeys.has(key)) continue
      bindingKeys.add(key)
      const known = bindings.get(binding.name)
      const placed = { ...binding, file, group }
      if (known) known.push(placed)
      else bindings.set(binding.name, [placed])
    }
    for (const [name, count] of facts.functions) {
      const key = `${group}:${name}`
      definitionCounts.set(key, (definitionCounts.get(key) ?? 0) + count)
    }
  }

  /** The words of names that are still to be searched in other files. */
  const newConstants = (): Set<string> => {
    const names = new Set<string>()
    const want = (expression: Expression, file: number, hasOwner: boolean) => {
      if (expression.kind === 'join' || expression.kind === 'choice') {
        for (const part of expression.parts) want(part, file, hasOwner)
      }
      if (expression.kind !== 'name') return
      for (const word of wordsOf(expression.path, hasOwner)) {
        const isOwn = bindings
          .get(word)
          ?.some((one) => one.file === file && one.kind === 'assigned')
        if (isOwn && expression.path.length === 1) continue
        if (!searched.constants.has(word)) names.add(word)
      }
    }
    for (const call of found.calls) {
      if (!call.passed && isAccepted(call)) want(call.expression, call.file, call.hasOwner)
    }
    for (const list of bindings.values()) {
      for (const { value, file } of list) if (value) want(value, file, true)
    }
    for (const member of found.members) want(member.value, member.file, true)
    return names
  }

  const wrapperNames = (): Map<string, Lookup[]> => {
    const names = new Map<string, Lookup[]>()
    if (!wrappers) return names
    for (const call of found.calls) {
      const name = call.passed?.function
      if (name === undefined || !call.passed || !isAccepted(call)) continue
      if (lookups.has(name) || BUILT_IN.test(name)) continue
      const known = names.get(name) ?? []
      if (!known.some((one) => isSame(one, call.passed?.lookup)))
        names.set(name, [...known, call.passed.lookup])
    }
    return names
  }

  const verdicts = new Map<string, boolean>()

  /** Whether a function that was found is defined only where it passes its parameter on. */
  const isWrapper = (name: string, group: Group): boolean => {
    const key = `${group}:${name}`
    const known = verdicts.get(key)
    if (known !== undefined) return known
    const verdict = decideWrapper(name, group)
    verdicts.set(key, verdict)
    return verdict
  }

  const decideWrapper = (name: string, group: Group): boolean => {
    const count = definitionCounts.get(`${group}:${name}`) ?? 0
    if (count < 2) return count === 1
    const passing = found.calls.filter(
      ({ passed, file }) => passed?.function === name && groupOf(file) === group,
    )
    const places = new Set(passing.map(({ file, passed }) => `${file}:${passed?.at}`))
    const indexes = new Set(passing.map(({ passed }) => passed?.lookup.index))
    return places.size >= count && indexes.size === 1
  }

  const isAccepted = ({ name, file }: { name: string; file: number }): boolean =>
    lookups.has(name) || name === MATCHED || isWrapper(name, groupOf(file))

  const acceptedWrappers = (): Wrapper[] => {
    const list = [...wrapperNames()].filter(([name]) => {
      return (['js', ...groups] as const).some((group) => isWrapper(name, group))
    })
    return list
      .flatMap(([name, all]) =>
        all.map(({ index: at, key, member }): Wrapper => {
          const isProperty = member !== undefined && (member === key || /^[A-Z]/.test(name))
          if (isProperty) return { name, argument: member }
          return { name, argument: at === undefined ? (key ?? '') : at + 1 }
        }),
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  const nextWanted = (): Wanted | undefined => {
    const constants = newConstants()
    const wrapperLookups = new Map(
      [...wrapperNames()].filter(([name]) => !searched.functions.has(name)),
    )
    const members = new Map<string, string[]>()
    for (const { name, type, isVariable } of found.members) {
      const owner = isVariable ? '' : type
      if (searched.members.has(`${owner}.${name}`)) continue
      members.set(name, [...new Set([...(members.get(name) ?? []), owner])])
    }
    if (constants.size + wrapperLookups.size + members.size === 0) return undefined
    for (const name of constants) searched.constants.add(name)
    for (const name of wrapperLookups.keys()) searched.functions.add(name)
    for (const [name, owners] of members)
      for (const owner of owners) searched.members.add(`${owner}.${name}`)
    return {
      lookups: wrapperLookups,
      constants,
      functions: new Set(wrapperLookups.keys()),
      definitions: new Set(),
      members,
      forms: false,
    }
  }

  const findMentions = async (reread: Reread) => {
    const known = new Set(names)
    if (known.size === 0) return
    const words = [...known].map(hashesIn)
    const selected = files.flatMap((_, file) => {
      const isLikely =
        words.length > MAX_FILTERED || words.some((all) => index.mayContainAll(file, all))
      return isLikely ? [file] : []
    })
    await reread(selected, (file, text) => {
      for (const mention of mentionsIn(text, known)) found.mentions.push({ ...mention, file })
    })
  }

  return {
    /** Adds a file; its text is decoded only if it can contain a lookup. */
    add(
      number: number,
      file: string,
      bytes: Uint8Array,
      textOf: () => string,
      matched: readonly Matched[],
    ): void {
      files[number] = file
      groups[number] = languageOf(file).group
      const words = index.add(number, bytes, /^(?:ruby|elixir)$/.test(groupOf(number)))
      const isWanted =
        definitions.some((type) => words.has(type)) || isCandidate(words, groupOf(number), lookups)
      if (isWanted || matched.length > 0)
        take(number, factsIn(textOf(), file, { ...initial, matched }))
    },
    /** Reads files again until nothing new turns up. */
    async finish(reread: Reread): Promise<void> {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const wanted = nextWanted()
        if (!wanted) break
        const words = [...wanted.lookups.keys(), ...wanted.constants, ...wanted.members.keys()].map(
          hashOf,
        )
        const selected = files.flatMap((_, file) => (index.mayContain(file, words) ? [file] : []))
        await reread(selected, (file, text) => take(file, factsIn(text, files[file] ?? '', wanted)))
      }
      await findMentions(reread)
    },
    findings(): Findings {
      const resolve = createResolver(bindings)
      const entries: { file: number; offset: number; reference: Reference }[] = []
      const unread: { file: number; offset: number; lookup: Unresolved }[] = []
      const lookupPlaces = new Set<string>()
      const fileOf = (file: number) => files[file] ?? ''
      const addReference = (
        at: Position & { file: number; offset: number; text: string },
        value: Value,
      ) => {
        const { name, isConstant } = value
        const { line, column, offset } = isConstant ? at : value
        const origin = { file: fileOf(value.file), line: value.line, column: value.column }
        const kind = isConstant ? 'constant' : 'call'
        const reference: Reference = {
          name,
          file: fileOf(at.file),
          line,
          column,
          kind,
          text: at.text,
          origin,
        }
        entries.push({ file: at.file, offset, reference })
      }
      const membersOf = new Map<string, Value[]>()
      for (const { name, type, value, isVariable, file } of found.members) {
        const key = `${isVariable ? '' : type}.${name}`
        const { values } = resolve(value, { file, group: groupOf(file), hasOwner: true })
        membersOf.set(key, [...(membersOf.get(key) ?? []), ...values])
      }
      const memberNames = new Set(found.members.map(({ name }) => name))
      for (const call of found.calls) {
        if (!isAccepted(call)) continue
        if (call.receiver !== undefined && memberNames.has(call.receiver)) continue
        const { file, offset, start, text, passed } = call
        if (passed) {
          const name = passed.function
          const isKnown =
            name !== undefined && wrappers && (lookups.has(name) || isWrapper(name, groupOf(file)))
          if (!isKnown) lookupPlaces.add(`${file}:${offset}`)
          if (!isKnown)
            unread.push({
              file,
              offset,
              lookup: { file: fileOf(file), ...start, text, candidates: [] },
            })
          continue
        }
        lookupPlaces.add(`${file}:${offset}`)
        const place = { file, group: groupOf(file), hasOwner: call.hasOwner }
        const { values, isPartial, candidates } = resolve(call.expression, place)
        for (const value of values) addReference(call, value)
        if (isPartial) {
          const sorted = [...new Set(candidates)].sort().slice(0, MAX_CANDIDATES)
          unread.push({
            file,
            offset,
            lookup: { file: fileOf(file), ...start, text, candidates: sorted },
          })
        }
      }
      for (const form of found.forms) {
        lookupPlaces.add(`${form.file}:${form.offset}`)
        addReference(form, { ...form, isConstant: false })
      }
      for (const use of found.uses) {
        const values = membersOf.get(`${use.type}.${use.name}`) ?? []
        const names = new Set(values.map(({ name }) => name))
        if (names.size !== 1 || !values[0]) continue
        lookupPlaces.add(`${use.file}:${use.offset}`)
        addReference(use, { ...values[0], isConstant: true })
      }
      const isOrigin = new Set(
        entries.map(
          ({ reference: { name, origin } }) =>
            `${origin.file}:${origin.line}:${origin.column}:${name}`,
        ),
      )
      for (const { name, file, offset, line, column, text } of found.mentions) {
        const origin = { file: fileOf(file), line, column }
        if (isOrigin.has(`${origin.file}:${line}:${column}:${name}`)) continue
        entries.push({
          file,
          offset,
          reference: { name, ...origin, kind: 'mention', text, origin },
        })
      }
      const inOrder = (a: { file: number; offset: number }, b: { file: number; offset: number }) =>
        a.file - b.file || a.offset - b.offset
      const isFirst = createUnique()
      return {
        references: entries
          .sort(inOrder)
          .filter(({ file, offset, reference }) => isFirst(`${file}:${offset}:${reference.name}`))
          .map(({ reference }) => reference),
        unresolved: unread
          .sort(inOrder)
          .filter(({ file, offset }) => isFirst(`unresolved ${file}:${offset}`))
          .map(({ lookup }) => lookup),
        lookups: lookupPlaces.size,
        wrappers: acceptedWrappers(),
      }
    },
  }
}

/** A function that returns whether it sees a key for the first time. */
function createUnique(): (key: string) => boolean {
  const seen = new Set<string>()
  return (key) => {
    const { size } = seen
    return seen.add(key).size > size
  }
}

// Members of so many objects that they are not worth searching.
const GENERIC =
  /^(?:name|key|id|value|type|flag|toggle|feature|navn|rawValue|toString|title|label)$/

/** The words of a name that other files may bind to a value. */
function wordsOf(path: readonly string[], hasOwner: boolean): readonly string[] {
  const last = path.length - 1
  return path.filter((word, index) => {
    const before = path[index - 1]
    if (index < last - 1 || /^(?:this|self|Self|static|cls|\.)$/.test(word)) return false
    if (before !== undefined && GENERIC.test(word)) return false
    const isConstant = /^[A-Z_]/.test(word) || /^[A-Z.]/.test(before ?? '')
    return isConstant || (index === last && (before === undefined || hasOwner))
  })
}

function isSame(a: Lookup, b: Lookup | undefined): boolean {
  return a.index === b?.index && a.key === b?.key && a.member === b?.member
}
