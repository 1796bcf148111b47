import { STRING, textOf, type Tokens } from '../lexer/tokens.ts'

/** An expression, as far as its value can be read from source code. */
export type Expression =
  | { kind: 'literal'; value: string; offset: number; line?: number; column?: number }
  /** A name, or a member of a name: `FeatureToggle.NEW_UI`. */
  | { kind: 'name'; path: readonly string[]; offset: number }
  /** Texts joined to one. */
  | { kind: 'join'; parts: readonly Expression[] }
  /** One of several values, as with `?:`; or all values of a list. */
  | { kind: 'choice'; parts: readonly Expression[] }
  | { kind: 'unknown' }

export type Literal = Extract<Expression, { kind: 'literal' }>

export const UNKNOWN: Expression = { kind: 'unknown' }

/** The value of a string literal; undefined when it is only known at run time. */
export function literalOf(
  tokens: Tokens,
  index: number,
): { value: string; offset: number } | undefined {
  if (tokens.kinds[index] !== STRING || tokens.dynamic.has(index)) return undefined
  const { text, starts, ends, opens, closes } = tokens
  const open = opens[index] ?? 0
  const offset = (starts[index] ?? 0) + open
  const body = text.slice(offset, (ends[index] ?? 0) - (closes[index] ?? 0))
  if (!body.includes('\\')) return { value: body, offset }
  const mark = text.slice(offset - open, offset)
  if (/[@rR#]/.test(mark)) return { value: body, offset }
  // Only these escapes have the same meaning in all languages.
  const quote = mark.slice(-1)
  const rest = body.replaceAll('\\\\', '').replaceAll(`\\${quote}`, '')
  return rest.includes('\\') ? undefined : { value: body.replace(/\\(.)/g, '$1'), offset }
}

/** A word as a literal, for names that stand for themselves. */
export function wordLiteral(tokens: Tokens, index: number): Literal {
  return { kind: 'literal', value: textOf(tokens, index), offset: tokens.starts[index] ?? 0 }
}
