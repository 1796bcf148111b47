import { type Expression, UNKNOWN } from './literals.ts'
import type { Passed } from './facts.ts'
import { BEFORE_EXPRESSION, type FunctionDefinition, KEYWORD } from './functions.ts'
import { declarationOf, isEnum } from './owners.ts'
import type { Parameter } from './parameters.ts'
import { isFlagType } from './values.ts'
import { OPEN, type Tokens, WORD } from '../lexer/tokens.ts'

// Functions to look at before a call; more are in generated code.
const MAX_STEPS = 500

/**
 * The functions around a token, innermost first.
 * @param all in the order of their bodies
 */
export function functionsAround(
  all: readonly FunctionDefinition[],
  index: number,
): FunctionDefinition[] {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.body.from ?? 0) <= index) low = middle + 1
    else high = middle
  }
  return all
    .slice(Math.max(0, low - MAX_STEPS), low)
    .filter(({ body }) => body.to > index)
    .reverse()
}

/** The parameter that an expression begins with, and the innermost function that has it. */
export function parameterOf(
  expression: Expression,
  around: readonly FunctionDefinition[],
): { definition: FunctionDefinition; parameter: Parameter } | undefined {
  if (expression.kind !== 'name') return undefined
  const [name] = expression.path
  for (const definition of around) {
    const parameter = definition.parameters.find((one) => one.name === name)
    if (parameter) return { definition, parameter }
  }
  return undefined
}

/** The parameter that an expression passes on. */
export function passedIn(
  expression: Expression,
  around: readonly FunctionDefinition[],
): Passed | undefined {
  const found = parameterOf(expression, around)
  if (expression.kind !== 'name' || !found) return undefined
  const [, member, ...rest] = expression.path
  const { index, key, property = member } = found.parameter
  const lookup = { index, key, ...(property !== undefined && { member: property }) }
  const { name, at } = found.definition
  return { function: rest.length > 0 ? undefined : name, at, lookup }
}

/** The function whose parameter an expression joins to other texts. */
export function joinedBy(
  expression: Expression,
  around: readonly FunctionDefinition[],
): string | undefined {
  if (expression.kind !== 'join') return undefined
  const found = expression.parts.map((part) => parameterOf(part, around)).find(Boolean)
  return found?.definition.name
}

/** An expression in which parameters of functions are unknown. */
export function withoutParameters(
  expression: Expression,
  around: readonly FunctionDefinition[],
): Expression {
  if (expression.kind === 'join' || expression.kind === 'choice') {
    return { ...expression, parts: expression.parts.map((part) => withoutParameters(part, around)) }
  }
  return passedIn(expression, around) ? UNKNOWN : expression
}

// Parts of the types that names of flags have; a single letter is a type parameter.
const NAME_TYPE =
  /str|text|name|key|id\b|flag|toggle|feature|any|unknown|object|symbol|char|typeof|\b[A-Z]\b|["'`]/i

/** Whether the type of a function's first parameter is not one of names: `isDisabled(isDirty: boolean)`. */
export function takesNoName({ parameters }: FunctionDefinition): boolean {
  const [first] = parameters
  const type = first?.text.replace(first.name, '') ?? ''
  return /\w/.test(type) && !NAME_TYPE.test(type)
}

const PLAIN_WORD = /^[\w$]/
const INFIX =
  /^(?:as|in|is|of|or|and|if|unless|else|not|instanceof|satisfies|to|div|mod|xor|do|then)$/

/** Whether a name with a list of parameters is declared here, perhaps without a body. */
export function isDeclaration(tokens: Tokens, index: number): boolean {
  const { kinds, language } = tokens
  const before = tokens.textOf(index - 1)
  if (KEYWORD.test(before)) return true
  if (before === ')' && tokens.textOf(tokens.pairOf(index - 1) - 1) === 'func') return true
  if (before === '.' && KEYWORD.test(tokens.textOf(index - 3))) return true
  const opening = index + 1
  if (kinds[opening] !== OPEN) return false
  // `Type name(`; an expression can follow any word in languages that declare functions with a keyword.
  const isTyped =
    kinds[index - 1] === WORD && !BEFORE_EXPRESSION.test(before) && !tokens.isNewLine(index)
  if (isTyped && language.methods) return !language.markup
  const [first, second] = [opening + 1, opening + 2]
  if (kinds[first] !== WORD) return false
  if (kinds[second] === WORD) {
    const word = tokens.textOf(second)
    const isType = !BEFORE_EXPRESSION.test(tokens.textOf(first))
    return isType && !INFIX.test(word) && PLAIN_WORD.test(word)
  }
  return language.group === 'js' && /^(?::|\?:)$/.test(tokens.textOf(second))
}

/** Whether a text imports an object, or declares it. */
export function declares(text: string, owner: string): boolean {
  const imported = `\\b(?:import|use|using|alias|from)\\b[^'"\\n;{(]{0,200}(?:\\{[^}]{0,500}|\\([^)]{0,500})?\\b${owner}\\b`
  const declared = `\\b(?:(?:object|enum|class|module|namespace|struct)\\s+${owner}\\b|(?:const|let|var|val)\\s+${owner}\\s*=\\s*(?:[{(]|Object|require))`
  // The last part of a package of Go.
  return new RegExp(`${imported}|${declared}|/${owner}"\\s*$`, 'm').test(text)
}

/**
 * The type whose field a method passes on as the name of a flag: `Flag` for `f.Name` in
 * `func (f *Flag) IsOn()`, and for `this.key` or `key` in a method of `enum Flag`.
 * @param around the functions around the expression, innermost first
 */
export function typeOfField(
  tokens: Tokens,
  expression: Expression,
  around: readonly FunctionDefinition[],
): string | undefined {
  const method = around.find(({ name }) => name !== undefined)
  if (!method || expression.kind !== 'name' || expression.path.length > 2) return undefined
  const [object = '', field] = expression.path
  const { group } = tokens
  if (group === 'go') {
    // The receiver of the method: `(f *Flag)`.
    const { from } = tokens.inside(tokens.pairOf(method.at - 1)) ?? {}
    const type = tokens.textOf(method.at - 2)
    const isOwn = from !== undefined && field !== undefined && tokens.textOf(from) === object
    return isOwn && isFlagType(type) ? type : undefined
  }
  const isOwn = field === undefined ? group === 'jvm' : /^(?:this|self)$/.test(object)
  return isOwn ? (extendedType(tokens, method.at) ?? typeAround(tokens, method.at)) : undefined
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
