import { type Group, hasIndentedBlocks } from '../lexer/languages.ts'
import { CLOSE, STRING, type Tokens, WORD } from '../lexer/tokens.ts'
import { type Expression, wordLiteral } from './expressions.ts'

// The member that returns the name of an enum member.
const ACCESSORS: Partial<Record<Group, string>> = {
  cs: 'ToString',
  dart: 'name',
  jvm: 'name',
  php: 'name',
  swift: 'rawValue',
}

/** Whether a word returns the name of an enum member: `name` in `Flag.NEW_UI.name`. */
export function isAccessor(group: Group, word: string): boolean {
  return ACCESSORS[group] === word
}

/** The argument of a wrapper that applies a member to it: `Flag.NEW_UI.name` for `isOn(Flag.NEW_UI)`. */
export function withAccessor(
  expression: Expression,
  member: string | undefined,
  group: Group,
): Expression {
  if (member === undefined || !isAccessor(group, member)) return expression
  if (expression.kind === 'name') return { ...expression, path: [...expression.path, member] }
  if (expression.kind !== 'choice') return expression
  return { ...expression, parts: expression.parts.map((part) => withAccessor(part, member, group)) }
}

/** Whether a path means the name of the enum member at an index: `NEW_UI` in `Flag.NEW_UI.name`. */
export function isNameWanted(group: Group, path: readonly string[], index: number): boolean {
  // The SDK for Rust takes the member itself.
  if (group === 'rust') return index === path.length - 1
  return index === path.length - 2 && isAccessor(group, path[index + 1] ?? '')
}

/** The name of the enum member that is declared at a token, which serves as its value. */
export function bareMemberAt(tokens: Tokens, index: number): Expression | undefined {
  const { group } = tokens
  if (group !== 'rust' && ACCESSORS[group] === undefined) return undefined
  if (tokens.textOf(tokens.parentOf(index)) !== '{') return undefined
  const keyword = declarationOf(tokens, index)
  if (keyword === undefined || !isEnum(tokens, keyword + 1)) return undefined
  if (group === 'dart' && hasOwnName(tokens, tokens.textOf(keyword + 1))) return undefined
  const isDeclared =
    group === 'swift' || group === 'php' ? isCase(tokens, index) : isListed(tokens, index)
  return isDeclared ? wordLiteral(tokens, index) : undefined
}

/** Whether an extension of an enum of Dart defines `name`, so that it is not that of the member. */
function hasOwnName({ text }: Tokens, type: string): boolean {
  const extension = text.search(new RegExp(`\\bextension\\b[^{};]{0,100}\\bon\\s+${type}\\b`))
  return extension !== -1 && /\bget\s+name\b/.test(text.slice(extension))
}

/** Whether a token is an enum member in a list: `OLD, @Deprecated NEW_UI(true);`, `[Old] NewUi = 2`. */
function isListed(tokens: Tokens, index: number): boolean {
  const before = tokens.textOf(index - 1)
  // An attribute of Rust may rename the member.
  const isFirst = tokens.group === 'rust' ? /^[{,]$/ : /^[{,\])]$/
  if (!isFirst.test(before) && tokens.textOf(index - 2) !== '@') return false
  const next = tokens.textOf(index + 1)
  if (next === '=') return tokens.group === 'cs' && tokens.kinds[index + 2] !== STRING
  return /^[,;}{(]?$/.test(next)
}

/** Whether a token is an enum member without a value: `case old, newUi` of Swift, `case NewUi;` of PHP. */
function isCase(tokens: Tokens, index: number): boolean {
  const isEnd = tokens.isNewLine(index + 1) || /^[,;}]?$/.test(tokens.textOf(index + 1))
  return isEnd && /^(?:case|,)$/.test(tokens.textOf(index - 1))
}

/** Keywords of declarations that can have members. */
const OWNER =
  /^(?:const|let|var|val|class|enum|object|struct|module|namespace|interface|trait|record|extension|type|defmodule|protocol|impl|mixin|union|readonly)$/

/** The name of what declares the block that a token is in. */
export function ownerOf(tokens: Tokens, index: number): string | undefined {
  if (hasIndentedBlocks(tokens.group)) return outerClass(tokens, index)
  const keyword = declarationOf(tokens, index)
  return keyword === undefined ? undefined : tokens.ownWord(keyword + 1)
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
    if (OWNER.test(text) && tokens.kinds[at + 1] === WORD) return at
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
