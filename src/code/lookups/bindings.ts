import { isLegalName } from '../../input/flag-names.ts'
import { parseExpression } from './expressions.ts'
import { type Expression, literalOf } from './literals.ts'
import { ownerOf } from './owners.ts'
import { bareMemberAt, returnsOwnNames } from './enums.ts'
import { ownCopy } from '../positions.ts'
import { type Group, hasIndentedBlocks } from '../lexer/languages.ts'
import { valueAt } from './values.ts'
import { OPEN, STRING, type Tokens, WORD } from '../lexer/tokens.ts'

/**
 * How a name gets a value.
 * - `assigned`: a variable or a constant: `NAME = 'x'`.
 * - `member`: of an object, a map or an enumeration: `NAME: 'x'`, `NAME("x")`.
 * - `branch`: a value for a member: `Flag.NAME -> "x"`, `case NAME: return "x"`.
 * - `bare`: a member of an enum without another value than its name: `enum Flag { NAME }`.
 */
type BindingKind = 'assigned' | 'member' | 'branch' | 'bare'

/** A place where source code gives a name a value. */
export interface Binding {
  name: string
  kind: BindingKind
  /** Undefined when it is not an expression whose value can be known. */
  value: Expression | undefined
  /** The class, enumeration or object that declares it. */
  owner: string | undefined
  file: string
  group: Group
  offset: number
}

const DECLARING =
  /^(?:const|constexpr|let|var|val|final|static|readonly|case|local|my|our|lateinit|export|public|private|protected|internal|open|override|define|lazy|pub)$/
// Words that can precede a use of a name; any other word declares it.
const USING =
  /^(?:return|await|yield|throw|raise|new|typeof|delete|in|of|case|else|do|if|elif|elsif|unless|while|until|when|and|or|not|is|then|assert|puts|print|echo|go|defer|try|with|match|from|guard|as|import|export|default|using|use|require|package|extends|implements|instanceof|satisfies|keyof|where|for|to)$/
const SELF = /^(?:this|self|Self|static|cls)$/

/** The binding of a name at a token; undefined when the token only uses the name. */
export function bindingAt(tokens: Tokens, index: number): Binding | undefined {
  const found = kindAt(tokens, index)
  if (!found) return undefined
  const owner = found.value && ownerOf(tokens, index)
  return {
    name: tokens.ownWord(index),
    owner: owner && ownCopy(owner),
    file: tokens.file,
    group: tokens.group,
    offset: tokens.startOf(index),
    ...found,
  }
}

type Found = Pick<Binding, 'kind' | 'value'>

function assigned(value: Expression | undefined): Found {
  return { kind: 'assigned', value }
}

function kindAt(tokens: Tokens, index: number): Found | undefined {
  const bare = bareMemberAt(tokens, index)
  if (!bare) return otherKindAt(tokens, index)
  // An argument can be the value: `NEW_UI("new-ui")`.
  const constant = tokens.textOf(index + 1) === '(' ? enumConstant(tokens, index) : undefined
  return constant ?? { kind: returnsOwnNames(tokens, index) ? 'member' : 'bare', value: bare }
}

function otherKindAt(tokens: Tokens, index: number): Found | undefined {
  const next = tokens.textOf(index + 1)
  const before = tokens.textOf(index - 1)
  const isMember = tokens.isAccess(index - 1) && !SELF.test(tokens.textOf(index - 2))
  if (before === '@' && tokens.group === 'elixir') return otherBinding(tokens, index)
  switch (next) {
    case '=':
    case ':=':
      return assignment(tokens, index, isMember)
    case ':':
      return annotated(tokens, index, isMember)
    case '(':
      if (before === 'def' && tokens.group === 'python') return property(tokens, index)
      return isMember ? undefined : enumConstant(tokens, index)
    case '=>':
    case '->':
      return branch(tokens, index, index + 2, isMember)
    case 'to':
      return branch(tokens, index, index + 2, true)
    default:
      return isMember ? undefined : otherBinding(tokens, index)
  }
}

/** Whether a token is on the level of the arguments or the parameters of a function. */
function isInList(tokens: Tokens, index: number): boolean {
  const opening = tokens.parentOf(index)
  if (tokens.textOf(opening) !== '(') return false
  // In Go, one keyword can precede several declarations in brackets.
  return !/^(?:const|var)$/.test(tokens.textOf(opening - 1))
}

