import { moduleName } from '../lexer/file-names.ts'
import { familyOf, knownLanguageOf, languageOf } from '../languages/of-file.ts'
import type { Binding } from './bindings.ts'
import type { Expression } from './expressions.ts'
import { type Call, readFacts, type Facts, type Matched, type Wanted } from './facts.ts'
import { resultOf, type ScanResult } from './results.ts'
import { nearestFirstIn } from './nearest.ts'
import { isManifest, usesSdk } from './sdk-use.ts'
import { functionOf, Suggestions } from './suggestions.ts'
import type { KnownCalls } from './sdks.ts'
import { WordFilter } from '../files/word-filter.ts'
import type { UnchangedFiles } from '../files/unchanged.ts'
import { isSame, Wrappers } from './wrappers.ts'

/** Reads the files that are needed, and calls back with the bytes of each, in UTF-8 without a mark. */
type ReadAll = (
  visit: (file: string, bytes: Buffer) => void,
  isNeeded: (file: string) => boolean,
) => Promise<void>

// Four find all names of 97 repositories.
const MAX_ROUNDS = 8

interface ScanInputs {
  readAll: ReadAll
  knownCalls: KnownCalls
  match?: ((text: string, file: string) => Matched[]) | undefined
  /** The repository of a file, which refers only to files of the same one. */
  repositoryOf: (file: string) => string
  /** What earlier scans found out about the files, and what this one does. */
  unchanged: UnchangedFiles
}

/** What a scan finds, and what it may have missed. */
export interface LookupResult extends ScanResult {
  /** Functions that may be lookups, as for `--call`. */
  suggestedCalls: readonly string[]
}

/**
 * Finds lookups. Files are read again if they may contain a constant or a call that turned up in another one.
 */
export async function findLookups(inputs: ScanInputs): Promise<LookupResult> {
  const scan = new Scan(inputs)
  for (let round = 0; ; round++) {
    const latest = await scan.readRound()
    if (!latest.isComplete && round < MAX_ROUNDS) continue
    const result = resultOf(latest.facts, latest.wrappers, latest.nearestFirst, latest.incomplete)
    return { ...result, suggestedCalls: await scan.suggestedCalls(result) }
  }
}

class Scan {
  readonly #inputs: ScanInputs
  /** What is wanted of the files of a repository with the languages of a family. */
  readonly #wanted = new Map<string, Wanted>()
  /** The repositories that use an SDK, and those that were searched for one as a whole. */
  readonly #withSdk = new Set<string>()
  readonly #searched = new Set<string>()
  readonly #matches = new Map<string, Matched[]>()
  readonly #facts = new Map<string, Facts>()
  readonly #incomplete = new Set<string>()
  /** The words to look for, by what they are wanted of; for all files before the first round. */
  #filters: ReadonlyMap<string, WordFilter> = new Map()
  readonly #first: WordFilter
  readonly #suggestions = new Suggestions()
  #isFirst = true

  constructor(inputs: ScanInputs) {
    this.#inputs = inputs
    this.#first = new WordFilter(inputs.knownCalls.words)
  }

