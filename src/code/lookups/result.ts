import type { Position } from '../../input/position.ts'
import { isLegalName } from '../../input/flag-names.ts'
import type { Call, Use } from './facts.ts'
import { type FilePosition, firstInOrder, namedKeyOf, positionText } from '../positions.ts'
import { addTo, type Collection } from './collection.ts'
import { Resolver, type Value } from './resolution.ts'
import type { Wrapper, Wrappers } from './wrappers.ts'

/** A flag name where source code uses it. */
export interface Reference extends FilePosition {
  name: string
  kind: 'call' | 'constant'
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

/** Where flags are in source code, and what makes functions and types lookups. */
export interface ScanResult {
  /** In the order of the files, then of the text. */
  references: Reference[]
  unresolved: Unresolved[]
  /** How many lookups there are, including those that could not be read. */
  lookups: number
  /** In the order of their names. */
  wrappers: Wrapper[]
  /** Types whose objects are flags, because their methods pass on a field. In order. */
  flagTypes: string[]
}

const MAX_CANDIDATES = 20

interface Report {
  references: Reference[]
  /** By the place of the name, which is after that of the lookup. */
  unresolved: (FilePosition & { lookup: Unresolved })[]
}

/** Finds the references in the collected facts. */
export function scanResult(collection: Collection, wrappers: Wrappers): ScanResult {
  const report: Report = { references: [], unresolved: [] }
  const resolver = new Resolver(collection.bindings)
  const membersOf = memberValues(collection, resolver)
  addCalls(report, collection, wrappers, resolver)
  addMemberUses(report, collection, membersOf)
  const unresolved = firstInOrder(report.unresolved, positionText)
  const lookups = new Set([...report.references, ...unresolved].map(positionText)).size
  const flagTypes = wrappers.flagTypes()
  return {
    references: firstInOrder(report.references, namedKeyOf),
    unresolved: unresolved.map(({ lookup }) => lookup),
    lookups,
    wrappers: wrappers.list(),
    flagTypes: [...collection.typesWithMembers()].filter((type) => flagTypes.has(type)).sort(),
  }
}

function addCalls(
  report: Report,
  collection: Collection,
  wrappers: Wrappers,
  resolver: Resolver,
): void {
  const types = collection.typesWithMembers()
  const memberNames = new Set(collection.members.map(({ name }) => name))
  const isMemberRead = memberReads(collection)
  for (const call of [...collection.calls, ...collection.forms]) {
    if (!wrappers.isAccepted(call)) continue
    if (memberNames.has(call.receiver)) continue
    const { file, passed, ownType, expression, hasOwner } = call
    // Another function has the name of a wrapper: `flag.Bool("verbose", false, "Print more")` of Go.
    const isOther = wrappers.isWrapper(call) && expression.kind === 'literal'
    if (isOther && !isLegalName(expression.value)) continue
    if (wrappers.isPart(call)) {
      addUnresolved(report, call)
      continue
    }
    // The uses of the flags of the type specify the name.
    if (ownType !== undefined && types.has(ownType)) continue
    if (passed) {
      const isKnown = wrappers.isKnown(passed.function, file)
      if (!isKnown && !isMemberRead(call)) addUnresolved(report, call)
      continue
    }
    const { values, isPartial, candidates } = resolver.resolve(expression, { file, hasOwner })
    for (const value of values) addReference(report, call, value)
    if (isPartial && !isMemberRead(call)) addUnresolved(report, call, candidates)
  }
}

/** Whether the argument of a call is a member of an object of flags, which is a lookup itself. */
function memberReads({ calls }: Collection): (call: Call) => boolean {
  const reads = new Set(calls.filter(({ lookup }) => lookup.hasMembers).map(positionText))
  return (call) =>
    !call.lookup.hasMembers &&
    (call.expression.kind === 'name' || call.expression.kind === 'unknown') &&
    reads.has(positionText(call))
}

/** The values of the members of types, by `Type.member`, and of variables of the types, by `.name`. */
function memberValues({ members }: Collection, resolver: Resolver): Map<string, Value[]> {
  const valuesOf = new Map<string, Value[]>()
  for (const { name, owner, value, file } of members) {
    const { values } = resolver.resolve(value, { file, hasOwner: true })
    for (const one of values) addTo(valuesOf, `${owner}.${name}`, one)
  }
  return valuesOf
}

function addMemberUses(
  report: Report,
  { uses }: Collection,
  membersOf: ReadonlyMap<string, readonly Value[]>,
): void {
  for (const use of uses) {
    const values = membersOf.get(`${use.type}.${use.name}`) ?? []
    const names = new Set(values.map(({ name }) => name))
    const [value] = values
    if (names.size > 1) addUnresolved(report, use, [...names])
    else if (value) addReference(report, use, { ...value, isConstant: true })
  }
}

function addReference({ references }: Report, use: Use, value: Value): void {
  const { name, isConstant, ...origin } = value
  const { file, line, column } = isConstant ? use : origin
  const kind = isConstant ? 'constant' : 'call'
  references.push({ name, file, line, column, kind, text: use.text, origin })
}

function addUnresolved(
  { unresolved }: Report,
  use: Use & { start?: Position },
  candidates: readonly string[] = [],
): void {
  const { file, text } = use
  const { line, column } = use.start ?? use
  const sorted = [...new Set(candidates)].sort().slice(0, MAX_CANDIDATES)
  const lookup = { file, line, column, text, candidates: sorted }
  unresolved.push({ file, line: use.line, column: use.column, lookup })
}
