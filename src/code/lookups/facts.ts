import type { Position } from '../../input/shape.ts'
import { moduleName } from '../lexer/file-names.ts'
import { tokenize } from '../lexer/lexer.ts'
import { STRING, type Tokens, WORD } from '../lexer/tokens.ts'
import { countWhile, excerpt, type FilePosition, lineAt, ownCopy } from '../files/positions.ts'
import { type Binding, bindingAt } from './bindings.ts'
import { type Argument, lookupArgumentAt, membersReadAt, receiverOf } from './calls.ts'
import { type Expression, literalAt, NOTHING, UNKNOWN } from './expressions.ts'
import {
  type FunctionDefinition,
  functionsIn,
  isAssignedFunction,
  isDeclaration,
} from './functions.ts'
import { type Passed, Surroundings } from './surroundings.ts'
import type { Lookup } from './lookup.ts'
import { type KnownCalls, isOfOtherSystem } from './sdks.ts'

/** A use of a flag in a file. */
export interface Call extends FilePosition {
  /** The source text that shows it. */
  text: string
  /** The name of the function; empty for a custom pattern. */
  name: string
  lookup: Lookup
  expression: Expression
  /** Where the name of the function is. */
  start: Position
  /** Where the source text ends. */
  end: Position
  /** Set if the expression is a parameter of the function around it, or a field of the object. */
  passed?: Passed | undefined
  /** The name of the innermost function with parameters around it. */
  around?: string | undefined
  /** The names before that of the function: `this.flags` in `this.flags.has('x')`. */
  owners: string
  /** Whether the function is called without an object. */
  isBare: boolean
  /** Whether the file imports or declares the object of the name. */
  hasOwner: boolean
  /** Whether it is in the body of a function of its name, which calls another one. */
  isInNamesake?: boolean
  /** The function that takes the name which a custom pattern found, or the property that has it. */
  takenBy?: string | undefined
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
  knownCalls: KnownCalls
  /** The functions that were found to pass on the name of a flag, by their names. */
  lookups: Map<string, Lookup[]>
  /** Names whose values are needed. */
  constants: Set<string>
}

/** What is wanted of a file. */
export interface Facts {
  calls: Call[]
  bindings: Binding[]
  /** The names of the functions that it defines and that may be lookups, once for each definition. */
  definitions: string[]
  /** Whether calls are left out that belong to another flag system. */
  hasOtherSystem: boolean
}

