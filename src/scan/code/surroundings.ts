import type { Expression } from './literals.ts'
import type { Position } from '../../input/position.ts'
import { ownCopy } from './positions.ts'
import { type Tokens, WORD } from '../lexer/tokens.ts'

export function isInComment({ comments }: Tokens, offset: number): boolean {
  for (let index = 0; index < comments.length; index += 2) {
    if ((comments[index] ?? 0) > offset) return false
    if (offset < (comments[index + 1] ?? 0)) return true
  }
  return false
}

/** Whether a part of a text is the content of a literal, or of data without quotation marks. */
export function isWholeLiteral(tokens: Tokens, start: number, end: number): boolean {
  const { text, language } = tokens
  const before = text[start - 1] ?? ''
  if (/["'`]/.test(before) && text[end] === before) return true
  if (before === ':' && /^(?:ruby|elixir)$/.test(language.group))
    return !/[\w?!]/.test(text[end] ?? '')
  return language.evaluates === true
}

/** Copies an expression, so that it does not keep the text in memory, and adds the positions of its literals. */
export function copied(
  expression: Expression,
  positionOf: (offset: number) => Position,
): Expression {
  switch (expression.kind) {
    case 'literal':
      return { ...expression, ...positionOf(expression.offset), value: ownCopy(expression.value) }
    case 'name':
      return { ...expression, path: expression.path.map(ownCopy) }
    case 'join':
    case 'choice':
      return { ...expression, parts: expression.parts.map((part) => copied(part, positionOf)) }
    default:
      return expression
  }
}

/** The first token of the name that a member belongs to. */
export function startOfPath(tokens: Tokens, index: number): number {
  let at = index
  while (tokens.isAccess(at - 1) && tokens.kinds[at - 2] === WORD) at -= 2
  return at
}