function assignment(tokens: Tokens, index: number, isMember: boolean): Found | undefined {
  const value = valueAt(tokens, index + 2)
  const before = tokens.textOf(index - 1)
  // `object.NAME = 'x'` defines a member; `object.name = value` changes another object.
  if (isMember) return value?.kind === 'literal' ? { kind: 'member', value } : undefined
  if (isAttribute(tokens, index) || isInList(tokens, index)) return undefined
  if (isPattern(tokens, index)) return assigned(undefined)
  return { kind: before === 'case' ? 'member' : 'assigned', value }
}

/** Whether `name="x"` is an attribute of a component. */
function isAttribute({ group, starts, ends, kinds }: Tokens, index: number): boolean {
  const kind = kinds[index + 2]
  const isTight = starts[index + 1] === ends[index] && starts[index + 2] === ends[index + 1]
  return group === 'js' && isTight && (kind === STRING || kind === OPEN)
}

/** Whether a name is in a pattern that takes an object or a list apart. */
export function isPattern(tokens: Tokens, index: number): boolean {
  if (tokens.group !== 'js') return false
  const opening = tokens.parentOf(index)
  if (tokens.textOf(opening) === '(') return false
  const closing = tokens.pairOf(opening)
  return closing > index && tokens.textOf(closing + 1) === '=' && tokens.textOf(closing + 2) !== '='
}

// More tokens than a type has.
const MAX_TYPE = 30

/** A member `NAME: 'x'`, or a declaration with a type `NAME: Type = 'x'`. */
function annotated(tokens: Tokens, index: number, isMember: boolean): Found | undefined {
  const before = tokens.textOf(index - 1)
  if (before === '?' || before === '?:') return undefined
  const start = isMember ? [index - 2, index - 3] : [index - 1]
  if (start.some((at) => tokens.textOf(at) === 'case')) {
    const from = tokens.textOf(index + 2) === 'return' ? index + 3 : index + 2
    return branch(tokens, index, from, true)
  }
  if (isMember || isInList(tokens, index)) return undefined
  const type = { from: index + 2, to: Math.min(index + MAX_TYPE, tokens.expressionEnd(index + 2)) }
  const equals = tokens.find(type, (at) => tokens.textOf(at) === '=')
  if (equals !== -1) return assigned(valueAt(tokens, equals + 1))
  // A property of Kotlin: `val NAME: String get() = "x"` is not read.
  if (DECLARING.test(before)) return assigned(undefined)
  const value = valueAt(tokens, index + 2)
  return value && isText(value) ? { kind: 'member', value } : undefined
}

/** Whether an expression is a text, because the other keys of maps are not constants. */
function isText(value: Expression): boolean {
  return value.kind === 'literal' || ('parts' in value && value.parts.every(isText))
}

/** The text that a property of Python returns: `@property def name(self): return "x"`. */
function property(tokens: Tokens, index: number): Found | undefined {
  const at = tokens.find(
    { from: index, to: Math.min(index + MAX_TYPE, tokens.kinds.length) },
    (one) => tokens.textOf(one) === 'return',
  )
  const isProperty = /^(?:cached_)?property$/.test(tokens.textOf(index - 2))
  const isFirst = at !== -1 && tokens.isNewLine(at) && tokens.textOf(at - 1) === ':'
  const value = isProperty && isFirst ? literalOf(tokens, at + 1) : undefined
  return value && tokens.isNewLine(at + 2) ? { kind: 'member', value } : undefined
}

/** A constant of an enumeration: `NAME("x")`, `NAME("x", other)`. */
function enumConstant(tokens: Tokens, index: number): Found | undefined {
  const { group } = tokens
  if (group !== 'jvm' && group !== 'dart') return undefined
  const list = tokens.inside(index + 1)
  const before = tokens.textOf(index - 1)
  if (!list || !/^[{,;)]?$/.test(before) || !/^[,;}{]?$/.test(tokens.textOf(list.to + 1)))
    return undefined
  if (tokens.textOf(tokens.parentOf(index)) !== '{') return undefined
  for (const part of tokens.splitAtCommas(list)) {
    const from = tokens.textOf(part.from + 1) === '=' ? part.from + 2 : part.from
    const value = parseExpression(tokens, { from, to: part.to })
    if (value.kind === 'literal' && isLegalName(value.value)) return { kind: 'member', value }
  }
  return undefined
}

