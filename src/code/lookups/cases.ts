import { CLOSE, STRING, type Tokens, WORD } from '../lexer/tokens.ts'
import { type Expression, literalOf, UNKNOWN } from './expressions.ts'

// Tables of texts in code: a `switch`, `when` or `match` with a text for each member of an enumeration.

const ARROW = /^(?:->|=>)$/
const TABLE = /^(?:switch|when|match|case)$/
const DECLARATION = /^(?:var|val|let|get)$/

// More tokens than precede a table in the function or the property that returns it.
const MAX_HEADER = 60
// More tokens than a table has.
const MAX_TABLE = 20_000

/** The index of the text of a case after its member: `: "x"`, `: return "x"`, `-> "x"`, `=> "x"`; -1 without one. */
function textAfter(tokens: Tokens, member: number): number {
  const mark = tokens.textOf(member + 1)
  if (mark !== ':' && !ARROW.test(mark)) return -1
  const at = tokens.textOf(member + 2) === 'return' ? member + 3 : member + 2
  if (tokens.kinds[at] !== STRING) return -1
  const isEnd = tokens.isNewLine(at + 1) || /^[,;})]?$/.test(tokens.textOf(at + 1))
  return isEnd ? at : -1
}

/** The text of a member in a table, and the function or property that returns it; undefined if it is not in one. */
export function caseAt(
  tokens: Tokens,
  member: number,
): { value: Expression; owner: string | undefined; property: string } | undefined {
  const path = tokens.startOfPath(member)
  const hasCase = tokens.textOf(path) === 'case' || tokens.textOf(path - 1) === 'case'
  const hasOwner = path < member && tokens.textOf(path) !== 'case'
  const mark = tokens.textOf(member + 1)
  if (!hasCase && !(hasOwner ? ARROW.test(mark) : mark === '->')) return undefined
  const at = textAfter(tokens, member)
  const value = at === -1 ? undefined : literalOf(tokens, at)
  const table = tokens.parentOf(member)
  if (!value || tokens.textOf(table) !== '{') return undefined
  const owner = hasOwner ? tokens.ownWord(member - 2) : undefined
  return { value, owner, property: propertyBefore(tokens, table) }
}

/** The name of the function or property whose value a table is; empty if it has none. */
function propertyBefore(tokens: Tokens, table: number): string {
  const limit = Math.max(0, table - MAX_HEADER)
  for (let at = table - 1; at >= limit; at--) {
    const text = tokens.textOf(at)
    const isFunction = tokens.language.functionWords.includes(text)
    if (isFunction || (DECLARATION.test(text) && tokens.textOf(at + 1) !== '(')) {
      let name = at + 1
      while (tokens.isAccess(name + 1)) name += 2
      if (tokens.kinds[name] === WORD) return tokens.ownWord(name)
    }
    // A method without a keyword: `String key() {`.
    const closing = text === '{' && tokens.textOf(at - 1) === ')' ? at - 1 : -1
    const opening = tokens.pairOf(closing)
    if (
      opening > 0 &&
      tokens.kinds[opening - 1] === WORD &&
      !TABLE.test(tokens.textOf(opening - 1))
    ) {
      return tokens.ownWord(opening - 1)
    }
    if (tokens.kinds[at] === CLOSE) at = Math.max(tokens.pairOf(at), limit)
  }
  return ''
}

/** The texts that a function returns, if a table in it has one for each case; undefined if it has no table. */
export function textsReturnedBy(tokens: Tokens, nameAt: number): Expression | undefined {
  if (!tokens.language.functionWords.includes(tokens.textOf(nameAt - 1))) return undefined
  const closing = tokens.pairOf(nameAt + 1)
  if (closing === -1) return undefined
  let opening = closing + 1
  while (opening < closing + MAX_HEADER && tokens.textOf(opening) !== '{') opening++
  const body = tokens.inside(opening)
  if (!body || body.to - body.from > MAX_TABLE) return undefined
  const parts: Expression[] = []
  let hasTable = false
  for (let at = body.from; at < body.to; at++) {
    const text = tokens.textOf(at)
    if (TABLE.test(text)) hasTable = true
    // A table that is returned as a whole has its texts after the cases.
    const isTable = TABLE.test(tokens.textOf(at + 1))
    const isResult = (text === 'return' && !isTable) || ARROW.test(text)
    const isText = tokens.kinds[at + 1] === STRING
    if (isResult || (text === ':' && isText)) parts.push(literalOf(tokens, at + 1) ?? UNKNOWN)
  }
  return hasTable && parts.length > 1 ? { kind: 'choice', parts } : undefined
}
