import { type Expression, literalAt, UNKNOWN } from './literals.ts'
import { ownCopy } from './positions.ts'
import type { Tokens } from '../lexer/tokens.ts'

// The languages in which `$name` in a string is a variable.
const DOLLAR = /^(?:jvm|php|dart)$/
const VARIABLE = /\$([A-Za-z_]\w*)/

/** Parses the tokens in a range. */
export type Parse = (from: number, to: number) => Expression

/**
 * A string with expressions in it as texts that are joined: `${PREFIX}.new-ui`, `"$PREFIX.new-ui"`.
 * @param to the token after the string and its expressions
 */
export function parseTemplate(tokens: Tokens, index: number, to: number, parse: Parse): Expression {
  const { starts, ends, opens, closes, pairs } = tokens
  const parts: Expression[] = []
  let start = (starts[index] ?? 0) + (opens[index] ?? 0)
  for (let at = index + 1; at < to; at = (pairs[at] ?? to) + 1) {
    const closing = pairs[at]
    if (closing === undefined || closing < at) return UNKNOWN
    parts.push(...textsIn(tokens, start, starts[at] ?? 0), parse(at + 1, closing))
    start = ends[closing] ?? 0
  }
  const end = (ends[index] ?? 0) - (closes[index] ?? 0)
  // A string that ends before its expressions is part of a larger one.
  if (start > end) return UNKNOWN
  return { kind: 'join', parts: [...parts, ...textsIn(tokens, start, end)] }
}

/** The texts and variables between expressions. */
function textsIn(tokens: Tokens, start: number, end: number): Expression[] {
  const part = tokens.text.slice(start, end)
  if (/\\|\{\{|\}\}/.test(part)) return [UNKNOWN]
  const pieces = DOLLAR.test(tokens.group) ? part.split(VARIABLE) : [part]
  return pieces.flatMap((piece, index): Expression[] => {
    if (piece === '') return []
    return index % 2 === 1
      ? [{ kind: 'name', path: [ownCopy(piece)] }]
      : [literalAt(tokens, start, piece)]
  })
}
