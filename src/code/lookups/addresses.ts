import { isLegalName } from '../../input/flag-names.ts'
import type { Tokens } from '../lexer/tokens.ts'
import type { Argument } from './calls.ts'
import { type Expression, literalAt, parseExpression, UNKNOWN } from './expressions.ts'

/** A word of the addresses that the OpenFeature Remote Evaluation Protocol has. */
export const ADDRESS_WORD = 'ofrep'
const BEFORE_NAME = '/ofrep/v1/evaluate/flags/'

/** A flag whose evaluation is requested at an address. */
interface Requested {
  /** The string that the address is in. */
  index: number
  argument: Argument
}

/** The flags at the ends of addresses: `${host}/ofrep/v1/evaluate/flags/new-ui`. */
export function requestedFlags(tokens: Tokens): Requested[] {
  if (!tokens.text.includes(BEFORE_NAME)) return []
  return tokens.strings.flatMap((index) => {
    const { start, end } = tokens.contentOf(index)
    if (!tokens.text.slice(start, end).includes(BEFORE_NAME)) return []
    const to = tokens.expressionEnd(index)
    const expression = nameIn(tokens, partsOf(parseExpression(tokens, { from: index, to })))
    if (!expression) return []
    const offset = tokens.startOf(index)
    return [{ index, argument: { expression, offset, end: tokens.endOf(to - 1) } }]
  })
}

/** The texts that are joined to one. */
function partsOf(expression: Expression): readonly Expression[] {
  return expression.kind === 'join' ? expression.parts.flatMap(partsOf) : [expression]
}

/** The name at the end of an address; undefined for the route of a server: `/ofrep/v1/evaluate/flags/:key`. */
function nameIn(tokens: Tokens, parts: readonly Expression[]): Expression | undefined {
  for (const [at, part] of parts.entries()) {
    const [before, after] = part.kind === 'literal' ? part.value.split(BEFORE_NAME) : []
    if (part.kind !== 'literal' || before === undefined || after === undefined) continue
    if (after === '') return parts[at + 1]
    if (/^(?:%\w|\{\})/.test(after)) return UNKNOWN
    const name = after.replace(/[/?#].*$/, '')
    const offset = part.offset + before.length + BEFORE_NAME.length
    return isLegalName(name) ? literalAt(tokens, offset, name) : undefined
  }
  return undefined
}
