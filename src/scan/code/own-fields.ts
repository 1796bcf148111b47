import type { Expression } from './literals.ts'
import type { FunctionDefinition } from './functions.ts'
import { declarationOf, isEnum } from './owners.ts'
import { isFlagType } from './values.ts'
import type { Tokens } from '../lexer/tokens.ts'

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
