import { bindingAt, isPattern } from './bindings.ts'
import { isDeclaration } from './declarations.ts'
import { isUse, objectsAt } from './definitions.ts'
import { parseExpression } from './expressions.ts'
import { type Argument, type Expression, literalAt, literalOf, UNKNOWN } from './literals.ts'
import { addNames, type Call, type Facts, type Matched, type Wanted } from './facts.ts'
import { FORM_WORDS, formsAt } from './forms.ts'
import { isMemberName, type Lookup, lookupArgumentAt, receiverOf } from './arguments.ts'
import { excerpt, type FilePosition, lineAt, ownCopy } from '../positions.ts'
import { FileScan } from './file-scan.ts'
import { membersReadAt } from './members-read.ts'
import { Surroundings } from './surroundings.ts'
import { isRubyLike } from '../lexer/languages.ts'
import { tokenize } from '../lexer/source.ts'
import { type Range, STRING, type Tokens, WORD } from '../lexer/tokens.ts'

// More bindings of one name in a file do not change that it is ambiguous.
const MAX_BINDINGS = 20
// Objects whose member `flags` may have the states of flags.
const SETTINGS = /^(?:ui|app)?[cC]onfig$/
// More uses of wanted names than a file that is written by hand has.
const MAX_USES = 20_000

/**
 * Finds what is wanted in a text, and reads what custom patterns matched in it.
 * @returns undefined for a text with too many lookups
 */
export function readFacts(
  text: string,
  file: string,
  wanted: Wanted,
  matched: readonly Matched[] = [],
): Facts | undefined {
  const scan = new FileScan(tokenize(text, file), wanted)
  const { kinds } = scan.tokens
  for (let index = 0; index < kinds.length; index++) {
    if (kinds[index] === WORD) readWord(scan, index)
    if (kinds[index] === STRING) readString(scan, index)
    if (scan.uses > MAX_USES) return undefined
  }
  for (const match of matched) addMatch(scan, match)
  if (!wanted.isFirst && wanted.lookups.size > 0) addFunctions(scan)
  addOwnConstants(scan)
  return scan.facts
}

/** Adds the definitions of the functions that are wanted; one without parameters takes no name. */
function addFunctions({ facts, wanted, functions }: FileScan): void {
  for (const { name, parameters } of functions) {
    const isWanted = name !== undefined && parameters.length > 0 && wanted.lookups.has(name)
    if (isWanted) facts.functions.push(name)
  }
}

// A call such as `push(...items)` fails for the members of a large generated object.
function addAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item)
}

function readWord(scan: FileScan, index: number): void {
  const { tokens, wanted, facts, aliases, results } = scan
  const name = tokens.wordOf(index)
  const called = aliases.get(name) ?? name
  const known = wanted.lookups.get(called)
  if (known) {
    if (called === name) addAlias(scan, index, name)
    for (const lookup of known) {
      if (lookup.hasMembers) addMembersRead(scan, index, called, lookup)
      else addCall(scan, index, called, lookup)
    }
  }
  const source = results.get(name)
  if (source !== undefined) addMembersRead(scan, index, source, { hasMembers: true })
  if (wanted.isFirst && FORM_WORDS.has(name)) addForms(scan, index)
  if (wanted.constants.has(name)) addBinding(scan, index, name)
  if (wanted.flagTypes.has(name)) addAll(facts.members, objectsAt(tokens, index, name))
  for (const type of wanted.members.get(name) ?? []) addUse(scan, index, name, type)
}

function readString(scan: FileScan, index: number): void {
  const { tokens, wanted } = scan
  if (wanted.isFirst) addForms(scan, index)
  if (!isMemberName(tokens, index)) return
  const name = literalOf(tokens, index)?.value ?? ''
  for (const lookup of wanted.lookups.get(name) ?? []) {
    if (!lookup.hasMembers) addCall(scan, index, name, lookup)
  }
}

/** Adds another name of a function: `isEnabled as isOn`, `{ isEnabled: isOn } = client`. */
function addAlias({ tokens, aliases }: FileScan, index: number, name: string): void {
  const mark = tokens.textOf(index + 1)
  if (mark !== 'as' && !(mark === ':' && isPattern(tokens, index))) return
  if (tokens.kinds[index + 2] === WORD) aliases.set(tokens.wordOf(index + 2), name)
}

/**
 * Adds a lookup. A literal needs no look at the functions of the file.
 * @param start where the text that shows it begins
 */
function addLookup(
  scan: FileScan,
  index: number,
  start: number,
  { expression, offset, end }: Argument,
  lookup: Lookup,
  name: string,
): void {
  const { tokens, facts } = scan
  const [place, startPlace] = [scan.placeOf(offset), scan.placeOf(start)]
  if (!place || !startPlace) return
  const functions = expression.kind === 'literal' ? [] : scan.functions
  const around = new Surroundings(tokens, index, functions)
  facts.calls.push({
    ...place,
    text: excerpt(tokens.text, start, end),
    name: ownCopy(name),
    lookup,
    expression: around.withoutParameters(scan.withModule(expression)),
    start: startPlace,
    passed: around.passedIn(expression),
    addedBy: around.joinedBy(expression),
    ownType: around.typeOfField(expression),
    receiver: lookup.hasMembers ? '' : ownCopy(receiverOf(tokens, index) ?? ''),
    owners: ownersOf(tokens, index),
    hasOwner: expression.kind === 'name' && scan.declaresOwner(expression.path),
  })
  const { value } = around.parameterOf(expression)?.parameter ?? {}
  if (value) addDefault(scan, value, lookup, name)
}

