import type { Group } from '../lexer/languages.ts'
import { CLOSE, STRING, type Tokens } from '../lexer/tokens.ts'
import { type Expression, type Literal, literalOf, wordLiteral } from './literals.ts'
import { declarationOf, isEnum } from './owners.ts'

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

/** Whether the declaration of an enum decides the texts of its members, however they are used. */
export function hasFixedTexts(group: Group): boolean {
  return group === 'rust' || group === 'swift'
}

// More tokens than the functions of an enum of flags have.
const MAX_FUNCTIONS = 200

/**
 * Whether a function of the enum around a token returns the names of its members:
 * `override fun key() = name`, `return name();`.
 */
export function returnsOwnNames(tokens: Tokens, index: number): boolean {
  if (tokens.group !== 'jvm') return false
  const opening = tokens.parentOf(index)
  const closing = tokens.pairOf(opening)
  for (let at = closing - 1; at > Math.max(opening, closing - MAX_FUNCTIONS); at--) {
    if (tokens.textOf(at) !== 'name' || !/^(?:=|return|\.)$/.test(tokens.textOf(at - 1))) continue
    // `this.name = name;` of Java assigns a field.
    if (tokens.textOf(at + 1) === '(') return true
    if (tokens.textOf(at - 1) === '=' && (tokens.isNewLine(at + 1) || at + 1 === closing))
      return true
  }
  return false
}

/** The name of the enum member that is declared at a token, which serves as its value. */
export function bareMemberAt(tokens: Tokens, index: number): Literal | undefined {
  const { group } = tokens
  if (group !== 'rust' && ACCESSORS[group] === undefined) return undefined
  if (tokens.textOf(tokens.parentOf(index)) !== '{') return undefined
  const keyword = declarationOf(tokens, index)
  if (keyword === undefined || !isEnum(tokens, keyword + 1)) return undefined
  if (group === 'rust') return memberOfRust(tokens, index, keyword)
  if (group === 'dart' && hasOwnName(tokens, tokens.textOf(keyword + 1))) return undefined
  const isDeclared =
    group === 'swift' || group === 'php'
      ? isCase(tokens, index) && (group === 'php' || isOfStrings(tokens, index, keyword))
      : isListed(tokens, index)
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
  const isFirst = /^[{,\])]$/.test(before) || tokens.textOf(index - 2) === '@'
  if (!isFirst) return false
  const next = tokens.textOf(index + 1)
  if (next === '=') return tokens.group === 'cs' && tokens.kinds[index + 2] !== STRING
  return /^[,;}{(]?$/.test(next)
}

/** Whether a token is an enum member without a value: `case old, newUi` of Swift, `case NewUi;` of PHP. */
function isCase(tokens: Tokens, index: number): boolean {
  const isEnd = tokens.isNewLine(index + 1) || /^[,;}]?$/.test(tokens.textOf(index + 1))
  return isEnd && /^(?:case|,)$/.test(tokens.textOf(index - 1))
}

/** Whether the members of an enum of Swift are strings. */
function isOfStrings(tokens: Tokens, index: number, keyword: number): boolean {
  const opening = tokens.parentOf(index)
  for (let at = keyword; at < opening; at++) if (tokens.textOf(at) === 'String') return true
  return false
}

/** A member of an enum of Rust, by its name for serde. The SDK takes only enums that derive `Enum`. */
function memberOfRust(tokens: Tokens, index: number, keyword: number): Literal | undefined {
  if (!/^[,}]$/.test(tokens.textOf(index + 1))) return undefined
  const ofType = attributesBefore(tokens, startOfType(tokens, keyword))
  if (!ofType.some((at) => tokens.textOf(at) === 'Enum')) return undefined
  const rename = settingIn(tokens, attributesBefore(tokens, index), 'rename')
  if (rename) return rename
  const rule = settingIn(tokens, ofType, 'rename_all')
  const own = wordLiteral(tokens, index)
  const value = rule ? RULES.get(rule.value)?.(own.value) : own.value
  return value === undefined ? undefined : { ...own, value }
}

const snake = (name: string) => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()

// The rules of serde for all members of an enum.
const RULES = new Map<string, (name: string) => string>([
  ['PascalCase', (name) => name],
  ['camelCase', (name) => name.charAt(0).toLowerCase() + name.slice(1)],
  ['lowercase', (name) => name.toLowerCase()],
  ['UPPERCASE', (name) => name.toUpperCase()],
  ['snake_case', snake],
  ['SCREAMING_SNAKE_CASE', (name) => snake(name).toUpperCase()],
  ['kebab-case', (name) => snake(name).replaceAll('_', '-')],
  ['SCREAMING-KEBAB-CASE', (name) => snake(name).toUpperCase().replaceAll('_', '-')],
])

/** Where a declaration begins, with its visibility: `pub(crate) enum`. */
function startOfType(tokens: Tokens, keyword: number): number {
  const { kinds, pairs } = tokens
  const start = kinds[keyword - 1] === CLOSE ? (pairs[keyword - 1] ?? keyword) : keyword
  return tokens.textOf(start - 1) === 'pub' ? start - 1 : keyword
}

// More tokens than the attributes of a type have.
const MAX_ATTRIBUTES = 200

/** The tokens in the attributes before a token: `#[serde(rename = "x")]`. */
function attributesBefore(tokens: Tokens, index: number): number[] {
  const found: number[] = []
  let end = index - 1
  while (tokens.textOf(end) === ']') {
    const opening = tokens.pairOf(end)
    if (tokens.textOf(opening - 1) !== '#' || index - opening > MAX_ATTRIBUTES) break
    for (let at = opening + 1; at < end; at++) found.push(at)
    end = opening - 2
  }
  return found
}

/** The text of a setting in attributes: `rename = "x"`. */
function settingIn(tokens: Tokens, attributes: readonly number[], name: string) {
  const at = attributes.find(
    (index) => tokens.textOf(index) === name && tokens.textOf(index + 1) === '=',
  )
  return at === undefined ? undefined : literalOf(tokens, at + 2)
}
