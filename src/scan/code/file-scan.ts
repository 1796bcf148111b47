import { declares, takesNoName } from './declarations.ts'
import type { Facts, Wanted } from './facts.ts'
import { type FunctionDefinition, functionsIn } from './functions.ts'
import type { Position } from '../../input/position.ts'
import { createLocator } from './positions.ts'
import type { Tokens } from '../lexer/tokens.ts'

// More objects with constants than a file that is written by hand uses.
const MAX_OWNERS = 200

/** What is known while a file is read. */
export interface FileScan {
  tokens: Tokens
  wanted: Wanted
  facts: Facts
  positionOf: (offset: number) => Position
  /** The position of a use; undefined if a comment suppresses it. */
  positionUnlessIgnored: (offset: number) => Position | undefined
  /** The functions of the file, in the order of their bodies. */
  functions: () => readonly FunctionDefinition[]
  /** Whether a token is the name of a function that is defined there. */
  isDefinition: (index: number) => boolean
  /** Whether a function of the file has the name of a lookup, but takes no name. */
  isOtherFunction: (name: string) => boolean
  /** Whether the file imports or declares the object of a name. */
  declaresOwner: (path: readonly string[]) => boolean
  /** `import { useFlag as useUnleashFlag }` */
  aliases: Map<string, string>
  /** Variables with the result of a function whose members are flags. */
  results: Map<string, string>
  /** How many bindings of each name were found. */
  bindings: Map<string, number>
  uses: number
}

export function createFileScan(tokens: Tokens, wanted: Wanted): FileScan {
  const positionOf = createLocator(tokens.text)
  const suppressed = suppressedLines(tokens, positionOf)
  let functions: FunctionDefinition[] | undefined
  let definitions: Set<number> | undefined
  const allFunctions = () =>
    (functions ??= functionsIn(tokens).sort((a, b) => a.body.from - b.body.from))
  let others: Set<string | undefined> | undefined
  const owners = new Map<string, boolean>()
  return {
    tokens,
    wanted,
    facts: {
      calls: [],
      bindings: [],
      functions: new Map(),
      forms: [],
      members: [],
      uses: [],
      isIncomplete: false,
    },
    positionOf,
    positionUnlessIgnored(offset) {
      const position = positionOf(offset)
      return suppressed.has(position.line) ? undefined : position
    },
    functions: allFunctions,
    isDefinition(index) {
      definitions ??= new Set(allFunctions().map(({ at }) => at))
      return definitions.has(index)
    },
    isOtherFunction(name) {
      others ??= otherFunctions(allFunctions())
      return others.has(name)
    },
    declaresOwner(path) {
      const owner = path.at(-2)
      if (owner === undefined || !/^\w+$/.test(owner)) return false
      const known = owners.get(owner)
      if (known !== undefined || owners.size === MAX_OWNERS) return known === true
      const isDeclared = declares(tokens.text, owner)
      owners.set(owner, isDeclared)
      return isDeclared
    },
    aliases: new Map(),
    results: new Map(),
    bindings: new Map(),
    uses: 0,
  }
}

/** The names of functions none of which takes a name. */
function otherFunctions(all: readonly FunctionDefinition[]): Set<string | undefined> {
  const others = new Set(all.filter(takesNoName).map(({ name }) => name))
  for (const one of all) if (!takesNoName(one)) others.delete(one.name)
  return others
}

const IGNORE = /\bflagadm-ignore(-next-line)?(?![\w-])/g

/** The lines whose lookups a comment suppresses. */
function suppressedLines(tokens: Tokens, positionOf: (offset: number) => Position): Set<number> {
  const lines = new Set<number>()
  if (!tokens.text.includes('flagadm-ignore')) return lines
  const { comments, text } = tokens
  for (let index = 0; index < comments.length; index += 2) {
    const start = comments[index] ?? 0
    const end = comments[index + 1] ?? 0
    for (const match of text.slice(start, end).matchAll(IGNORE)) {
      const { line } = positionOf(match[1] === undefined ? start + match.index : end - 1)
      lines.add(match[1] === undefined ? line : line + 1)
    }
  }
  return lines
}
