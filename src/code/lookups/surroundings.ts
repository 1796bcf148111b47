import type { Passed } from './facts.ts'
import type { FunctionDefinition } from './functions.ts'
import { type Expression, UNKNOWN } from './literals.ts'
import { declarationOf, isEnum, ownerOf } from './owners.ts'
import type { Parameter } from './parameters.ts'
import { countWhile } from '../positions.ts'
import { isFlagType } from './values.ts'
import type { Tokens } from '../lexer/tokens.ts'

// Functions to look at before a call; more are in generated code.
const MAX_STEPS = 500

/** The functions around a token. */
export class Surroundings {
  readonly #tokens: Tokens
  /** Innermost first. */
  readonly #functions: readonly FunctionDefinition[]

  /** @param all the functions of the file, in the order of their bodies */
  constructor(tokens: Tokens, index: number, all: readonly FunctionDefinition[]) {
    this.#tokens = tokens
    const count = countWhile(all, ({ body }) => body.from <= index)
    const before = all.slice(Math.max(0, count - MAX_STEPS), count)
    this.#functions = before.filter(({ body }) => body.to > index).reverse()
  }

  /** The parameter that an expression begins with, and the innermost function that has it. */
  parameterOf(
    expression: Expression,
  ): { definition: FunctionDefinition; parameter: Parameter } | undefined {
    if (expression.kind !== 'name') return undefined
    const [name] = expression.path
    for (const definition of this.#functions) {
      const parameter = definition.parameters.find((one) => one.name === name)
      if (parameter) return { definition, parameter }
    }
    return undefined
  }

  /** The parameter that an expression passes on. */
  passedIn(expression: Expression): Passed | undefined {
    const found = this.parameterOf(expression)
    if (expression.kind !== 'name' || !found) return undefined
    const [, member, ...rest] = expression.path
    const { index, key, property = member } = found.parameter
    const lookup = { index, key, ...(property !== undefined && { member: property }) }
    const { name, at } = found.definition
    const type = this.#receiverType(at) ?? ownerOf(this.#tokens, at)
    return { function: rest.length > 0 ? undefined : name, at, lookup, type }
  }

  /** The type of the receiver of a method of Go: `Flag` in `func (f *Flag) IsOn()`. */
  #receiverType(nameAt: number): string | undefined {
    const tokens = this.#tokens
    return tokens.group === 'go' && tokens.textOf(nameAt - 1) === ')'
      ? tokens.textOf(nameAt - 2)
      : undefined
  }

  /** The function whose parameter an expression joins to other texts. */
  joinedBy(expression: Expression): string | undefined {
    if (expression.kind !== 'join') return undefined
    const found = expression.parts.map((part) => this.parameterOf(part)).find(Boolean)
    return found?.definition.name
  }

  /** An expression in which parameters of functions are unknown. */
  withoutParameters(expression: Expression): Expression {
    if ('parts' in expression) {
      return { ...expression, parts: expression.parts.map((part) => this.withoutParameters(part)) }
    }
    return this.parameterOf(expression) ? UNKNOWN : expression
  }

  /**
   * The type whose field a method passes on as the name of a flag: `Flag` for `f.Name` in
   * `func (f *Flag) IsOn()`, and for `this.key` or `key` in a method of `enum Flag`.
   */
  typeOfField(expression: Expression): string | undefined {
    const tokens = this.#tokens
    const method = this.#functions.find(({ name }) => name !== undefined)
    if (!method || expression.kind !== 'name' || expression.path.length > 2) return undefined
    const [object = '', field] = expression.path
    if (tokens.group === 'go') {
      const type = this.#receiverType(method.at)
      const { from } = tokens.inside(tokens.pairOf(method.at - 1)) ?? {}
      const isOwn = from !== undefined && field !== undefined && tokens.textOf(from) === object
      return isOwn && type !== undefined && isFlagType(type) ? type : undefined
    }
    const isOwn = field === undefined ? tokens.group === 'jvm' : /^(?:this|self)$/.test(object)
    return isOwn ? (extendedType(tokens, method.at) ?? typeAround(tokens, method.at)) : undefined
  }
}

/** The type that a function of Kotlin extends: `fun Flag.isOn()`. */
function extendedType(tokens: Tokens, nameAt: number): string | undefined {
  const isExtension = tokens.group === 'jvm' && tokens.textOf(nameAt - 1) === '.'
  return isExtension ? tokens.wordOf(nameAt - 2) : undefined
}

/** The enum or the type of flags that declares a method. */
function typeAround(tokens: Tokens, nameAt: number): string | undefined {
  const keyword = declarationOf(tokens, nameAt)
  if (keyword === undefined) return undefined
  const name = tokens.wordOf(keyword + 1)
  return isEnum(tokens, keyword + 1) || isFlagType(name) ? name : undefined
}
