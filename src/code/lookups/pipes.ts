import { type Range, STRING, type Tokens, WORD } from '../lexer/tokens.ts'

// An expression begins after these; nothing is before the code of a template.
const BEFORE = /^(?:|[=([{,:;!]|->|<-|&&|\|\|)$/
// These bind more tightly than a pipe.
const UNARY = /^(?:not|in)$/
// More members than a name has.
const MAX_PATH = 8

/** A value that a pipe of Elixir passes to a call as its first argument. */
interface Piped {
  /** Undefined for one that is not a text or a name. */
  value: Range | undefined
}

/** The value that is piped into the call at a name: `:name |> Unleash.enabled?()`. */
export function pipedInto(tokens: Tokens, index: number): Piped | undefined {
  if (tokens.group !== 'elixir') return undefined
  const pipe = startOfName(tokens, index) - 1
  if (tokens.textOf(pipe) !== '|>') return undefined
  const kind = tokens.kinds[pipe - 1]
  if (kind !== WORD && kind !== STRING) return { value: undefined }
  const from = startOfName(tokens, pipe - 1)
  return { value: isWhole(tokens, from) ? { from, to: pipe } : undefined }
}

/** The first token of a name with members, an atom, or a string. */
function startOfName(tokens: Tokens, last: number): number {
  let from = last
  while (from > last - 2 * MAX_PATH && tokens.isAccess(from - 1)) from -= 2
  const isMarked = tokens.ends[from - 1] === tokens.starts[from]
  return isMarked && /^[:@]$/.test(tokens.textOf(from - 1)) ? from - 1 : from
}

/** Whether a value begins where an expression does, so that no operator takes it first. */
function isWhole(tokens: Tokens, from: number): boolean {
  const before = tokens.textOf(from - 1)
  if (tokens.kinds[from - 1] === WORD) return !UNARY.test(before)
  return BEFORE.test(before) || (tokens.isNewLine(from) && /[\w"')\]}]$/.test(before))
}
