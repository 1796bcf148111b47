import { declares, takesNoName } from './declarations.ts'
import type { Facts, Wanted } from './facts.ts'
import { type FunctionDefinition, functionsIn } from './functions.ts'
import { otherSystemIn } from './sdks.ts'
import type { Expression } from './literals.ts'
import { type FilePosition, ownCopy } from '../positions.ts'
import type { Tokens } from '../lexer/tokens.ts'

// More objects with constants than a file that is written by hand uses.
const MAX_OWNERS = 200

/** The state of reading a file. */
export class FileScan {
  readonly tokens: Tokens
  readonly wanted: Wanted
  readonly facts: Facts = {
    calls: [],
    forms: [],
    bindings: [],
    functions: [],
    members: [],
    uses: [],
    hasOtherSystem: false,
  }
  /** `import { useFlag as useUnleashFlag }` */
  readonly aliases = new Map<string, string>()
  /** Variables with the result of a function whose members are flags. */
  readonly results = new Map<string, string>()
  /** How many bindings of each name were found. */
  readonly bindingCounts = new Map<string, number>()
  /** How many uses of wanted names were found, which is limited. */
  uses = 0
  readonly #suppressed: ReadonlySet<number>
  readonly #owners = new Map<string, boolean>()
  readonly #imports = new Map<string, readonly string[]>()
  #functions: FunctionDefinition[] | undefined
  #definitions: Set<number> | undefined
  #others: Set<string | undefined> | undefined
  #otherSystem: RegExp | undefined

  constructor(tokens: Tokens, wanted: Wanted) {
    this.tokens = tokens
    this.wanted = wanted
    this.#suppressed = suppressedLines(tokens)
  }

  /** The position of a use; undefined if a comment suppresses it. */
  placeOf(offset: number): FilePosition | undefined {
    const position = this.tokens.positionOf(offset)
    return this.#suppressed.has(position.line) ? undefined : position
  }

  /** The functions of the file, in the order of their bodies. */
  get functions(): readonly FunctionDefinition[] {
    this.#functions ??= functionsIn(this.tokens)
    return this.#functions
  }

  /** Whether a token is the name of a function that is defined there. */
  isDefinition(index: number): boolean {
    this.#definitions ??= new Set(this.functions.map(({ at }) => at))
    return this.#definitions.has(index)
  }

  /** Whether a function of the file has the name of a lookup, but takes no name. */
  isOtherFunction(name: string): boolean {
    this.#others ??= otherFunctions(this.functions)
    return this.#others.has(name)
  }

  /** A constant that a file of Python imports, with the name of its module. */
  withModule(expression: Expression): Expression {
    if (this.tokens.group !== 'python' || expression.kind !== 'name') return expression
    const [name = '', ...members] = expression.path
    const known = this.#imports.get(name)
    const path = known ?? (this.#imports.size < MAX_OWNERS ? importIn(this.tokens.text, name) : [])
    this.#imports.set(name, path)
    return members.length > 0 || path.length === 0 ? expression : { ...expression, path }
  }

  /** Whether a function of the SDKs belongs to another flag system, because the file has that and not an SDK. */
  isOfOtherSystem(name: string, receiver = ''): boolean {
    this.#otherSystem ??= otherSystemIn(this.tokens.text)
    return this.#otherSystem.test(`${receiver}.${name}`)
  }

  /** Whether the file imports or declares the object of a name. */
  declaresOwner(path: readonly string[]): boolean {
    const owner = path.at(-2)
    if (owner === undefined || !/^\w+$/.test(owner)) return false
    const known = this.#owners.get(owner)
    if (known !== undefined || this.#owners.size === MAX_OWNERS) return known === true
    const isDeclared = declares(this.tokens.text, owner)
    this.#owners.set(owner, isDeclared)
    return isDeclared
  }
}

/** The module and the name there of what a file of Python imports: `from a.flags import NEW_UI as FLAG`. */
function importIn(text: string, name: string): string[] {
  const names = String.raw`(?:\([^)]{0,2000}?|[^\n(]{0,500}?)\b(?:(\w{1,100})[ \t]{1,9}as[ \t]{1,9})?${name}\b`
  const source = String.raw`^[ \t]{0,99}from[ \t]{1,9}[\w.]{0,200}?(\w{1,100})[ \t]{1,9}import[ \t]{1,9}${names}`
  const [, module, original = name] = new RegExp(source, 'm').exec(text) ?? []
  return module === undefined ? [] : [ownCopy(module), ownCopy(original)]
}

/** The names of functions none of which takes a name. */
function otherFunctions(all: readonly FunctionDefinition[]): Set<string | undefined> {
  const others = new Set(all.filter(takesNoName).map(({ name }) => name))
  for (const one of all) if (!takesNoName(one)) others.delete(one.name)
  return others
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
