import { moduleName } from '../lexer/file-names.ts'
import { knownLanguageOf, languageOf } from '../languages/of-file.ts'
import type { Expression } from './expressions.ts'
import { readFacts, type Facts, type Matched, type Wanted } from './facts.ts'
import type { Lookup } from './lookup.ts'
import { resultOf, type ScanResult } from './results.ts'
import { Links } from './links.ts'
import { isInFolder, isManifest, Projects } from './manifests.ts'
import { KnownCalls, mayCall } from './sdks.ts'
import { WordFilter, WordIndex } from '../word-filter.ts'
import { isSame, Wrappers } from './wrappers.ts'

/** Reads the files that are needed, and calls back with the bytes of each, in UTF-8 without a mark. */
export type ReadAll = (
  visit: (file: string, bytes: Buffer) => void,
  isNeeded: (file: string) => boolean,
) => Promise<void>

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
  const scan = new Scan(readAll, new KnownCalls(calls), match)
  for (let round = 0; ; round++) {
    const found = await scan.readRound()
    if (!found.isComplete && round < MAX_ROUNDS) continue
    return resultOf(found.facts, found.wrappers, found.links, found.incomplete)
  }
}

class Scan {
  readonly #readAll: ReadAll
  readonly #known: KnownCalls
  readonly #match: ((text: string, file: string) => Matched[]) | undefined
  readonly #wanted: Wanted
  readonly #projects = new Projects()
  readonly #matches = new Map<string, Matched[]>()
  readonly #facts = new Map<string, Facts>()
  readonly #incomplete = new Set<string>()
  readonly #index = new WordIndex()
  #filter: WordFilter
  /** Files that are read again because of functions with common names. */
  #again: ReadonlySet<string> = new Set()
  #isFirst = true

  constructor(
    readAll: ReadAll,
    known: KnownCalls,
    match: ((text: string, file: string) => Matched[]) | undefined,
  ) {
    this.#readAll = readAll
    this.#known = known
    this.#match = match
    this.#filter = new WordFilter(known.names)
    this.#wanted = {
      known,
      lookups: new Map(),
      constants: new Set(),
      definitions: new Set(),
      local: new Map(),
    }
  }

  /** Reads the files that may have what is wanted, and finds out what else is. */
  async readRound() {
    await this.#readAll(
      (file, bytes) => this.#visit(file, bytes),
      (file) => this.#isNeeded(file),
    )
    this.#isFirst = false
    const facts = this.#facts
    const scopes = new Map(Array.from(facts, ([file, { scope }]) => [file, scope]))
    const links = new Links(this.#projects, scopes)
    const wrappers = new Wrappers(this.#known, facts, links, this.#projects)
    await findSdks(this.#readAll, this.#projects, wrappers, facts)
    const added = addWanted(this.#wanted, wrappers, facts)
    this.#again = addLocal(this.#wanted, wrappers)
    this.#filter = new WordFilter(added)
    const isComplete = added.size + this.#again.size === 0
    return { isComplete, facts, wrappers, links, incomplete: this.#incomplete }
  }

  /** Whether a file is read again whatever its words are. */
  #isAgain(file: string): boolean {
    // A default export may have a name that its file does not contain.
    return this.#again.has(file) || this.#wanted.lookups.has(moduleName(file))
  }

  #isNeeded(file: string): boolean {
    return this.#isFirst || this.#isAgain(file) || this.#index.mayHave(file, this.#filter)
  }

  /** The words of a file that are looked for. */
  #wordsOf(file: string, bytes: Buffer): ReadonlySet<string> {
    if (!this.#isFirst) return this.#filter.wordsIn(bytes)
    this.#index.begin()
    const found = this.#filter.wordsIn(bytes, this.#index)
    this.#index.end(file)
    return found
  }

  #visit(file: string, bytes: Buffer): void {
    if (isManifest(file)) {
      if (this.#isFirst) this.#projects.add(file, bytes)
      if (!knownLanguageOf(file)) return
    }
    const found = this.#wordsOf(file, bytes)
    const matched = this.#isFirst ? (this.#match?.(bytes.toString(), file) ?? []) : []
    if (matched.length > 0) this.#matches.set(file, matched)
    const isAdded = !this.#isFirst && (found.size > 0 || this.#isAgain(file))
    if (found.size === 0 && matched.length === 0 && !isAdded) return
    const text = bytes.toString()
    if (!isAdded && matched.length === 0 && !this.#mayHaveCall(text, file, found)) return
    this.#projects.noteSdk(file, bytes)
    const read = readFacts(text, file, this.#wanted, this.#matches.get(file) ?? [])
    if (read) this.#facts.set(file, read)
    else this.#incomplete.add(file)
  }

  #mayHaveCall(text: string, file: string, words: ReadonlySet<string>): boolean {
    const known = this.#known
    if ([...words].some((name) => known.configured.has(name))) return true
    const language = languageOf(file)
    const ofLanguage = [...words].filter((name) => known.lookupsOf(name, language).length > 0)
    return mayCall(text, ofLanguage, language)
  }
}

/** Looks for SDKs in all files of the projects with calls that may be of an SDK or not. */
async function findSdks(
  readAll: ReadAll,
  projects: Projects,
  wrappers: Wrappers,
  facts: ReadonlyMap<string, Facts>,
): Promise<void> {
  const all = [...facts.values()].flatMap(({ calls }) => calls)
  const unclear = new Set<string>()
  for (const call of all) if (wrappers.mayBeOwn(call)) unclear.add(projects.outermostOf(call.file))
  const folders = [...unclear].filter((folder) => !projects.isSearched(folder))
  if (folders.length === 0) return
  await readAll(
    (file, bytes) => projects.noteSdk(file, bytes),
    (file) => folders.some((folder) => isInFolder(file, folder)),
  )
  for (const folder of folders) projects.setSearched(folder)
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
