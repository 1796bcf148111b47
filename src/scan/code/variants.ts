import type { Group } from '../lexer/languages.ts'
import { CLOSE, isNewLine, parentOf, STRING, textOf, type Tokens } from '../lexer/tokens.ts'
import { type Expression, literalOf } from './expressions.ts'
import { declarationOf } from './owners.ts'

// What makes a text of a variant, which is its name.
const ACCESSORS: Partial<Record<Group, string>> = {
  cs: 'ToString',
  dart: 'name',
  jvm: 'name',
  php: 'name',
  swift: 'rawValue',
}

/** Whether a member is what makes a text of a variant: `Flag.NEW_UI.name`. */
export function isAccessor(group: Group, member: string | undefined): boolean {
  return member !== undefined && ACCESSORS[group] === member
}

/** Whether the word at an index of a name stands for its own text, if it is a variant. */
export function isOwnName(group: Group, path: readonly string[], index: number): boolean {
  // The SDK takes the variant itself.
  if (group === 'rust') return index === path.length - 1
  return index === path.length - 2 && isAccessor(group, path[index + 1])
}

/** Whether each variant of a type has its text from the declaration, not from what uses it. */
export function hasOwnText(group: Group): boolean {
  return group === 'rust' || group === 'swift'
}

/** The text of a variant of an enumeration that is declared at a token without another value. */
export function variantAt(tokens: Tokens, index: number): Literal | undefined {
  const { group } = tokens.language
  if (group !== 'rust' && ACCESSORS[group] === undefined) return undefined
  if (textOf(tokens, parentOf(tokens, index) ?? -1) !== '{') return undefined
  const keyword = declarationOf(tokens, index)
  if (keyword === undefined) return undefined
  if (textOf(tokens, keyword) !== 'enum' && textOf(tokens, keyword - 1) !== 'enum') return undefined
  if (group === 'rust') return variantOfRust(tokens, index, keyword)
  const isDeclared =
    group === 'swift' || group === 'php'
      ? isCase(tokens, index) && (group === 'php' || isOfStrings(tokens, index, keyword))
      : isListed(tokens, index)
  return isDeclared ? ownText(tokens, index) : undefined
}

type Literal = Extract<Expression, { kind: 'literal' }>

function ownText(tokens: Tokens, index: number): Literal {
  return { kind: 'literal', value: textOf(tokens, index), offset: tokens.starts[index] ?? 0 }
}

/** Whether a token is a variant in a list: `OLD, @Deprecated NEW_UI(true);`, `[Old] NewUi = 2`. */
function isListed(tokens: Tokens, index: number): boolean {
  const before = textOf(tokens, index - 1)
  const isFirst = /^[{,\])]$/.test(before) || textOf(tokens, index - 2) === '@'
  if (!isFirst) return false
  const next = textOf(tokens, index + 1)
  if (next === '=') return tokens.language.group === 'cs' && tokens.kinds[index + 2] !== STRING
  return /^[,;}{(]?$/.test(next)
}

/** Whether a token is a variant without a value: `case old, newUi` of Swift, `case NewUi;` of PHP. */
function isCase(tokens: Tokens, index: number): boolean {
  const isEnd = isNewLine(tokens, index + 1) || /^[,;}]?$/.test(textOf(tokens, index + 1))
  return isEnd && /^(?:case|,)$/.test(textOf(tokens, index - 1))
}

/** Whether an enumeration of Swift has values that are strings. */
function isOfStrings(tokens: Tokens, index: number, keyword: number): boolean {
  const opening = parentOf(tokens, index) ?? 0
  for (let at = keyword; at < opening; at++) if (textOf(tokens, at) === 'String') return true
  return false
}

/**
 * A variant of an enumeration of flags in Rust, with the name that serde writes. The SDK demands that
 * such enumerations derive `Enum`.
 */
function variantOfRust(tokens: Tokens, index: number, keyword: number): Literal | undefined {
  if (!/^[,}]$/.test(textOf(tokens, index + 1))) return undefined
  const ofType = attributesBefore(tokens, startOfType(tokens, keyword))
  if (!ofType.some((at) => textOf(tokens, at) === 'Enum')) return undefined
  const rename = settingIn(tokens, attributesBefore(tokens, index), 'rename')
  if (rename) return { kind: 'literal', ...rename }
  const rule = settingIn(tokens, ofType, 'rename_all')
  const own = ownText(tokens, index)
  const value = rule ? RULES.get(rule.value)?.(own.value) : own.value
  return value === undefined ? undefined : { ...own, value }
}

const snake = (name: string) => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()

// How serde renames all variants.
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
  const before = tokens.kinds[keyword - 1] === CLOSE ? tokens.pairs[keyword - 1] : keyword
  return textOf(tokens, (before ?? keyword) - 1) === 'pub' ? (before ?? keyword) - 1 : keyword
}

// More tokens than the attributes of a type have.
const MAX_ATTRIBUTES = 200

/** The tokens in the attributes before a token: `#[serde(rename = "x")]`. */
function attributesBefore(tokens: Tokens, index: number): number[] {
  const found: number[] = []
  let end = index - 1
  while (textOf(tokens, end) === ']') {
    const opening = tokens.pairs[end] ?? 0
    if (textOf(tokens, opening - 1) !== '#' || index - opening > MAX_ATTRIBUTES) break
    for (let at = opening + 1; at < end; at++) found.push(at)
    end = opening - 2
  }
  return found
}

/** The text of a setting in attributes: `rename = "x"`. */
function settingIn(tokens: Tokens, attributes: readonly number[], name: string) {
  const at = attributes.find(
    (index) => textOf(tokens, index) === name && textOf(tokens, index + 1) === '=',
  )
  return at === undefined ? undefined : literalOf(tokens, at + 2)
}
