import { isLegalName } from '../../input/flag-names.ts'
import { positionText } from '../../output/problems.ts'
import { moduleName } from '../lexer/file-names.ts'
import { knownLanguageOf, languageOf } from '../languages/of-file.ts'
import { firstInOrder, namedKeyOf, type FilePosition } from '../positions.ts'
import type { Expression } from './expressions.ts'
import { readFacts, type Call, type Facts, type Matched, type Wanted } from './facts.ts'
import type { Lookup } from './lookup.ts'
import { type ResolvedValue, Resolver } from './resolution.ts'
import { Links } from './links.ts'
import { isManifest, Projects } from './manifests.ts'
import { KnownCalls, mayCall } from './sdks.ts'
import { WordFilter } from './word-hashes.ts'
import { isSame, Wrappers } from './wrappers.ts'

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

/** Where flags are in source code. */
export interface ScanResult {
  /** In the order of the files, then of the text. */
  references: Reference[]
  unresolved: Unresolved[]
  /** How many lookups there are, including those that could not be read. */
  lookups: number
  /** Files with more lookups than are read. */
  incomplete: string[]
  /** Files with lookups of another flag system. */
  otherSystems: string[]
}

/** Reads all files, and calls back with the bytes of each, in UTF-8 without a mark. */
export type ReadAll = (visit: (file: string, bytes: Buffer) => void) => Promise<void>

// More rounds than functions that call each other have, to bound the work.
const MAX_ROUNDS = 20

/**
 * Finds lookups. Files are read again if they may contain a constant or a call that turned up in another one.
 * @param calls functions of the project that take the name of a flag, as in `--call`
 */
export async function findLookups(
  readAll: ReadAll,
  calls: readonly string[],
  match?: (text: string, file: string) => Matched[],
): Promise<ScanResult> {
  const known = new KnownCalls(calls)
  const wanted: Wanted = {
    known,
    lookups: new Map(),
    constants: new Set(),
    definitions: new Set(),
    local: new Map(),
  }
  const projects = new Projects()
  const matches = new Map<string, Matched[]>()
  const facts = new Map<string, Facts>()
  const incomplete = new Set<string>()
  let words: Iterable<string> = known.names
  // Files that are read again because of functions with common names.
  let again: ReadonlySet<string> = new Set()
  for (let round = 0; ; round++) {
    const filter = new WordFilter(words)
    await readAll((file, bytes) => {
      if (isManifest(file)) {
        if (round === 0) projects.add(file, bytes.toString())
        if (!knownLanguageOf(file)) return
      }
      if (round === 0) projects.noteSdk(file, bytes)
      const found = filter.wordsIn(bytes)
      const matched = round === 0 && match ? match(bytes.toString(), file) : []
      if (matched.length > 0) matches.set(file, matched)
      // A default export may have a name that its file does not contain.
      const isDefault = wanted.lookups.has(moduleName(file))
      const isAdded = round > 0 && (found.size > 0 || isDefault || again.has(file))
      if (found.size === 0 && matched.length === 0 && !isAdded) return
      const text = bytes.toString()
      const language = languageOf(file)
      const ofLanguage = [...found].filter((name) => known.lookupsOf(name, language).length > 0)
      const isConfigured = [...found].some((name) => known.configured.has(name))
      const isCertain = isAdded || matched.length > 0 || isConfigured
      if (!isCertain && !mayCall(text, ofLanguage, language)) return
      const read = readFacts(text, file, wanted, matches.get(file) ?? [])
      if (read) facts.set(file, read)
      else incomplete.add(file)
    })
    const scopes = new Map(Array.from(facts, ([file, { scope }]) => [file, scope]))
    const links = new Links(projects, scopes)
    const wrappers = new Wrappers(known, facts, links, projects)
    const added = addWanted(wanted, wrappers, facts)
    again = addLocal(wanted, wrappers)
    if (added.size + again.size === 0 || round === MAX_ROUNDS) {
      return resultOf(facts, wrappers, links, incomplete)
    }
    words = added
  }
}

/** Adds the functions and constants that turned up, and returns their names. */
function addWanted(
  wanted: Wanted,
  wrappers: Wrappers,
  facts: ReadonlyMap<string, Facts>,
): Set<string> {
  const added = new Set<string>()
  for (const [name, lookups] of wrappers.candidates()) {
    const before = wanted.lookups.get(name) ?? []
    const others = lookups.filter((one) => !before.some((other) => isSame(one, other)))
    if (others.length === 0) continue
    wanted.lookups.set(name, [...before, ...others])
    added.add(name)
  }
  for (const { calls } of facts.values()) {
    for (const call of calls) {
      if (wanted.definitions.has(call.name) || !wrappers.mayBeOwn(call)) continue
      wanted.definitions.add(call.name)
      added.add(call.name)
    }
  }
  for (const word of neededConstants(wrappers, facts)) {
    if (wanted.constants.has(word)) continue
    wanted.constants.add(word)
    added.add(word)
  }
  return added
}

