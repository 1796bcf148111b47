import { isLegalName } from '../../input/flag-names.ts'
import { OPEN, STRING, type Tokens, WORD } from '../lexer/tokens.ts'
import { ownCopy } from '../files/positions.ts'
import { caseAt, textsReturnedBy } from './cases.ts'
import { type Expression, literalOf, parseExpression, wordLiteral } from './expressions.ts'
import { declarationOf, isEnum, ownerOf } from './owners.ts'

/** A place where source code gives a name a value. */
export interface Binding {
  name: string
  /**
   * - `assigned`: a variable or a constant: `NAME = 'x'`.
   * - `member`: of an object, a map or an enumeration: `NAME: 'x'`, `NAME("x")`.
   */
  kind: 'assigned' | 'member'
  /** Undefined when it is not an expression whose value can be known. */
  value: Expression | undefined
  /** The class, enumeration or object that declares it. */
  owner: string | undefined
  /** The function or property that has the value for the member in a table, not the member itself. */
  property?: string | undefined
  file: string
}

type Bound = Pick<Binding, 'kind' | 'value'>

// Words that can precede a use of a name; any other word declares it.
const USING =
  /^(?:return|await|yield|throw|raise|new|typeof|delete|in|of|case|else|do|if|elif|elsif|unless|while|until|when|and|or|not|is|then|assert|puts|print|echo|go|defer|try|with|match|from|guard|as|import|export|default|using|use|require|package|extends|implements|instanceof|satisfies|keyof|where|for|to)$/
// The object of a method.
export const SELF = /^(?:this|self|Self|static|cls)$/

/** The binding of a name, or of a key that is a text, at a token; undefined when the token only uses the name. */
export function bindingAt(tokens: Tokens, index: number): Binding | undefined {
  const { file } = tokens
  const name = ownCopy(tokens.nameOf(index))
  const inTable = caseAt(tokens, index)
  if (inTable) return { name, kind: 'member', file, ...inTable }
  const texts = textsReturnedBy(tokens, index)
  // The result of a function has the name of its call.
  if (texts) return { name: `${name}()`, kind: 'assigned', value: texts, owner: undefined, file }
  const bound = kindAt(tokens, index)
  if (!bound) return undefined
  const owner = bound.value && ownerOf(tokens, index)
  return { name, owner, file, ...bound }
}

function assigned(value: Expression | undefined): Bound {
  return { kind: 'assigned', value }
}

function kindAt(tokens: Tokens, index: number): Bound | undefined {
  const isMember = tokens.isAccess(index - 1) && !SELF.test(tokens.textOf(index - 2))
  switch (tokens.textOf(index + 1)) {
    case '=':
    case ':=':
      return assignment(tokens, index, isMember)
    case ':':
      return annotated(tokens, index, isMember)
    case '(':
      return isMember ? undefined : enumConstant(tokens, index)
    case '=>':
    case '->':
      return isMember ? undefined : arrow(tokens, index)
    default:
      if (isMember) return undefined
      return (
        namedConstant(tokens, index) ?? renamedConstant(tokens, index) ?? declaration(tokens, index)
      )
  }
}

/** Whether a token is on the level of the arguments or the parameters of a function. */
function isInList(tokens: Tokens, index: number): boolean {
  const opening = tokens.parentOf(index)
  // One keyword can precede several declarations in brackets.
  return tokens.textOf(opening) === '(' && !/^(?:const|var)$/.test(tokens.textOf(opening - 1))
}

function assignment(tokens: Tokens, index: number, isMember: boolean): Bound | undefined {
  const value = valueAt(tokens, index + 2)
  // `object.NAME = 'x'` defines a member; `object.name = value` changes another object.
  if (isMember) return value?.kind === 'literal' ? { kind: 'member', value } : undefined
  if (isAttribute(tokens, index) || isType(tokens, index) || isInList(tokens, index)) {
    return undefined
  }
  if (isPattern(tokens, index)) return assigned(undefined)
  return { kind: tokens.textOf(index - 1) === 'case' ? 'member' : 'assigned', value }
}

// Precede the name of a constant.
const DECLARING = /^(?:const|let|var|static|readonly|public|private|protected)$/

