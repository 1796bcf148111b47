import type { Position } from '../input/position.ts'
import { isLegalName } from './code/bindings.ts'
import type { Call } from './code/facts.ts'
import type { Collection } from './collection.ts'
import { createResolver, type Resolve, type Value } from './resolution.ts'
import type { Wrapper, Wrappers } from './wrappers.ts'

/** A position in source code. */
export interface FilePosition extends Position {
  file: string
}

/** A flag name where source code uses it. */
export interface Reference extends FilePosition {
  name: string
  kind: 'call' | 'constant' | 'mention'
  /** The source text of the use. */
  text: string
  /** Where the literal with the name is; the same file for a `call`. */
  origin: FilePosition
}

/** A lookup whose flag name could not be read. */
export interface Unresolved extends FilePosition {
  text: string
  /** The values of a constant that has more than one, in code unit order. */
  candidates: string[]
}

export interface Findings {
  /** In the order of the files, then of the text. */
  references: Reference[]
  unresolved: Unresolved[]
  /** How many lookups there are, those that could not be read included. */
  lookups: number
  /** In the order of their names. */
  wrappers: Wrapper[]
  /** Types whose objects are flags, because their methods pass on a field. In order. */
  flagTypes: string[]
}

const MAX_CANDIDATES = 20

/** A position in a file, by the number of the file. */
interface Located {
  file: number
  offset: number
}

/** A use of a flag in a file. */
interface Use extends Located, Position {
  text: string
}

interface Report {
  collection: Collection
  references: (Located & { reference: Reference })[]
  unresolved: (Located & { lookup: Unresolved })[]
}

/** Finds the references in the collected facts. */
export function findingsIn(collection: Collection, wrappers: Wrappers): Findings {
  const report: Report = { collection, references: [], unresolved: [] }
  const resolve = createResolver(collection.bindings)
  const membersOf = new Map<string, Value[]>()
  for (const { name, type, value, isVariable, file } of collection.members) {
    const key = `${isVariable ? '' : type}.${name}`
    const { values } = resolve(value, { file, group: collection.groupOf(file), hasOwner: true })
    membersOf.set(key, [...(membersOf.get(key) ?? []), ...values])
  }
  addCalls(report, wrappers, resolve)
  for (const form of collection.forms) addReference(report, form, { ...form, isConstant: false })
  for (const use of collection.uses) {
    const values = membersOf.get(`${use.type}.${use.name}`) ?? []
    const names = new Set(values.map(({ name }) => name))
    const [value] = values
    if (names.size > 1) addUnresolved(report, { ...use, start: use }, [...names])
    else if (value) addReference(report, use, { ...value, isConstant: true })
  }
  const flagTypes = wrappers.flagTypes()
  const unresolved = uniqueInOrder(report.unresolved, () => '')
  const lookups = uniqueInOrder<Located>([...report.references, ...unresolved], () => '').length
  addMentions(report)
  return {
    references: uniqueInOrder(report.references, ({ reference }) => reference.name).map(
      ({ reference }) => reference,
    ),
    unresolved: unresolved.map(({ lookup }) => lookup),
    lookups,
    wrappers: wrappers.list(),
    flagTypes: [...typesWithMembers(collection)].filter((one) => flagTypes.has(one)).sort(),
  }
}

function addCalls(report: Report, wrappers: Wrappers, resolve: Resolve): void {
  const { collection } = report
  const memberNames = new Set(collection.members.map(({ name }) => name))
  const types = typesWithMembers(collection)
  const isMemberRead = memberReads(collection)
  for (const call of collection.calls) {
    if (!wrappers.isAccepted(call)) continue
    if (memberNames.has(call.receiver)) continue
    const { file, name, passed, ownType, expression, hasOwner } = call
    // Another function has the name of a wrapper: `flag.Bool("verbose", false, "Print more")` of Go.
    const isOther = wrappers.isWrapper(name) && expression.kind === 'literal'
    if (isOther && !isLegalName(expression.value)) continue
    if (wrappers.isPart(call)) {
      addUnresolved(report, call, [])
      continue
    }
    // The uses of the flags of the type specify the name.
    if (ownType !== undefined && types.has(ownType)) continue
    if (passed) {
      const isKnown = wrappers.isKnown(passed.function, file)
      if (!isKnown && !isMemberRead(call)) addUnresolved(report, call, [])
      continue
    }
    const place = { file, group: collection.groupOf(file), hasOwner }
    const { values, isPartial, candidates } = resolve(expression, place)
    for (const value of values) addReference(report, call, value)
    if (isPartial && !isMemberRead(call)) addUnresolved(report, call, candidates)
  }
}

function typesWithMembers({ members }: Collection): Set<string> {
  return new Set(members.map(({ type }) => type))
}

/** Whether the argument of a call is a member of an object of flags, which is a lookup itself. */
function memberReads({ calls }: Collection): (call: Located & Call) => boolean {
  const keyOf = ({ file, offset }: Located) => `${file}:${offset}`
  const reads = new Set(calls.filter(({ lookup }) => lookup.hasMembers).map(keyOf))
  return (call) =>
    !call.lookup.hasMembers &&
    (call.expression.kind === 'name' || call.expression.kind === 'unknown') &&
    reads.has(keyOf(call))
}

function addReference({ collection, references }: Report, use: Use, value: Value): void {
  const { name, isConstant } = value
  const { line, column, offset } = isConstant ? use : value
  const { file, text } = use
  const origin = { file: collection.fileOf(value.file), line: value.line, column: value.column }
  const place = { file: collection.fileOf(file), line, column }
  const kind = isConstant ? 'constant' : 'call'
  references.push({ file, offset, reference: { name, ...place, kind, text, origin } })
}

function addUnresolved(
  { collection, unresolved }: Report,
  { file, offset, text, start }: Use & { start: Position },
  candidates: readonly string[],
): void {
  const sorted = [...new Set(candidates)].sort().slice(0, MAX_CANDIDATES)
  const { line, column } = start
  const lookup = { file: collection.fileOf(file), line, column, text, candidates: sorted }
  unresolved.push({ file, offset, lookup })
}

/** Adds the mentions that are not the literal of another reference. */
function addMentions({ collection, references }: Report): void {
  if (collection.mentions.length === 0) return
  const keyOf = (name: string, { file, line, column }: FilePosition) =>
    `${file}:${line}:${column}:${name}`
  const origins = new Set(references.map(({ reference: { name, origin } }) => keyOf(name, origin)))
  for (const { name, file, offset, line, column, text } of collection.mentions) {
    const origin = { file: collection.fileOf(file), line, column }
    if (origins.has(keyOf(name, origin))) continue
    references.push({ file, offset, reference: { name, ...origin, kind: 'mention', text, origin } })
  }
}

/** The first of the findings at each place, in order. */
function uniqueInOrder<T extends Located>(found: readonly T[], nameOf: (one: T) => string): T[] {
  const seen = new Set<string>()
  return found
    .toSorted((a, b) => a.file - b.file || a.offset - b.offset)
    .filter((one, index, sorted) => {
      const before = sorted[index - 1]
      if (before?.file !== one.file || before.offset !== one.offset) seen.clear()
      const { size } = seen
      return seen.add(nameOf(one)).size > size
    })
}
