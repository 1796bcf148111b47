import type { Position } from '../../input/shape.ts'
import { moduleName } from '../lexer/file-names.ts'
import { tokenize } from '../lexer/lexer.ts'
import { type Tokens, WORD } from '../lexer/tokens.ts'
import { excerpt, type FilePosition, lineAt, ownCopy } from '../files/positions.ts'
import { requestedFlags } from './addresses.ts'
import { type Binding, bindingAt } from './bindings.ts'
import { type Argument, lookupArgumentAt, membersReadAt, receiverOf } from './calls.ts'
import { type Expression, literalAt, UNKNOWN } from './expressions.ts'
import { type FunctionDefinition, functionsIn, isDeclaration } from './functions.ts'
import { type Passed, Surroundings } from './surroundings.ts'
import type { FileScope } from './links.ts'
import type { Lookup } from './lookup.ts'
import { type KnownCalls, otherSystemIn } from './sdks.ts'

/** A use of a flag in a file. */
export interface Call extends FilePosition {
  /** The source text that shows it. */
  text: string
  /** The name of the function; empty for a custom pattern, and for an address. */
  name: string
  lookup: Lookup
  expression: Expression
  /** Where the name of the function is. */
  start: Position
  /** Where the source text ends. */
  end: Position
  /** Set if the expression is a parameter of the function around it, or a field of the object. */
  passed?: Passed | undefined
  /** The names before that of the function: `this.flags` in `this.flags.has('x')`. */
  owners: string
  /** Whether the function is called without an object. */
  isBare: boolean
  /** Whether the file imports or declares the object of the name. */
  hasOwner: boolean
  /** Whether a comment suppresses it: then it only shows that a function of the project is called. */
  isIgnored?: boolean
}

/** A name that a custom pattern found. */
export interface Matched {
  /** The literal of a flag, or the name of a constant. */
  kind: 'flag' | 'constant'
  text: string
  offset: number
}

/** The names to look for in a text. */
export interface Wanted {
  /** The functions of the SDKs and the configuration. */
  known: KnownCalls
  /** The functions that were found to pass on the name of a flag, by their names. */
  lookups: Map<string, Lookup[]>
  /** Those with common names, only for calls without an object in a file, by file. */
  local: ReadonlyMap<string, ReadonlyMap<string, readonly Lookup[]>>
  /** Names whose values are needed. */
  constants: Set<string>
  /** The names of functions whose definitions are needed. */
  definitions: Set<string>
}

/** What is wanted of a file. */
export interface Facts {
  calls: Call[]
  bindings: Binding[]
  /** The names of the wrappers that it defines, once for each definition. */
  definitions: string[]
  /** Whether calls are left out that belong to another flag system. */
  hasOtherSystem: boolean
  scope: FileScope
}

// More uses of wanted names than a file that is written by hand has.
const MAX_USES = 20_000

/** Reads a file; undefined for one with too many lookups. */
export function readFacts(
  text: string,
  file: string,
  wanted: Wanted,
  matched: readonly Matched[],
): Facts | undefined {
  return new Reader(tokenize(text, file), wanted).read(matched)
}

class Reader {
  readonly #tokens: Tokens
  readonly #wanted: Wanted
  readonly #facts: Facts
  /** The names of imports with another name here, by that. */
  readonly #originals: ReadonlyMap<string, string>
  readonly #suppressed: ReadonlySet<number>
  /** Whether the file imports or declares an object. */
  readonly #owners = new Map<string, boolean>()
  /** How many uses of wanted names were found, which is limited. */
  #uses = 0
  #functions: FunctionDefinition[] | undefined
  #otherSystem: RegExp | undefined

