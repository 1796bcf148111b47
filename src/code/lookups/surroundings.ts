import { countWhile } from '../files/positions.ts'
import type { Tokens } from '../lexer/tokens.ts'
import { declarationOf, isEnum, ownerOf } from './owners.ts'
import { isFlagType, SELF } from './bindings.ts'
import { type Expression, UNKNOWN } from './expressions.ts'
import { type FunctionDefinition, type Parameter, parametersIn } from './functions.ts'
import type { Lookup } from './lookup.ts'

/** What a function passes on to a lookup: a parameter, or the object that it is called on. */
export interface Passed {
  /** Undefined for a function without a name. */
  function: string | undefined
  /** The definition of the function, by the number of a token. */
  at: number
  lookup: Lookup
  /** The type that declares it. */
  type: string | undefined
  /** Whether the function is the constructor of the type. */
  isConstructor?: boolean
}

// Functions to look at before a call; more are in generated code.
const MAX_STEPS = 500

/** The functions around a token. */
export class Surroundings {
  readonly #tokens: Tokens
  /** Innermost first. */
  readonly #functions: readonly FunctionDefinition[]
  /** Those of the file. */
  readonly #all: readonly FunctionDefinition[]

  /** @param all the functions of the file, in the order of their bodies */
  constructor(tokens: Tokens, index: number, all: readonly FunctionDefinition[]) {
    this.#tokens = tokens
    this.#all = all
    const count = countWhile(all, ({ body }) => body.from <= index)
    const before = all.slice(Math.max(0, count - MAX_STEPS), count)
    this.#functions = before.filter(({ body }) => body.to > index).reverse()
  }

  /** The name of the innermost function with parameters. */
  get nameWithParameters(): string | undefined {
    return this.#functions.find(
      ({ name, parameters }) => name !== undefined && parameters.length > 0,
    )?.name
  }

  /** The parameter that an expression begins with, and the innermost function that has it. */
  parameterOf(
    expression: Expression,
  ): { definition: FunctionDefinition; parameter: Parameter } | undefined {
    if (expression.kind !== 'name') return undefined
    const [name] = expression.path
    for (const definition of this.#functions) {
      const parameter = definition.parameters.find((parameter) => parameter.name === name)
      if (parameter) return { definition, parameter }
    }
    return undefined
  }

  /** What the function around passes on with an expression. */
  passedIn(expression: Expression): Passed | undefined {
    if (expression.kind !== 'name') return undefined
    const source = this.parameterOf(expression)
    // The receiver of a method is found as a parameter of a function without a name.
    const object = source?.definition.name === undefined && this.#ownObject(expression.path)
    if (object) return object
    if (!source) return this.#ownField(expression.path)
    const [, member, ...rest] = expression.path
    const { index, key, property = member } = source.parameter
    const lookup = { index, key, ...(property !== undefined && { member: property }) }
    const { name, at } = source.definition
    const type = this.#receiverType(at) ?? ownerOf(this.#tokens, at)
    return { function: rest.length > 0 ? undefined : name, at, lookup, type }
  }

  /** The type of the receiver of a method: `Flag` in `func (f *Flag) IsOn()`. */
  #receiverType(nameAt: number): string | undefined {
    const tokens = this.#tokens
    return tokens.language.hasReceivers && tokens.textOf(nameAt - 1) === ')'
      ? tokens.ownWord(nameAt - 2)
      : undefined
  }

  /**
   * What the constructor of the class around passes on: `key` in `class Toggle(val key: String)`, and `this.key` after
   * `this.key = key`.
   */
  #ownField(path: readonly string[]): Passed | undefined {
    const tokens = this.#tokens
    const [first = '', second = first, ...rest] = path
    const isOwn = path.length === 1 || SELF.test(first)
    const method = this.#functions.findLast(({ name }) => name !== undefined)
    if (!method || !isOwn || rest.length > 0) return undefined
    const keyword = declarationOf(tokens, method.at)
    if (keyword === undefined) return undefined
    const at = keyword + 1
    const type = tokens.ownWord(at)
    const parameter = this.#headerOf(at, second) ?? this.#assigned(type, second)
    if (!parameter) return undefined
    const { index, key } = parameter
    return {
      function: type.replace(/Attribute$/, ''),
      at,
      lookup: { index, key },
      type,
      isConstructor: true,
    }
  }

  /** The parameter with a name in the declaration of a class. */
  #headerOf(nameAt: number, name: string): Parameter | undefined {
    const list = this.#tokens.textOf(nameAt + 1) === '(' && this.#tokens.inside(nameAt + 1)
    const parameters = list ? parametersIn(this.#tokens, list) : []
    return parameters.find((parameter) => parameter.name === name)
  }

  /** The parameter of a constructor of a class that is assigned to a field. */
  #assigned(type: string, field: string): Parameter | undefined {
    const tokens = this.#tokens
    for (const { name, parameters, body } of this.#all) {
      if (name !== type && name !== 'constructor') continue
      const isAssigned = (index: number) =>
        tokens.wordOf(index) === field && tokens.textOf(index + 1) === '='
      const at = tokens.find(body, isAssigned)
      const source = at === -1 ? field : tokens.wordOf(at + 2)
      const parameter = parameters.find((candidate) => candidate.name === source)
      if (parameter) return parameter
    }
    return undefined
  }

  /** An expression in which parameters of functions are unknown. */
  withoutParameters(expression: Expression): Expression {
    if ('parts' in expression) {
      return { ...expression, parts: expression.parts.map((part) => this.withoutParameters(part)) }
    }
    return this.parameterOf(expression) ? UNKNOWN : expression
  }

  /**
   * The object of a flag whose method passes on its field: `f.Name` in `func (f *Flag) IsOn()`, and `this.key` or
   * `key` in a method of `enum Flag`.
   */
  #ownObject([object = '', field, ...rest]: readonly string[]): Passed | undefined {
    const tokens = this.#tokens
    const method = this.#functions.find(({ name }) => name !== undefined)
    if (!method || rest.length > 0) return undefined
    const { name, at } = method
    const passed = (type: string | undefined): Passed | undefined =>
      type === undefined ? undefined : { function: name, at, lookup: { isReceiver: true }, type }
    if (tokens.language.hasReceivers) {
      const type = this.#receiverType(at) ?? ''
      const { from = -1 } = tokens.inside(tokens.pairOf(at - 1)) ?? {}
      const isOwn = field !== undefined && tokens.textOf(from) === object
      return passed(isOwn && isFlagType(type) ? type : undefined)
    }
    const isOwn = field === undefined ? tokens.language.hasBareFields : SELF.test(object)
    return passed(isOwn ? typeAround(tokens, at) : undefined)
  }
}

/** The enum or the type of flags that declares a method, or that a function extends: `fun Flag.isOn()`. */
function typeAround(tokens: Tokens, nameAt: number): string | undefined {
  if (tokens.language.hasExtensions && tokens.textOf(nameAt - 1) === '.')
    return tokens.ownWord(nameAt - 2)
  const keyword = declarationOf(tokens, nameAt)
  if (keyword === undefined) return undefined
  const name = tokens.ownWord(keyword + 1)
  return isEnum(tokens, keyword + 1) || isFlagType(name) ? name : undefined
}
