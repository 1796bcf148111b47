import { STRING, type Tokens } from '../lexer/tokens.ts'
import { type FilePosition, ownCopy } from '../positions.ts'

/** An expression, as far as its value can be read from source code. */
export type Expression =
  | Literal
  /** A name, or a member of a name: `FeatureToggle.NEW_UI`. */
  | { kind: 'name'; path: readonly string[] }
  /** Texts joined to one. */
  | { kind: 'join'; parts: readonly Expression[] }
  /** One of several values, as with `?:`; or all values of a list. */
  | { kind: 'choice'; parts: readonly Expression[] }
  | { kind: 'unknown' }

/** An expression that may have the name of a flag. */
export interface Argument {
  expression: Expression
  /** Where it begins. */
  offset: number
  /** Where the source text that shows it ends. */
  end: number
}

/** A text and where its first character is. */
export interface Literal extends FilePosition {
  kind: 'literal'
  value: string
  offset: number
}

export const UNKNOWN: Expression = { kind: 'unknown' }

export function literalAt({ positionOf }: Tokens, offset: number, value: string): Literal {
  return { kind: 'literal', value: ownCopy(value), offset, ...positionOf(offset) }
}

// The languages whose text blocks leave out the indentation and the first line break.
const TEXT_BLOCKS = /^(?:jvm|cs|swift)$/

/** The value of a string literal; undefined when it is only known at run time. */
export function literalOf(tokens: Tokens, index: number): Literal | undefined {
  if (tokens.kinds[index] !== STRING || tokens.dynamic.has(index)) return undefined
  const { start, end } = tokens.contentOf(index)
  const content = tokens.text.slice(start, end)
  const mark = tokens.text.slice(tokens.startOf(index), start)
  const isBlock = mark === '"""' && TEXT_BLOCKS.test(tokens.group) && content.includes('\n')
  const body = isBlock ? content.trim() : content
  const offset = start + content.indexOf(body)
  if (!body.includes('\\') || /[@rR#]/.test(mark)) return literalAt(tokens, offset, body)
  // Only these escapes have the same meaning in all languages.
  const quote = mark.slice(-1)
  const rest = body.replaceAll('\\\\', '').replaceAll(`\\${quote}`, '')
  return rest.includes('\\') ? undefined : literalAt(tokens, offset, body.replace(/\\(.)/g, '$1'))
}

/** A word as a literal, for names that stand for themselves. */
export function wordLiteral(tokens: Tokens, index: number): Literal {
  return literalAt(tokens, tokens.startOf(index), tokens.textOf(index))
}
