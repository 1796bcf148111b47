import type { Expression } from './literals.ts'
import type { FunctionDefinition } from './functions.ts'
import { declarationOf, isEnum } from './owners.ts'
import { isFlagType } from './values.ts'
import { CLOSE, type Tokens } from '../lexer/tokens.ts'

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
    const receiver = receiverOf(tokens, method.at)
    const isOwn = field !== undefined && receiver?.name === object
    return isOwn && isFlagType(receiver.type) ? receiver.type : undefined
  }
  const isOwn = field === undefined ? group === 'jvm' : /^(?:this|self)$/.test(object)
  return isOwn ? (extendedType(tokens, method.at) ?? typeAround(tokens, method.at)) : undefined
}

/** The receiver of a method of Go: `(f *Flag)`. */
function receiverOf(tokens: Tokens, nameAt: number): { name: string; type: string } | undefined {
  const opening = tokens.kinds[nameAt - 1] === CLOSE ? tokens.pairOf(nameAt - 1) : -1
  if (opening < 0) return undefined
  return { name: tokens.textOf(opening + 1), type: tokens.textOf(nameAt - 2) }
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
