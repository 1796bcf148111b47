import { isLegalName } from '../../input/flag-names.ts'
import type { Expression } from './literals.ts'
import type { Wanted } from './facts.ts'
import { addTo, type Collection } from './collection.ts'
import { groupOf } from '../lexer/languages.ts'
import type { Wrappers } from './wrappers.ts'

/** The names to look for when files are read again. */
interface Round {
  wanted: Wanted
  /** Only files that have all words of one of these lists can contain it. */
  words: readonly (readonly string[])[]
}

/**
 * What to look for next; undefined when nothing new turned up.
 * @param searched the names of the rounds before, to which those of this one are added
 */
export function nextRound(
  collection: Collection,
  wrappers: Wrappers,
  searched: Set<string>,
): Round | undefined {
  const isNew = (kind: string, name: string) => {
    const before = searched.size
    return searched.add(`${kind} ${name}`).size > before
  }
  const constants = wantedConstants(collection, wrappers, searched)
  for (const key of constants.keys()) searched.add(key)
  const lookups = new Map([...wrappers.candidates()].filter(([name]) => isNew('call', name)))
  const flagTypes = new Set([...wrappers.flagTypes()].filter((type) => isNew('type', type)))
  const members = new Map<string, string[]>()
  for (const { name, owner } of collection.members) {
    if (isNew('member', `${owner}.${name}`)) addTo(members, name, owner)
  }
  const names = [...lookups.keys(), ...members.keys(), ...flagTypes]
  const words = [...constants.values(), ...names.map((name) => [name])]
  if (words.length === 0) return undefined
  const wanted = { lookups, flagTypes, members, isFirst: false }
  return { wanted: { ...wanted, constants: new Set([...constants.values()].flat()) }, words }
}

/**
 * The constants whose values are needed and that were not searched for yet: the words that a file with
 * the value has, by themselves. A member is searched for with the type before it first, because many
 * files have the word alone.
 */
function wantedConstants(
  collection: Collection,
  wrappers: Wrappers,
  searched: ReadonlySet<string>,
): Map<string, readonly string[]> {
  const { bindings } = collection
  const found = new Map<string, readonly string[]>()
  const add = (words: readonly string[]): boolean => {
    const key = `constant ${words.join('.')}`
    if (!searched.has(key)) found.set(key, words)
    return !searched.has(key)
  }
  const want = (expression: Expression, file: string, hasOwner: boolean) => {
    if ('parts' in expression) for (const part of expression.parts) want(part, file, hasOwner)
    if (expression.kind !== 'name') return
    const { path } = expression
    const member = memberIn(path)
    if (member && (add(member) || isBound(collection, member, file))) return
    for (const word of wordsOf(path, hasOwner)) {
      const isOwn = bindings.get(word)?.some((one) => one.file === file && one.kind === 'assigned')
      if (!isOwn || path.length > 1) add([word])
    }
  }
  for (const call of collection.calls) {
    if (!call.passed && wrappers.isAccepted(call)) want(call.expression, call.file, call.hasOwner)
  }
  for (const list of bindings.values()) {
    for (const { value, file } of list) if (value) want(value, file, true)
  }
  for (const member of collection.members) want(member.value, member.file, true)
  return found
}

/** The type and its member in `Flags.newUi` and `Flags.NEW_UI.value`. */
function memberIn(path: readonly string[]): readonly string[] | undefined {
  const at = path.findLastIndex((word) => !GENERIC.test(word))
  const words = path.slice(Math.max(0, at - 1), at + 1)
  return words.length === 2 && /^[A-Z]\w/.test(words[0] ?? '') ? words : undefined
}

/** Whether the member of a type has a value, so that other members of the same name do not matter. */
function isBound(
  { bindings }: Collection,
  [type, name = '']: readonly string[],
  file: string,
): boolean {
  return (bindings.get(name) ?? []).some(
    ({ owner, kind, value, group }) =>
      owner === type &&
      kind !== 'branch' &&
      kind !== 'bare' &&
      group === groupOf(file) &&
      value?.kind === 'literal' &&
      isLegalName(value.value),
  )
}

// Members of too many objects to search for them.
const GENERIC =
  /^(?:name|key|id|value|type|flag|toggle|feature|navn|rawValue|[tT]oString|title|label|Name|Key|Id|ID|Value)$/

/** The words of a name that other files may bind to a value. */
function wordsOf(path: readonly string[], hasOwner: boolean): readonly string[] {
  const last = path.length - 1
  return path.filter((word, index) => {
    const before = path[index - 1]
    if (index < last - 1 || /^(?:this|self|Self|static|cls|it|\.)$/.test(word)) return false
    if (before !== undefined && GENERIC.test(word)) return false
    const isConstant =
      /^[A-Z_]/.test(word) || path.slice(0, index).some((one) => /^[A-Z.]/.test(one))
    return isConstant || (index === last && (before === undefined || hasOwner))
  })
}