function branch(tokens: Tokens, index: number, from: number, isMember: boolean): Found | undefined {
  const start = tokens.textOf(from) === '{' ? from + 1 : from
  const at = tokens.textOf(start) === 'return' ? start + 1 : from
  const value = literalOf(tokens, at)
  const isWhole = tokens.isNewLine(at + 1) || /^[,;)}\]]?$/.test(tokens.textOf(at + 1))
  if (value && isWhole) {
    // `NAME => 'x'` of PHP and Ruby is a member of a map.
    const isMap = tokens.textOf(index + 1) === '=>' && /^(?:php|ruby)$/.test(tokens.group)
    return { kind: isMap ? 'member' : 'branch', value }
  }
  // The parameter of a lambda.
  const isParameter = !isMember && /^[{(,=]$/.test(tokens.textOf(index - 1))
  return isParameter ? assigned(undefined) : undefined
}

/** `#define NAME "x"`, `@name "x"` of Elixir, `NAME Type = "x"` of Go, and declarations without a value. */
function otherBinding(tokens: Tokens, index: number): Found | undefined {
  const { group } = tokens
  const next = tokens.textOf(index + 1)
  const before = tokens.textOf(index - 1)
  const isBare = tokens.kinds[index + 1] === STRING || next === ':'
  if (isBare && (before === 'define' || (before === '@' && group === 'elixir'))) {
    return assigned(valueAt(tokens, index + 1))
  }
  if (before === 'as' && isImported(tokens, index)) return assigned(nameAt(tokens, [index - 2]))
  if (/^[,}]$/.test(next) && isPattern(tokens, index)) return assigned(memberTaken(tokens, index))
  if (/^(?:of|in)$/.test(next) && /^(?:const|let|var|for|\(|,)$/.test(before)) {
    return assigned(undefined)
  }
  if (tokens.kinds[index + 1] === WORD && group === 'go' && !tokens.isNewLine(index + 1)) {
    const equals = [index + 2, index + 4].find((at) => tokens.textOf(at) === '=')
    if (equals !== undefined && !isInList(tokens, index)) {
      return assigned(valueAt(tokens, equals + 1))
    }
  }
  // The parameter of a block of Ruby, the loop of Kotlin.
  if (before === '|' || (before === ',' && next === '|')) return assigned(undefined)
  if (hasIndentedBlocks(group) || !/^(?:[;,)=:]?|in)$/.test(next)) return undefined
  const isDeclared =
    tokens.kinds[index - 1] === WORD && !tokens.isNewLine(index) && !USING.test(before)
  // In Go, `f(x, y)` has arguments.
  const isArgument = group === 'go' && isInList(tokens, index)
  return isDeclared && !isArgument ? assigned(undefined) : undefined
}

// More tokens than the line of an import has.
const MAX_IMPORT = 100

/** Whether a name is in an import: `import { NEW_UI as FLAG }`, `from flags import NEW_UI as FLAG`. */
function isImported(tokens: Tokens, index: number): boolean {
  const opening = tokens.parentOf(index)
  let at = opening === -1 ? index : opening
  const limit = Math.max(0, at - MAX_IMPORT)
  while (at > limit && !tokens.isNewLine(at)) at--
  return /^(?:import|from|use)$/.test(tokens.textOf(at))
}

/** `Flags.newUi` in `const { newUi } = Flags`; undefined for an object that is not a constant. */
function memberTaken(tokens: Tokens, index: number): Expression | undefined {
  const source = tokens.pairOf(tokens.parentOf(index)) + 2
  const isWhole = tokens.expressionEnd(source) === source + 1
  return isWhole && /^[A-Z]/.test(tokens.textOf(source))
    ? nameAt(tokens, [source, index])
    : undefined
}

function nameAt(tokens: Tokens, words: readonly number[]): Expression {
  return { kind: 'name', path: words.map((index) => tokens.ownWord(index)) }
}