  /** What the wanted names of a file depend on. */
  #groupOf(file: string): string {
    return `${familyOf(file)}:${this.#inputs.repositoryOf(file)}`
  }

  #wantedOf(file: string): Wanted {
    const group = this.#groupOf(file)
    const wanted = this.#wanted.get(group) ?? {
      knownCalls: this.#inputs.knownCalls,
      lookups: new Map(),
      constants: new Set(),
    }
    this.#wanted.set(group, wanted)
    return wanted
  }

  /** Reads the files that may have what is wanted, and finds out what else is. */
  async readRound() {
    await this.#inputs.readAll(
      (file, bytes) => this.#visit(file, bytes),
      (file) => this.#isNeeded(file),
    )
    this.#isFirst = false
    const facts = this.#facts
    const nearestFirst = nearestFirstIn(this.#inputs.repositoryOf)
    const wrappers = new Wrappers(this.#inputs.knownCalls, facts, nearestFirst, (file) =>
      this.#withSdk.has(this.#inputs.repositoryOf(file)),
    )
    await this.#findSdks(wrappers)
    const added = this.#addWanted(wrappers)
    this.#filters = new Map(Array.from(added, ([group, words]) => [group, new WordFilter(words)]))
    const isComplete = added.size === 0
    return { isComplete, facts, wrappers, nearestFirst, incomplete: this.#incomplete }
  }

  /** Functions that may be lookups: beside others, only those of the project. */
  async suggestedCalls({ functions, lookups }: ScanResult): Promise<string[]> {
    const calls = this.#suggestions.calls(functions)
    if (calls.length === 0 || lookups === 0) return calls
    const names = calls.map(functionOf)
    const filter = new WordFilter(names)
    const wanted = {
      knownCalls: this.#inputs.knownCalls,
      lookups: new Map(names.map((name) => [name, [{ index: 0 }]])),
      constants: new Set<string>(),
    }
    const defined = new Set<string>()
    await this.#inputs.readAll(
      (file, bytes) => {
        const facts = readFacts(bytes.toString(), file, wanted, [])
        // A function beside lookups of an SDK chooses one of these.
        if (facts?.calls.some(({ lookup }) => lookup.sdk)) return
        for (const name of facts?.definitions ?? []) defined.add(name)
      },
      (file) => !isManifest(file) && this.#inputs.unchanged.words.mayHave(file, filter),
    )
    return calls.filter((call) => defined.has(functionOf(call)))
  }

  /** Whether a file is read again whatever its words are. */
  #isAgain(file: string): boolean {
    // A default export may have a name that its file does not contain.
    const lookups = this.#wanted.get(this.#groupOf(file))?.lookups
    return lookups?.has(moduleName(file)) === true
  }

  #isNeeded(file: string): boolean {
    const { unchanged } = this.#inputs
    const isKnown = unchanged.has(file) && unchanged.withoutCalls.has(file)
    if (this.#isFirst) return isManifest(file) || !isKnown
    if (this.#isAgain(file)) return true
    const filter = this.#filters.get(this.#groupOf(file))
    return filter !== undefined && unchanged.words.mayHave(file, filter)
  }

  /** The words of a file that are looked for. */
  #wordsOf(file: string, bytes: Buffer): ReadonlySet<string> {
    if (!this.#isFirst) return this.#filters.get(this.#groupOf(file))?.wordsIn(bytes) ?? new Set()
    const index = this.#inputs.unchanged.words
    index.begin(bytes.length)
    const words = this.#first.wordsIn(bytes, index, (hash, start, end) =>
      this.#suggestions.add(file, bytes, hash, start, end),
    )
    index.end(file)
    return words
  }

  #visit(file: string, bytes: Buffer): void {
    if (isManifest(file)) {
      if (this.#isFirst) this.#noteSdk(file, bytes)
      if (!knownLanguageOf(file)) return
    }
    const words = this.#wordsOf(file, bytes)
    const matched = this.#isFirst ? (this.#inputs.match?.(bytes.toString(), file) ?? []) : []
    if (matched.length > 0) this.#matches.set(file, matched)
    const hasWords = words.size > 0
    const isAdded = !this.#isFirst && (hasWords || this.#isAgain(file))
    const text = hasWords || matched.length > 0 || isAdded ? bytes.toString() : ''
    const mayCall =
      isAdded || (hasWords && this.#inputs.knownCalls.mayBeIn(text, words, languageOf(file)))
    if (!mayCall && matched.length === 0) {
      if (this.#isFirst) this.#inputs.unchanged.withoutCalls.add(file)
      return
    }
    this.#noteSdk(file, bytes)
    const read = readFacts(text, file, this.#wantedOf(file), this.#matches.get(file) ?? [])
    if (read) this.#facts.set(file, read)
    else this.#incomplete.add(file)
  }

  /** Notes whether a file uses an SDK. */
  #noteSdk(file: string, bytes: Buffer): void {
    const repository = this.#inputs.repositoryOf(file)
    if (this.#withSdk.has(repository)) return
    if (usesSdk(file, bytes)) this.#withSdk.add(repository)
    else this.#inputs.unchanged.withoutSdk.add(file)
  }

  /** Looks for SDKs in all files of the repositories with calls that may be of an SDK or not. */
  async #findSdks(wrappers: Wrappers): Promise<void> {
    const calls = [...this.#facts.values()].flatMap((facts) => facts.calls)
    const unclear = new Set(
      calls
        .filter((call) => wrappers.mayBeOwn(call))
        .map(({ file }) => this.#inputs.repositoryOf(file)),
    )
    for (const repository of this.#searched) unclear.delete(repository)
    if (unclear.size === 0) return
    const { unchanged } = this.#inputs
    await this.#inputs.readAll(
      (file, bytes) => this.#noteSdk(file, bytes),
      (file) => {
        const repository = this.#inputs.repositoryOf(file)
        const isKnown = unchanged.has(file) && unchanged.withoutSdk.has(file)
        return unclear.has(repository) && !this.#withSdk.has(repository) && !isKnown
      },
    )
    for (const repository of unclear) this.#searched.add(repository)
  }

  /** Adds the functions and constants that turned up, and returns their names by what they are wanted of. */
  #addWanted(wrappers: Wrappers): Map<string, Set<string>> {
    const added = new Map<string, Set<string>>()
    const add = (file: string, name: string) => {
      const group = this.#groupOf(file)
      added.set(group, (added.get(group) ?? new Set()).add(name))
    }
    for (const { name, lookup, file } of wrappers.candidates()) {
      const { lookups } = this.#wantedOf(file)
      const before = lookups.get(name) ?? []
      if (before.some((earlier) => isSame(earlier, lookup))) continue
      lookups.set(name, [...before, lookup])
      add(file, name)
    }
    for (const [file, { calls, bindings }] of this.#facts) {
      const { constants } = this.#wantedOf(file)
      for (const word of neededConstants(wrappers, calls, bindings)) {
        if (constants.has(word)) continue
        constants.add(word)
        add(file, word)
      }
    }
    return added
  }
}

/** The words of names whose values are needed for the calls and bindings of a file. */
function neededConstants(
  wrappers: Wrappers,
  calls: readonly Call[],
  bindings: readonly Binding[],
): Set<string> {
  const needed = new Set<string>()
  const assigned = new Set(
    bindings.filter(({ kind }) => kind === 'assigned').map(({ name }) => name),
  )
  const want = (expression: Expression, hasOwner: boolean) => {
    if ('parts' in expression) for (const part of expression.parts) want(part, hasOwner)
    if (expression.kind !== 'name') return
    const { path } = expression
    for (const word of wordsOf(path, hasOwner)) {
      if (!assigned.has(word) || path.length > 1) needed.add(word.replace('()', ''))
    }
  }
  for (const call of calls) {
    const isCallers = call.passed && !call.passed.lookup.isReceiver
    if (!isCallers && wrappers.isAccepted(call)) want(call.expression, call.hasOwner)
  }
  for (const { value } of bindings) if (value) want(value, true)
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
      /^[A-Z_]/.test(word) || path.slice(0, index).some((owner) => /^[A-Z.]/.test(owner))
    return isConstant || (index === last && (before === undefined || hasOwner))
  })
}