/** Whether `name="x"` is an attribute of a component. */
function isAttribute(tokens: Tokens, index: number): boolean {
  const { language, starts, ends, kinds } = tokens
  const before = tokens.textOf(index - 1)
  // After the name of the component, another attribute, or its type.
  const isInTag = kinds[index - 1] === WORD || kinds[index - 1] === STRING || /^[}>]$/.test(before)
  if (!isInTag || DECLARING.test(before)) return false
  const kind = kinds[index + 2]
  const isTight = starts[index + 1] === ends[index] && starts[index + 2] === ends[index + 1]
  return language.hasAttributes === true && isTight && (kind === STRING || kind === OPEN)
}

/** Whether a word is the type of a constant: `JobQueue` in `Slow JobQueue = iota`. */
function isType(tokens: Tokens, index: number): boolean {
  const isAfterWord = tokens.kinds[index - 1] === WORD && !tokens.isNewLine(index)
  const before = tokens.textOf(index - 1)
  return (
    tokens.language.hasTypesAfterNames === true && isAfterWord && !/^(?:var|const)$/.test(before)
  )
}

/** Whether a name is in a pattern that takes an object or a list apart. */
function isPattern(tokens: Tokens, index: number): boolean {
  const opening = tokens.parentOf(index)
  if (!tokens.language.hasPatterns || tokens.textOf(opening) === '(') return false
  const closing = tokens.pairOf(opening)
  return closing > index && tokens.textOf(closing + 1) === '='
}

// More tokens than a type has.
const MAX_TYPE = 30

/** A member `NAME: 'x'`, or a declaration with a type `NAME: Type = 'x'`. */
function annotated(tokens: Tokens, index: number, isMember: boolean): Bound | undefined {
  // `a ? NAME : b`, `case NAME:`
  const isOther = /^(?:\?|\?:|case)$/.test(tokens.textOf(index - 1))
  if (isOther || isMember || isInList(tokens, index)) return undefined
  const type = { from: index + 2, to: Math.min(index + MAX_TYPE, tokens.expressionEnd(index + 2)) }
  const equals = tokens.find(type, (at) => tokens.textOf(at) === '=')
  if (equals !== -1) return assigned(valueAt(tokens, equals + 1))
  if (/^(?:const|let|var|val|final)$/.test(tokens.textOf(index - 1))) return assigned(undefined)
  const value = valueAt(tokens, index + 2)
  return value && isText(value) ? { kind: 'member', value } : undefined
}

/** Whether an expression is a text, because the other keys of maps are not constants. */
function isText(value: Expression): boolean {
  return value.kind === 'literal' || ('parts' in value && value.parts.every(isText))
}

/** A constant of an enumeration: `NAME("x")`, `NAME("x", other)`. */
function enumConstant(tokens: Tokens, index: number): Bound | undefined {
  if (!tokens.language.hasEnumArguments) return undefined
  const closing = tokens.pairOf(index + 1)
  const isListed =
    /^[{,;)]?$/.test(tokens.textOf(index - 1)) && /^[,;}{]?$/.test(tokens.textOf(closing + 1))
  if (!isListed || tokens.textOf(tokens.parentOf(index)) !== '{') return undefined
  for (const part of tokens.itemsIn(index + 1)) {
    const from = tokens.textOf(part.from + 1) === '=' ? part.from + 2 : part.from
    const value = parseExpression(tokens, { from, to: part.to })
    if (value.kind === 'literal' && isLegalName(value.value)) return { kind: 'member', value }
  }
  return undefined
}

/** A constant of an enumeration that has its name as a value: `enum class Flag { NewUi; fun key() = name }`. */
function namedConstant(tokens: Tokens, index: number): Bound | undefined {
  const keyword = tokens.language.hasEnumArguments ? declarationOf(tokens, index) : undefined
  if (keyword === undefined || !isEnum(tokens, keyword + 1)) return undefined
  const block = tokens.inside(tokens.parentOf(index))
  const isName = (at: number) => tokens.textOf(at) === '=' && tokens.textOf(at + 1) === 'name'
  if (!block || tokens.find(block, isName) === -1) return undefined
  return { kind: 'member', value: wordLiteral(tokens, index) }
}