  constructor(tokens: Tokens, wanted: Wanted) {
    this.#tokens = tokens
    this.#wanted = wanted
    this.#suppressed = suppressedLines(tokens)
    const scope = scopeOf(tokens)
    this.#facts = { calls: [], bindings: [], definitions: [], hasOtherSystem: false, scope }
    this.#originals = new Map(
      scope.imports.flatMap(({ name, alias }) =>
        name !== undefined && alias !== undefined && alias !== name ? [[alias, name]] : [],
      ),
    )
  }

  read(matched: readonly Matched[]): Facts | undefined {
    const { kinds } = this.#tokens
    // A default export may have a name that its file does not contain.
    const module = moduleName(this.#tokens.file)
    const wrappers = new Set(this.#wanted.lookups.has(module) ? [module] : [])
    for (let index = 0; index < kinds.length && this.#uses <= MAX_USES; index++) {
      if (kinds[index] !== WORD) continue
      const name = this.#originalAt(index)
      for (const lookup of this.#lookupsOf(name)) {
        const isWanted = lookup.sdk === undefined || this.#wanted.definitions.has(name)
        if (isWanted) wrappers.add(name)
        if (lookup.hasMembers) this.#addMembersRead(index, name)
        else this.#addCall(index, name, lookup)
      }
    }
    for (const { index, argument } of requestedFlags(this.#tokens)) {
      this.#uses++
      this.#addLookup(index, argument.offset, argument, {}, '')
    }
    for (const one of matched) this.#addMatch(one)
    this.#addDefinitions(wrappers)
    this.#addBindings()
    return this.#uses > MAX_USES ? undefined : this.#facts
  }

  /** A word, or the name of the import that it is another name of. */
  #originalAt(index: number): string {
    const word = this.#tokens.wordOf(index)
    if (this.#originals.size === 0) return word
    const original = this.#originals.get(word)
    return original === undefined || this.#tokens.isAccess(index - 1) ? word : original
  }

  #lookupsOf(name: string): readonly Lookup[] {
    const { known, lookups, local } = this.#wanted
    const { language, file } = this.#tokens
    const ofKnown = known.lookupsOf(name, language)
    const others = lookups.get(name) ?? []
    const ofFile = local.get(file)?.get(name) ?? []
    return others.length + ofFile.length > 0 ? [...ofKnown, ...others, ...ofFile] : ofKnown
  }

  /** The position of a match; undefined if a comment suppresses it. */
  #placeOf(offset: number): FilePosition | undefined {
    const position = this.#tokens.positionOf(offset)
    return this.#suppressed.has(position.line) ? undefined : position
  }

  /** The functions of the file, in the order of their bodies. */
  get #all(): readonly FunctionDefinition[] {
    this.#functions ??= functionsIn(this.#tokens)
    return this.#functions
  }

  /** Adds the definitions of wrappers; a function without parameters takes no name. */
  #addDefinitions(wrappers: ReadonlySet<string>): void {
    if (wrappers.size === 0) return
    for (const { name = '', parameters } of this.#all) {
      if (wrappers.has(name) && parameters.length > 0) this.#facts.definitions.push(ownCopy(name))
    }
  }

  #addCall(index: number, name: string, lookup: Lookup): void {
    const tokens = this.#tokens
    this.#uses++
    const argument = lookupArgumentAt(tokens, index, name, lookup)
    if (!argument || isDeclaration(tokens, index)) return
    const isLocal = this.#wanted.local.get(tokens.file)?.get(name)?.includes(lookup)
    if (isLocal && tokens.isAccess(index - 1)) return
    const receiver = receiverOf(tokens, index)
    if (lookup.sdk !== undefined) {
      this.#otherSystem ??= otherSystemIn(tokens.text)
      if (this.#otherSystem.test(`${receiver}.${name}`)) {
        this.#facts.hasOtherSystem = true
        return
      }
    }
    if (argument.expression.kind !== 'literal') {
      if (this.#all.some(({ at }) => at === index)) return
    }
    this.#addLookup(index, tokens.startOf(index), argument, lookup, name)
  }

  /**
   * Adds a lookup. A literal needs no look at the functions of the file.
   * @param start where the text that shows it begins
   */
  #addLookup(
    index: number,
    start: number,
    { expression, offset, end }: Argument,
    lookup: Lookup,
    name: string,
  ): void {
    const tokens = this.#tokens
    const [place, startPlace] = [tokens.positionOf(offset), tokens.positionOf(start)]
    const isIgnored = [place, startPlace].some(({ line }) => this.#suppressed.has(line))
    if (isIgnored && lookup.hasMembers) return
    const functions = expression.kind === 'literal' ? [] : this.#all
    const around = new Surroundings(tokens, index, functions)
    if (around.isOther(expression)) return
    const from = tokens.startOfPath(index)
    this.#facts.calls.push({
      ...place,
      text: excerpt(tokens.text, Math.min(start, offset), end),
      name: ownCopy(name),
      lookup,
      expression: isIgnored ? UNKNOWN : around.withoutParameters(this.#withOriginals(expression)),
      isIgnored,
      start: startPlace,
      end: tokens.positionOf(end),
      passed: isIgnored ? undefined : around.passedIn(expression),
      owners: from === index ? '' : ownCopy(tokens.textIn({ from, to: index - 1 })),
      isBare: !tokens.isAccess(index - 1),
      hasOwner: expression.kind === 'name' && this.#declaresOwner(expression.path),
    })
  }

  /** Adds what is read of an object, or of the result of a function, whose members are flags. */
  #addMembersRead(index: number, name: string): void {
    const tokens = this.#tokens
    this.#uses++
    const start = tokens.startOf(tokens.startOfPath(index))
    for (const member of membersReadAt(tokens, index)) {
      const offset = Math.min(member.offset, start)
      this.#addLookup(index, offset, { ...member, offset }, { hasMembers: true }, name)
    }
  }

  #addMatch({ kind, text: matched, offset }: Matched): void {
    const tokens = this.#tokens
    const place = this.#placeOf(offset)
    if (!place || isInComment(tokens, offset)) return
    const path = matched.split(/\?\.|\.|::|->/).map((word) => ownCopy(word.replace(/^[@$]/, '')))
    const expression =
      kind === 'constant' ? ({ kind: 'name', path } as const) : literalAt(tokens, offset, matched)
    const hasOwner = this.#declaresOwner(path)
    const text = lineAt(tokens.text, offset)
    const call = { ...place, text, expression, start: place, end: place, hasOwner }
    this.#facts.calls.push({ ...call, name: '', lookup: {}, owners: '', isBare: true })
  }

  /** Adds the values of the constants that are wanted, and of those that the file itself uses. */
  #addBindings(): void {
    const { kinds } = this.#tokens
    const used = new Set<string>()
    for (const { expression, passed } of this.#facts.calls) if (!passed) addNames(expression, used)
    if (this.#wanted.constants.size + used.size === 0) return
    for (let index = 0; index < kinds.length && this.#uses <= MAX_USES; index++) {
      if (kinds[index] !== WORD) continue
      const name = this.#tokens.wordOf(index)
      if (!used.has(name) && !this.#wanted.constants.has(name)) continue
      this.#uses++
      const binding = bindingAt(this.#tokens, index)
      if (binding) this.#facts.bindings.push(binding)
    }
  }

  /** An expression whose names are those of what is imported. */
  #withOriginals(expression: Expression): Expression {
    if (this.#originals.size === 0) return expression
    if ('parts' in expression) {
      return { ...expression, parts: expression.parts.map((part) => this.#withOriginals(part)) }
    }
    if (expression.kind !== 'name') return expression
    const [first = '', ...members] = expression.path
    const original = this.#originals.get(first)
    return original === undefined ? expression : { ...expression, path: [original, ...members] }
  }

  /** Whether the file imports or declares the object of a name. */
  #declaresOwner(path: readonly string[]): boolean {
    const owner = path.at(-2)
    if (owner === undefined || !/^\w+$/.test(owner)) return false
    const isDeclared = this.#owners.get(owner) ?? declares(this.#tokens.text, owner)
    this.#owners.set(owner, isDeclared)
    return isDeclared
  }
}

/** The words of names in an expression. */
function addNames(expression: Expression, names: Set<string>): void {
  if (expression.kind === 'name') {
    for (const word of expression.path) names.add(word.replace('()', ''))
  }
  if ('parts' in expression) for (const part of expression.parts) addNames(part, names)
}

/** What a file imports, and what it belongs to, in strings of their own. */
function scopeOf({ text, language }: Tokens): FileScope {
  const copied = (part: string | undefined) => (part === undefined ? undefined : ownCopy(part))
  const imports = language.imports?.(text) ?? []
  return {
    imports: imports.map(({ module, name, alias }) => ({
      module: ownCopy(module),
      name: copied(name),
      alias: copied(alias),
    })),
    namespace: copied(language.namespace?.exec(text)?.[1]),
  }
}

/** Whether a text imports an object, or declares it. */
function declares(text: string, owner: string): boolean {
  const imported = `\\b(?:import|use|using|alias|from)\\b[^'"\\n;{(]{0,200}(?:\\{[^}]{0,500}|\\([^)]{0,500})?\\b${owner}\\b`
  const declared = `\\b(?:(?:object|enum|class|module|namespace|struct)\\s+${owner}\\b|(?:const|let|var|val)\\s+${owner}\\s*=\\s*(?:[{(]|Object|require))`
  // The last part of a package of Go.
  return new RegExp(`${imported}|${declared}|/${owner}"\\s*$`, 'm').test(text)
}

const IGNORE = /\bflagadm-ignore(-next-line)?(?![\w-])/g

/** The lines whose lookups a comment suppresses. */
function suppressedLines({ text, comments, positionOf }: Tokens): Set<number> {
  const lines = new Set<number>()
  if (!text.includes('flagadm-ignore')) return lines
  for (const { start, end } of comments) {
    for (const match of text.slice(start, end).matchAll(IGNORE)) {
      const { line } = positionOf(match[1] === undefined ? start + match.index : end - 1)
      lines.add(match[1] === undefined ? line : line + 1)
    }
  }
  return lines
}

function isInComment({ comments }: Tokens, offset: number): boolean {
  // Not in the order of the text: those of code in attributes come last.
  return comments.some(({ start, end }) => start <= offset && offset < end)
}