/** Adds functions with common names, and returns the files that have some. */
function addLocal({ local }: Wanted, wrappers: Wrappers): Set<string> {
  const files = new Set<string>()
  for (const [file, lookups] of wrappers.localCandidates()) {
    const before = local.get(file) ?? new Map<string, Lookup[]>()
    for (const [name, all] of lookups) {
      const known = before.get(name) ?? []
      const added = all.filter((one) => !known.some((other) => isSame(one, other)))
      if (added.length === 0) continue
      before.set(name, [...known, ...added])
      files.add(file)
    }
    local.set(file, before)
  }
  return files
}

/** The words of names whose values are needed. */
function neededConstants(wrappers: Wrappers, facts: ReadonlyMap<string, Facts>): Set<string> {
  const needed = new Set<string>()
  for (const { calls, bindings } of facts.values()) {
    const own = new Set(bindings.filter(({ kind }) => kind === 'assigned').map(({ name }) => name))
    const want = (expression: Expression, hasOwner: boolean) => {
      if ('parts' in expression) for (const part of expression.parts) want(part, hasOwner)
      if (expression.kind !== 'name') return
      const { path } = expression
      for (const word of wordsOf(path, hasOwner)) {
        if (!own.has(word) || path.length > 1) needed.add(word.replace('()', ''))
      }
    }
    for (const call of calls) {
      const isCallers = call.passed && !call.passed.lookup.isReceiver
      if (!isCallers && wrappers.isAccepted(call)) want(call.expression, call.hasOwner)
    }
    for (const { value } of bindings) if (value) want(value, true)
  }
  return needed
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

/** Finds the references in the facts of all files. */
function resultOf(
  facts: ReadonlyMap<string, Facts>,
  wrappers: Wrappers,
  links: Links,
  incomplete: ReadonlySet<string>,
): ScanResult {
  const all = [...facts.values()]
  const resolver = new Resolver(
    all.flatMap(({ bindings }) => bindings),
    links,
  )
  const references: Reference[] = []
  const open: { call: Call; candidates: readonly string[] }[] = []
  // The functions whose object is the flag, and members of flags, which may be arguments of another lookup.
  const [ofObjects, ofMembers] = [new Set<string>(), new Set<string>()]
  // Files that call functions of the project with the names of those of SDKs.
  const own = new Set<string>()
  // The functions that are called.
  const called = new Set<string>()
  for (const call of all.flatMap(({ calls }) => calls)) {
    const { expression, passed, lookup } = call
    if (wrappers.isOwnFunction(call)) own.add(call.file)
    if (!wrappers.isAccepted(call)) continue
    // Another function has the name of a wrapper: `flag.Bool("verbose", false, "Print more")` of Go.
    const isOther = expression.kind === 'literal' && !isLegalName(expression.value)
    if (isOther && wrappers.isWrapper(call)) continue
    const isCallers = passed && !passed.lookup.isReceiver
    const { values, isPartial, candidates } = isCallers
      ? NOTHING
      : resolver.resolve(expression, call)
    for (const value of values) references.push(referenceOf(call, value))
    if (lookup.isReceiver && values.length > 0) ofObjects.add(functionPlace(call))
    if (lookup.hasMembers) ofMembers.add(positionText(call))
    const isSilent = lookup.isReceiver && values.length === 0
    if (!isSilent) for (const place of wrappers.placesOf(call)) called.add(place)
    if (isPartial && !isSilent) open.push({ call, candidates })
  }
  // The callers of a function specify the name that it passes on.
  const isOfCallers = ({ passed, file }: Call) =>
    passed !== undefined && called.has(`${file}:${passed.at}`) && wrappers.isKnown(passed, file)
  const isRead = (call: Call) =>
    isOfCallers(call) ||
    ofObjects.has(functionPlace(call)) ||
    (!call.lookup.hasMembers &&
      /^(?:name|unknown)$/.test(call.expression.kind) &&
      ofMembers.has(positionText(call)))
  const left = open.filter(({ call }) => !isRead(call))
  const places = left.map(({ call, candidates }) => ({ ...call, candidates }))
  const unresolved = firstInOrder(places, positionText)
  return {
    references: firstInOrder(references, namedKeyOf),
    unresolved: unresolved.map(unresolvedOf),
    lookups: new Set([...references, ...unresolved].map(positionText)).size,
    incomplete: [...incomplete],
    otherSystems: [...facts]
      .filter(([file, one]) => one.hasOtherSystem || own.has(file))
      .map(([file]) => file),
  }
}

const NOTHING = { values: [], isPartial: true, candidates: [] }
const MAX_CANDIDATES = 20

function functionPlace({ file, start }: Call): string {
  return positionText({ file, ...start })
}

function referenceOf(call: Call, { name, isConstant, ...origin }: ResolvedValue): Reference {
  const { file, line, column } = isConstant ? call : origin
  const kind = isConstant ? 'constant' : 'call'
  return { name, file, line, column, kind, text: call.text, origin }
}

function unresolvedOf({ file, start, text, candidates }: Call & { candidates: readonly string[] }) {
  const sorted = [...new Set(candidates)].sort().slice(0, MAX_CANDIDATES)
  const { line, column } = start
  return { file, line, column, text, candidates: sorted }
}