/** A constant of an enumeration whose text is in an attribute, as in Rust: `#[serde(rename = "x")] NewUi`. */
function renamedConstant(tokens: Tokens, index: number): Bound | undefined {
  if (tokens.textOf(index - 1) !== ']') return undefined
  for (const { from, to } of tokens.itemsIn(tokens.pairOf(index - 1) + 2)) {
    const value = literalOf(tokens, to - 1)
    if (value && tokens.textOf(from) === 'rename') return { kind: 'member', value }
  }
  return undefined
}

/** A member of a map, `NAME => 'x'`, or the parameter of a lambda. */
function arrow(tokens: Tokens, index: number): Bound | undefined {
  const value = tokens.language.hasArrowMaps ? literalOf(tokens, index + 2) : undefined
  if (value) return { kind: 'member', value }
  return /^[{(,=]$/.test(tokens.textOf(index - 1)) ? assigned(undefined) : undefined
}

/** `NAME Type = "x"`, and declarations without a value. */
function declaration(tokens: Tokens, index: number): Bound | undefined {
  const { language, kinds } = tokens
  const next = tokens.textOf(index + 1)
  const before = tokens.textOf(index - 1)
  if (/^[,}]$/.test(next) && isPattern(tokens, index)) return assigned(undefined)
  if (/^(?:of|in)$/.test(next)) {
    return /^(?:const|let|var|for|\(|,)$/.test(before) ? assigned(undefined) : undefined
  }
  if (language.hasTypesAfterNames) {
    if (isInList(tokens, index)) return undefined
    const isTyped = kinds[index + 1] === WORD && !tokens.isNewLine(index + 1)
    const equals = [index + 2, index + 4].find((at) => isTyped && tokens.textOf(at) === '=')
    if (equals !== undefined) return assigned(valueAt(tokens, equals + 1))
  }
  if (language.hasIndentedBlocks || !/^[;,)=:]?$/.test(next)) return undefined
  const isDeclared = kinds[index - 1] === WORD && !tokens.isNewLine(index) && !USING.test(before)
  return isDeclared ? assigned(undefined) : undefined
}

/** The value that is assigned at a token; undefined when it cannot be known. */
function valueAt(tokens: Tokens, from: number): Expression | undefined {
  const to = tokens.expressionEnd(from)
  const value = parseExpression(tokens, { from, to })
  const isCall = value.kind === 'name' && value.path[0]?.endsWith('()')
  if (value.kind !== 'unknown' && !isCall) return value
  return flagObjectAt(tokens, from, to) ?? (isCall ? value : undefined)
}

// `FeatureFlag`, `ToggleName`, `NewFlag`
const FLAG_TYPE = /(?:^|[a-z])(?:Flag|Feature|Toggle)(?:Name|Key|Id|Definition)?$/
const FUNCTION = /^(?:[a-z]|(?:Is|Has|Get|Use|Check)[A-Z])/

/** Whether the objects of a type are flags, by its name. */
export function isFlagType(name: string): boolean {
  return FLAG_TYPE.test(name) && !FUNCTION.test(name)
}

const NAME = /^(?:name|key|id|flag|flagKey|Name|Key|ID|Id|Flag)$/

/** The name in a new object for a flag: `new Feature("x")`, `&Flag{Name: "x"}`: its name or key, else the first text. */
function flagObjectAt(tokens: Tokens, from: number, to: number): Expression | undefined {
  let at = from
  while (at < to && /^(?:&|new|const)$/.test(tokens.textOf(at))) at++
  while (at < to && tokens.isAccess(at + 1)) at += 2
  const isObject = isFlagType(tokens.textOf(at)) && tokens.pairs[at + 1] === to - 1
  if (!isObject) return undefined
  let first: Expression | undefined
  for (const { from: start, to: end } of tokens.itemsIn(at + 1)) {
    const isNamed = /^[:=]$/.test(tokens.textOf(start + 1))
    const literal = literalOf(tokens, end - 1)
    if (isNamed && literal && NAME.test(tokens.textOf(start))) return literal
    if (!isNamed && end === start + 1) first ??= literal
  }
  return first
}