// More uses of wanted names than a file that is written by hand has, and more objects that have them.
const MAX_USES = 20_000
const MAX_OBJECTS = 500

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
  /** Answers about objects, each of which took a look at the whole text. */
  readonly #answers = new Map<string, boolean>()
  /** The functions whose definitions are wanted. */
  readonly #defined = new Set<string>()
  /** The calls at their tokens. */
  readonly #calls: { index: number; call: Call }[] = []
  /** How many uses of wanted names were found, which is limited. */
  #uses = 0
  #functions: FunctionDefinition[] | undefined

  constructor(tokens: Tokens, wanted: Wanted) {
    this.#tokens = tokens
    this.#wanted = wanted
    this.#suppressed = suppressedLines(tokens)
    this.#facts = { calls: [], bindings: [], definitions: [], hasOtherSystem: false }
    this.#originals = originalsOf(tokens)
  }

  read(matched: readonly Matched[]): Facts | undefined {
    const { kinds } = this.#tokens
    // A default export may have a name that its file does not contain.
    const module = moduleName(this.#tokens.file)
    if (this.#wanted.lookups.has(module)) this.#defined.add(module)
    for (let index = 0; index < kinds.length && this.#uses <= MAX_USES; index++) {
      if (kinds[index] !== WORD) continue
      const name = this.#originalAt(index)
      for (const lookup of this.#lookupsOf(name)) {
        if (lookup.sdk === undefined || isAssignedFunction(this.#tokens, index)) {
          this.#defined.add(name)
        }
        if (lookup.hasMembers) this.#addMembersRead(index, name)
        else this.#addCall(index, name, lookup)
      }
    }
    for (const match of matched) this.#addMatch(match)
    this.#addDefinitions()
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
    const { knownCalls, lookups } = this.#wanted
    const { language } = this.#tokens
    const ofKnown = knownCalls.lookupsOf(name, language)
    const others = lookups.get(name) ?? []
    return others.length > 0 ? [...ofKnown, ...others] : ofKnown
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

  /** Adds the definitions that are wanted; a function without parameters takes no name. */
  #addDefinitions(): void {
    if (this.#defined.size === 0) return
    for (const { name = '', parameters, body } of this.#all) {
      if (!this.#defined.has(name) || parameters.length === 0) continue
      this.#facts.definitions.push(ownCopy(name))
      const callsBefore = (end: number) => countWhile(this.#calls, ({ index }) => index < end)
      for (const { call } of this.#calls.slice(callsBefore(body.from), callsBefore(body.to))) {
        if (call.name === name) call.isInNamesake = true
      }
    }
  }

  #addCall(index: number, name: string, lookup: Lookup): void {
    const tokens = this.#tokens
    this.#uses++
    const argument = lookupArgumentAt(tokens, index, name, lookup)
    if (isDeclaration(tokens, index)) {
      this.#defined.add(name)
      return
    }
    if (!argument) return
    const receiver = receiverOf(tokens, index)
    if (lookup.sdk !== undefined) {
      const isOther = () => isOfOtherSystem(tokens.text, receiver, name)
      if (this.#answerOf(`${receiver}.${name}`, isOther)) {
        this.#facts.hasOtherSystem = true
        return
      }
    }
    if (argument.expression.kind !== 'literal') {
      if (this.#all.some(({ at }) => at === index)) {
        this.#defined.add(name)
        return
      }
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
    const from = tokens.startOfPath(index)
    const call: Call = {
      text: excerpt(tokens.text, Math.min(start, offset), end),
      name: ownCopy(name),
      lookup,
      expression: isIgnored ? UNKNOWN : around.withoutParameters(this.#withOriginals(expression)),
      isIgnored,
      start: startPlace,
      end: tokens.positionOf(end),
      passed: isIgnored ? undefined : around.passedIn(expression),
      around: around.nameWithParameters,
      owners: from === index ? '' : ownCopy(tokens.textIn({ from, to: index - 1 })),
      isBare: !tokens.isAccess(index - 1),
      hasOwner: expression.kind === 'name' && this.#declaresOwner(expression.path),
      // Not first: V8 would give each object a hidden class of its own.
      ...place,
    }
    this.#facts.calls.push(call)
    this.#calls.push({ index, call })
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
    if (kind === 'constant' && NOTHING.test(matched)) return
    const path = matched.split(/\?\.|\.|::|->/).map((word) => ownCopy(word.replace(/^[@$]/, '')))
    const expression =
      kind === 'constant' ? ({ kind: 'name', path } as const) : literalAt(tokens, offset, matched)
    const hasOwner = this.#declaresOwner(path)
    const text = lineAt(tokens.text, offset)
    const takenBy = takenAt(tokens.text, offset)
    const call = { ...place, text, expression, start: place, end: place, hasOwner, takenBy }
    this.#facts.calls.push({ ...call, name: '', lookup: {}, owners: '', isBare: true })
  }

  /** Adds the values of the constants that are wanted, and of those that the file itself uses. */
  #addBindings(): void {
    const { kinds } = this.#tokens
    const used = new Set<string>()
    for (const { expression, passed } of this.#facts.calls) if (!passed) addNames(expression, used)
    if (this.#wanted.constants.size + used.size === 0) return
    for (let index = 0; index < kinds.length && this.#uses <= MAX_USES; index++) {
      const isKey = kinds[index] === STRING && /^(?::|=>)$/.test(this.#tokens.textOf(index + 1))
      if (kinds[index] !== WORD && !isKey) continue
      const name = this.#tokens.nameOf(index)
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
    return path.slice(0, -1).some((owner) => {
      const isDeclared = () => declares(this.#tokens.text, owner)
      return /^\w+$/.test(owner) && this.#answerOf(owner, isDeclared)
    })
  }

  /** An answer about an object, found once; `false` beyond what a file written by hand has. */
  #answerOf(key: string, find: () => boolean): boolean {
    const answer = this.#answers.get(key) ?? (this.#answers.size < MAX_OBJECTS && find())
    this.#answers.set(key, answer)
    return answer
  }
}

// More characters than the name of a function or a property, and what is between it and its value.
const MAX_BEFORE = 100
const TAKES = /([\p{L}\w$]+[?!]?)['"]?\s*(?:[:=(]|=>)\s*['"`:@]?$/u

/** What is before a value: the function in `isOn("x")`, the property in `{ flag: "x" }`. */
function takenAt(text: string, offset: number): string | undefined {
  const [, name] = TAKES.exec(text.slice(Math.max(0, offset - MAX_BEFORE), offset)) ?? []
  return name && ownCopy(name)
}

// `NEW_UI as flag`, `isEnabled: on`
const RENAMED = /([\p{L}\w$]+)(?:\s+as\s+|\s*:\s*)([\p{L}\w$]+)/gu

/** The words of names in an expression. */
function addNames(expression: Expression, names: Set<string>): void {
  if (expression.kind === 'name') {
    for (const word of expression.path) names.add(word.replace('()', ''))
  }
  if ('parts' in expression) for (const part of expression.parts) addNames(part, names)
}

/** The names of imports that have another one in the file, by that. */
function originalsOf({ text, language: { imports = [] } }: Tokens): Map<string, string> {
  const originals = new Map<string, string>()
  for (const statement of imports) {
    for (const [, names = ''] of text.matchAll(statement)) {
      for (const [, name = '', alias = ''] of names.matchAll(RENAMED)) {
        originals.set(ownCopy(alias), ownCopy(name))
      }
    }
  }
  return originals
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
