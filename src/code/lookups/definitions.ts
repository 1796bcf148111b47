import { bindingAt } from './bindings.ts'
import type { Expression } from './literals.ts'
import { indented } from './functions.ts'
import { isEnum, OWNER } from './owners.ts'
import { hasFixedTexts } from './enums.ts'
import { nameIn } from './values.ts'
import { hasIndentedBlocks } from '../lexer/languages.ts'
import { CLOSE, OPEN, type Range, type Tokens, WORD } from '../lexer/tokens.ts'

/** A member of a type whose members are flags. */
export interface Member {
  type: string
  name: string
  value: Expression
  /** The type; empty for a variable of the type, used by its own name. */
  owner: string
  file: string
}

/**
 * The object of a type whose objects are flags that is created at a token, or the members of the type, if it is
 * an enum that is declared there.
 */
export function objectsAt(tokens: Tokens, index: number, type: string): Member[] {
  return isEnum(tokens, index)
    ? typeMembers(tokens, index, type)
    : (objectAt(tokens, index, type) ?? [])
}

/** `NEW_UI = &Flag{Name: "x"}` of Go, `NEW_UI = Flag("x")` and others. */
function objectAt(tokens: Tokens, index: number, type: string): Member[] | undefined {
  if (!/^[{(]$/.test(tokens.textOf(index + 1))) return undefined
  const variable = variableBefore(tokens, index)
  if (variable === undefined) return undefined
  const value = nameIn(tokens, index + 1)
  if (!value) return undefined
  const name = tokens.ownWord(variable)
  return [{ type, name, value, owner: '', file: tokens.file }]
}

/** The variable that a value of a type is assigned to. */
function variableBefore(tokens: Tokens, index: number): number | undefined {
  let at = index - 1
  // Past the package of the type, `new` and `&`.
  while (
    /^(?:&|\.|::|new)$/.test(tokens.textOf(at)) ||
    (tokens.textOf(at + 1) === '.' && tokens.kinds[at] === WORD)
  )
    at--
  const mark = tokens.textOf(at)
  if (mark !== '=' && mark !== ':=' && mark !== ':') return undefined
  at--
  while (
    tokens.kinds[at - 1] === WORD &&
    !tokens.isNewLine(at) &&
    !OWNER.test(tokens.textOf(at - 1))
  )
    at--
  return tokens.kinds[at] === WORD ? at : undefined
}

/** The members in the body of a type that is declared at a token. */
function typeMembers(tokens: Tokens, index: number, type: string): Member[] {
  if (!OWNER.test(tokens.textOf(index - 1))) return []
  const body = bodyOf(tokens, index)
  if (!body) return []
  const members: Member[] = []
  for (let at = body.from; at < body.to; at++) {
    if (tokens.kinds[at] !== WORD) continue
    const binding = bindingAt(tokens, at)
    if (!binding?.value || binding.kind === 'branch') continue
    if (binding.kind === 'bare' && !hasFixedTexts(tokens.group)) continue
    if (binding.owner !== undefined && binding.owner !== type) continue
    const { name, value, file } = binding
    members.push({ type, name, value, owner: type, file })
  }
  return members
}

// More tokens than precede the body of a type.
const MAX_HEADER = 80

function bodyOf(tokens: Tokens, index: number): Range | undefined {
  if (hasIndentedBlocks(tokens.group)) return indented(tokens, index + 1, index)
  const limit = Math.min(tokens.kinds.length, index + MAX_HEADER)
  for (let at = index + 1; at < limit; at++) {
    if (tokens.textOf(at) === ';') return undefined
    if (tokens.kinds[at] !== OPEN) continue
    const block = tokens.inside(at)
    if (!block || tokens.textOf(at) === '{') return block
    // `Object.freeze({…})`
    if (tokens.textOf(at + 1) !== '{') at = block.to
  }
  return undefined
}

// Words before a declaration of a name.
const DECLARING = /^(?:var|const|let|val|func|type|import|def|static|final|readonly)$/

/**
 * Whether a token uses a member of a type: `Flags.NEW_UI`, `Flags::NEW_UI`, `.newUi`.
 * @param type empty for a variable of the type
 */
export function isUse(tokens: Tokens, index: number, type: string): boolean {
  const before = tokens.textOf(index - 1)
  if (type === '') {
    // A function can have the same name.
    return !DECLARING.test(before) && !/^(?:=|:=|\()$/.test(tokens.textOf(index + 1))
  }
  if (!tokens.isAccess(index - 1)) return false
  if (tokens.wordOf(index - 2) === type) return true
  // `.newUi` of Swift
  const isImplicit = tokens.kinds[index - 2] !== WORD && tokens.kinds[index - 2] !== CLOSE
  return tokens.group === 'swift' && before === '.' && isImplicit
}
