import { ownCopy } from '../files/positions.ts'
import { CLOSE, STRING, type Tokens, WORD } from '../lexer/tokens.ts'

/** The name of what declares the block that a token is in. */
export function ownerOf(tokens: Tokens, index: number): string | undefined {
  const object = objectAround(tokens, index)
  if (object !== undefined) return object
  if (tokens.language.hasIndentedBlocks) return outerClass(tokens, index)
  const keyword = declarationOf(tokens, index)
  return keyword === undefined ? undefined : tokens.ownWord(keyword + 1)
}

/** The name of the object or map that a token is in: `flags: { stop: 'x' }`, `'flags' => ['stop' => 'x']`, `FLAGS = {`. */
function objectAround(tokens: Tokens, index: number): string | undefined {
  const opening = tokens.parentOf(index)
  if (!/^[{[]$/.test(tokens.textOf(opening))) return undefined
  if (!/^(?:[:=]|=>)$/.test(tokens.textOf(opening - 1))) return undefined
  const kind = tokens.kinds[opening - 2]
  return kind === WORD || kind === STRING ? ownCopy(tokens.nameOf(opening - 2)) : undefined
}

// More tokens than precede the members of a type.
const MAX_HEADER = 30

/** The last keyword in the declaration of the block that a token is directly in. */
export function declarationOf(tokens: Tokens, index: number): number | undefined {
  const opening = tokens.parentOf(index)
  const limit = Math.max(0, opening - MAX_HEADER)
  for (let at = opening - 1; at >= limit; at--) {
    const text = tokens.textOf(at)
    if (text === ';' || text === '}' || text === '{') return undefined
    if (tokens.kinds[at] === CLOSE) at = Math.max(tokens.pairs[at] ?? at, limit)
    if (tokens.language.ownerWords.includes(text) && tokens.kinds[at + 1] === WORD) return at
  }
  return undefined
}

/** Whether the name of a type is the one of an enum that is declared there. */
export function isEnum(tokens: Tokens, nameAt: number): boolean {
  return [nameAt - 1, nameAt - 2].some((at) => tokens.textOf(at) === 'enum')
}

const CLASS = /^([ \t]*)(?:class|module|defmodule)[ \t]+(\w+(?:(?:\.|::)\w+)*)/gm

// More characters than a large enumeration has.
const MAX_CLASS = 20_000

/** The last class before a token that is indented less. */
function outerClass(tokens: Tokens, index: number): string | undefined {
  const start = tokens.startOf(index)
  const before = tokens.text.slice(Math.max(0, start - MAX_CLASS), start)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const column = line.search(/\S|$/)
  let owner: string | undefined
  for (const [, indentation = '', name] of before.matchAll(CLASS)) {
    if (indentation.length < column) owner = name?.split(/[.:]+/).at(-1)
  }
  return owner
}