/** Adds the default of a parameter with the name of a flag, which callers may leave out. */
function addDefault(scan: FileScan, value: Range, lookup: Lookup, name: string): void {
  const { tokens } = scan
  const offset = tokens.startOf(value.from)
  const end = tokens.endOf(value.to - 1)
  const expression = parseExpression(tokens, value)
  addLookup(scan, value.from, offset, { expression, offset, end }, lookup, name)
}

function addCall(scan: FileScan, index: number, name: string, lookup: Lookup): void {
  const { tokens } = scan
  scan.uses++
  const argument = lookupArgumentAt(tokens, index, name, lookup)
  if (!argument || isDeclaration(tokens, index)) return
  if (lookup.sdk !== undefined && scan.isOfOtherSystem(name, receiverOf(tokens, index))) {
    scan.facts.hasOtherSystem = true
    return
  }
  if (argument.expression.kind !== 'literal') {
    if (scan.isDefinition(index)) return
    const isPlain = lookup.sdk !== undefined && receiverOf(tokens, index) === undefined
    if (isPlain && scan.isOtherFunction(name)) return
  }
  const start = tokens.startOf(isMemberName(tokens, index) ? index - 1 : index)
  // A piped argument is before the call.
  addLookup(scan, index, Math.min(start, argument.offset), argument, lookup, name)
}

/** Adds what is read of an object, or of the result of a function, whose members are flags. */
function addMembersRead(scan: FileScan, index: number, name: string, lookup: Lookup): void {
  const { tokens, results } = scan
  scan.uses++
  const isSettings = lookup.sdk === 'settings'
  if (isSettings && !SETTINGS.test(receiverOf(tokens, index) ?? '')) return
  const { members, variable } = membersReadAt(tokens, index)
  if (variable !== undefined) results.set(variable, name)
  for (const member of members) {
    const start = Math.min(member.offset, tokens.startOf(tokens.startOfPath(index)))
    const expression = isSettings ? UNKNOWN : member.expression
    addLookup(scan, index, start, { ...member, expression, offset: start }, lookup, name)
  }
}

/** The names before that of a function. */
function ownersOf(tokens: Tokens, index: number): string {
  const from = tokens.startOfPath(index)
  return from === index ? '' : ownCopy(tokens.textIn({ from, to: index - 1 }))
}

/** A use that is not a call of a function. */
function otherUse(place: FilePosition, text: string, expression: Expression): Call {
  const isCall = { name: '', lookup: {}, receiver: '', owners: '', hasOwner: false }
  return { ...place, text, expression, start: place, ...isCall }
}

function addForms(scan: FileScan, index: number): void {
  const { tokens, facts } = scan
  for (const { expression, offset, end } of formsAt(tokens, index)) {
    const place = scan.placeOf(offset)
    if (!place || (expression.kind === 'literal' && expression.value === '')) continue
    const text = excerpt(tokens.text, tokens.startOf(index), end)
    facts.forms.push(otherUse(place, text, expression))
  }
}

function addUse(scan: FileScan, index: number, name: string, type: string): void {
  const { tokens, facts } = scan
  scan.uses++
  if (!isUse(tokens, index, type)) return
  const offset = tokens.startOf(tokens.startOfPath(index))
  const place = scan.placeOf(offset)
  if (place) facts.uses.push({ ...place, name, type, text: lineAt(tokens.text, offset) })
}

function addBinding(scan: FileScan, index: number, name: string): void {
  const { tokens, facts, bindingCounts } = scan
  const count = bindingCounts.get(name) ?? 0
  if (count === MAX_BINDINGS) return
  scan.uses++
  const binding = bindingAt(tokens, index)
  if (!binding) return
  bindingCounts.set(name, count + 1)
  facts.bindings.push(binding)
}

function addMatch(scan: FileScan, { kind, text: matched, offset }: Matched): void {
  const { tokens, facts } = scan
  const place = scan.placeOf(offset)
  if (!place || isInComment(tokens, offset)) return
  const text = lineAt(tokens.text, offset)
  if (kind === 'constant') {
    const path = matched.split(/\?\.|\.|::|->/).map((word) => ownCopy(word.replace(/^[@$]/, '')))
    const hasOwner = scan.declaresOwner(path)
    facts.calls.push({ ...otherUse(place, text, { kind: 'name', path }), hasOwner })
  } else {
    const isLiteral = isWholeLiteral(tokens, offset, offset + matched.length)
    const literal = isLiteral ? literalAt(tokens, offset, matched) : UNKNOWN
    facts.calls.push(otherUse(place, text, literal))
  }
}

function isInComment({ comments }: Tokens, offset: number): boolean {
  // Not in the order of the text: those of code in strings and attributes come last.
  return comments.some(({ start, end }) => start <= offset && offset < end)
}

/** Whether a part of a text is the content of a literal, or of data without quotation marks. */
function isWholeLiteral({ text, language, group }: Tokens, start: number, end: number): boolean {
  const before = text[start - 1] ?? ''
  if (/["'`]/.test(before) && text[end] === before) return true
  if (before === ':' && isRubyLike(group)) return !/[\w?!]/.test(text[end] ?? '')
  return language.evaluates === true
}

/** Adds the bindings of constants that the file itself uses, because most are declared there. */
function addOwnConstants(scan: FileScan): void {
  const { tokens, wanted, facts } = scan
  const own = new Set<string>()
  for (const { expression, passed } of facts.calls) if (!passed) addNames(expression, own)
  for (const { value } of facts.bindings) if (value) addNames(value, own)
  for (const name of wanted.constants) own.delete(name)
  if (own.size === 0) return
  for (let index = 0; index < tokens.kinds.length; index++) {
    if (tokens.kinds[index] !== WORD) continue
    const name = tokens.wordOf(index)
    if (own.has(name)) addBinding(scan, index, name)
  }
}
