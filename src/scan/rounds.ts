import type { Expression } from './code/expressions.ts'
import type { Wanted } from './code/facts.ts'
import type { Lookup } from './code/lookups.ts'
import type { Collection } from './collection.ts'
import type { Wrappers } from './wrappers.ts'

/** Returns what to look for in the next round; undefined when nothing new turned up. */
export type NextRound = () => Wanted | undefined

/** Decides what to look for when files are read again. */
export function createRounds(collection: Collection, wrappers: Wrappers): NextRound {
  const constants = new Set<string>()
  const functions = new Set<string>()
  const members = new Set<string>()

  const newMembers = (): Map<string, string[]> => {
    const found = new Map<string, string[]>()
    for (const { name, type, isVariable } of collection.members) {
      const owner = isVariable ? '' : type
      if (members.has(`${owner}.${name}`)) continue
      members.add(`${owner}.${name}`)
      found.set(name, [...(found.get(name) ?? []), owner])
    }
    return found
  }

  return () => {
    const newConstants = wantedConstants(collection, wrappers, constants)
    const lookups = new Map<string, Lookup[]>(
      [...wrappers.candidates()].filter(([name]) => !functions.has(name)),
    )
    const uses = newMembers()
    if (newConstants.size + lookups.size + uses.size === 0) return undefined
    for (const name of newConstants) constants.add(name)
    for (const name of lookups.keys()) functions.add(name)
    return {
      lookups,
      constants: newConstants,
      definitions: new Set(),
      members: uses,
      isFirst: false,
    }
  }
}

/** The words of names whose values are needed and that were not searched for yet. */
function wantedConstants(
  collection: Collection,
  wrappers: Wrappers,
  searched: ReadonlySet<string>,
): Set<string> {
  const { bindings } = collection
  const names = new Set<string>()
  const want = (expression: Expression, file: number, hasOwner: boolean) => {
    if (expression.kind === 'join' || expression.kind === 'choice') {
      for (const part of expression.parts) want(part, file, hasOwner)
    }
    if (expression.kind !== 'name') return
    for (const word of wordsOf(expression.path, hasOwner)) {
      if (searched.has(word) || names.has(word)) continue
      const isOwn = bindings.get(word)?.some((one) => one.file === file && one.kind === 'assigned')
      if (!isOwn || expression.path.length > 1) names.add(word)
    }
  }
  for (const call of collection.calls) {
    if (!call.passed && wrappers.isAccepted(call)) want(call.expression, call.file, call.hasOwner)
  }
  for (const list of bindings.values()) {
    for (const { value, file } of list) if (value) want(value, file, true)
  }
  for (const member of collection.members) want(member.value, member.file, true)
  return names
}

// Members of too many objects to search for them.
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
