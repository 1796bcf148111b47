import { parseExpression } from './expressions.ts'
import { type Expression, literalOf } from './literals.ts'
import type { Tokens } from '../lexer/tokens.ts'

/** The value that is assigned at a token; undefined when it cannot be known. */
export function valueAt(tokens: Tokens, from: number): Expression | undefined {
  const to = tokens.expressionEnd(from)
  const value = parseExpression(tokens, { from, to })
  return value.kind === 'unknown' ? flagObjectAt(tokens, from, to) : value
}

// `FeatureFlag`, `ToggleName`, `NewFlag`
const FLAG_TYPE = /(?:^|[a-z])(?:Flag|Feature|Toggle)(?:Name|Key|Id|Definition)?$/
const FUNCTION = /^(?:[a-z]|(?:Is|Has|Get|Use|Check)[A-Z])/
const FACTORY = /^(?:of|from|named|create)$/

/** Whether the objects of a type are flags, by its name. */
export function isFlagType(name: string): boolean {
  return FLAG_TYPE.test(name) && !FUNCTION.test(name)
}

/** The name in a new object for a flag: `new Feature("x")`, `Toggle.of("x")`, `&Flag{Name: "x"}`. */
function flagObjectAt(tokens: Tokens, from: number, to: number): Expression | undefined {
  let at = from
  while (at < to && /^(?:&|new|const)$/.test(tokens.textOf(at))) at++
  if (tokens.group === 'js' && tokens.textOf(at) === '{') return ownNameIn(tokens, at)
  while (at < to && tokens.isAccess(at + 1)) at += 2
  const type = FACTORY.test(tokens.textOf(at)) ? tokens.textOf(at - 2) : tokens.textOf(at)
  const isObject =
    isFlagType(type) && /^[({]$/.test(tokens.textOf(at + 1)) && tokens.pairs[at + 1] === to - 1
  return isObject ? nameIn(tokens, at + 1) : undefined
}

const NAME = /^(?:name|key|id|flag|flagKey|Name|Key|ID|Id|Flag)$/

/** The text of the property with the name of an object of JavaScript: `{ name: 'x' }`. */
function ownNameIn(tokens: Tokens, opening: number): Expression | undefined {
  for (const { from, to } of tokens.itemsIn(opening)) {
    if (!NAME.test(tokens.textOf(from)) || tokens.textOf(from + 1) !== ':') continue
    const literal = to === from + 3 ? literalOf(tokens, from + 2) : undefined
    if (literal) return literal
  }
  return undefined
}

/** The text that names a flag in the arguments or properties of an object: its name or key, else the first. */
export function nameIn(tokens: Tokens, opening: number): Expression | undefined {
  const closing = tokens.pairOf(opening)
  let first: Expression | undefined
  for (let at = opening + 1; at < closing; at++) {
    const literal = literalOf(tokens, at)
    const isValue = /^[:=]$/.test(tokens.textOf(at - 1))
    if (literal && isValue && NAME.test(tokens.textOf(at - 2))) return literal
    if (!isValue) first ??= literal
  }
  return first
}
