import { parseExpression } from './expressions.ts'
import { type Argument, wordLiteral } from './literals.ts'
import { NUMBER, type Tokens, WORD } from '../lexer/tokens.ts'

/** The members that are read, or the variable whose members will be. */
interface Reads {
  members: Argument[]
  /** The variable that gets the result of a function. */
  variable?: string
}

const ACCESS = /^(?:\.|\?\.)$/
// Members of lists, maps and functions.
const COMMON = /^(?:length|size|current|data|value|toggles|constructor|prototype)$/

/**
 * The members that are read of an object, or of the result of a function, at its name:
 * `flags.x`, `flags?.['x']`, `useFlags().x`, `const { x } = useFlags()`.
 */
export function membersReadAt(tokens: Tokens, index: number): Reads {
  const { kinds } = tokens
  const list = tokens.textOf(index + 1) === '(' ? tokens.pairOf(index + 1) : index
  if (list < index) return { members: [] }
  let at = list + 1
  while (tokens.textOf(at) === '!' || tokens.textOf(at) === '?') at++
  if (ACCESS.test(tokens.textOf(at)) && tokens.textOf(at + 1) !== '[') {
    const isMethod = tokens.textOf(at + 2) === '('
    // A sentence in a template may follow a full stop.
    const isNext = tokens.starts[at + 1] === tokens.ends[at]
    const isName = kinds[at + 1] === WORD && !COMMON.test(tokens.textOf(at + 1))
    const isMember = isName && isNext && !isMethod
    return { members: isMember ? [wordAt(tokens, at + 1)] : [] }
  }
  if (ACCESS.test(tokens.textOf(at))) at++
  if (tokens.textOf(at) === '[') return { members: elementAt(tokens, at) }
  return assignedAt(tokens, index, list > index)
}

/** The member between brackets; none for the element of a list. */
function elementAt(tokens: Tokens, opening: number): Argument[] {
  const range = tokens.inside(opening)
  if (!range || range.from === range.to || tokens.kinds[range.from] === NUMBER) return []
  const expression = parseExpression(tokens, range)
  return [{ expression, offset: tokens.startOf(range.from), end: tokens.endOf(range.to) }]
}

function wordAt(tokens: Tokens, index: number): Argument {
  const expression = wordLiteral(tokens, index)
  return { expression, offset: expression.offset, end: tokens.endOf(index) }
}

/** The names in a pattern that an object is assigned to, or the variable. */
function assignedAt(tokens: Tokens, index: number, isCall: boolean): Reads {
  let at = index - 1
  while (ACCESS.test(tokens.textOf(at)) && tokens.kinds[at - 1] === WORD) at -= 2
  if (tokens.textOf(at) === 'await') at--
  if (tokens.textOf(at) !== '=') return { members: [] }
  if (tokens.kinds[at - 1] === WORD && isCall) {
    return { members: [], variable: tokens.wordOf(at - 1) }
  }
  const opening = tokens.pairOf(at - 1)
  const keys = tokens.textOf(opening) === '{' ? tokens.itemsIn(opening) : []
  const words = keys.filter(({ from }) => tokens.kinds[from] === WORD)
  return { members: words.map(({ from }) => wordAt(tokens, from)) }
}
