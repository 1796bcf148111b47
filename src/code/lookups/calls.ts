import { type Expression, literalOf, parseExpression, UNKNOWN, wordLiteral } from './expressions.ts'
import type { Lookup } from './lookup.ts'
import { type Range, STRING, type Tokens, WORD } from '../lexer/tokens.ts'

/** An expression that may have the name of a flag. */
export interface Argument {
  expression: Expression
  /** Where it begins. */
  offset: number
  /** Where the source text that shows it ends. */
  end: number
}

const LABEL = /^(?:(?:toggle|feature|flag)_?(?:[nN]ame|[kK]ey|[iI]d)|name|key|toggle|feature|flag)$/
const CONTEXT =
  /(?:^|\W|_|[a-z])(?:[cC]tx|[cC]ontext|[cC]lient)(?:\(\))?$|\b(?:Background|TODO)\(\)$|^c\.\w+\(\)$/
const LOGGER = /(?:[lL][oO][gG][gG](?:[eE][rR]|[iI][nN][gG])|^_?(?:log|LOG|Log)|[a-z_]Log)$/

/** The object that a method is called on; empty for a function. */
export function receiverOf(tokens: Tokens, index: number): string {
  if (!tokens.isAccess(index - 1)) return ''
  const at = tokens.textOf(index - 2) === ')' ? tokens.pairOf(index - 2) - 1 : index - 2
  return tokens.textOf(at).replace(/^[$@]/, '')
}

/** Whether a call is a lookup of a flag, not a function with the same name. */
function isFlagCall(tokens: Tokens, index: number, name: string, lookup: Lookup): boolean {
  const { sdk, owner } = lookup
  const receiver = receiverOf(tokens, index)
  if (owner !== undefined) return receiver === owner
  if (sdk === undefined) return true
  if (receiver === '' && tokens.language.calls.onlyMethods?.includes(name)) return false
  if (sdk === 'annotation') return tokens.textOf(index - 1) === '@'
  if (sdk === 'context') return receiver !== ''
  return !LOGGER.test(receiver)
}

/** The label of an argument and the tokens of its value. */
function labelled(tokens: Tokens, { from, to }: Range): { label?: string; value: Range } {
  const isLabel = tokens.kinds[from] === WORD || tokens.kinds[from] === STRING
  if (isLabel && to > from + 2 && /^(?::|=|=>)$/.test(tokens.textOf(from + 1))) {
    const label = literalOf(tokens, from)?.value ?? tokens.textOf(from)
    return { label, value: { from: from + 2, to } }
  }
  return { value: { from, to } }
}

/** The value of a property in an object or of a labelled argument; without a key, of a usual one for flags. */
function propertyIn(tokens: Tokens, parts: readonly Range[], key?: string): Range | undefined {
  const isKey = (label: string) => (key === undefined ? LABEL.test(label) : label === key)
  const all = parts.map((part) => labelled(tokens, part))
  return all.find(({ label }) => label !== undefined && isKey(label))?.value
}

/** The tokens of the argument that a lookup takes a name from; undefined when there is none. */
function argumentOf(tokens: Tokens, list: Range, lookup: Lookup): Range | undefined {
  const parts = tokens.splitAtCommas(list)
  const [first, second] = parts
  const { sdk, index, key } = lookup
  const byLabel = propertyIn(tokens, parts, key)
  if (byLabel) return byLabel
  if (index === undefined) return propertyOf(tokens, parts, lookup)
  if (sdk === 'context') return first && CONTEXT.test(tokens.textIn(first)) ? second : undefined
  const part = parts[index]
  return part && (propertyOf(tokens, [part], lookup) ?? labelled(tokens, part).value)
}

/** The value of the property with the name in an argument that is an object. */
function propertyOf(
  tokens: Tokens,
  parts: readonly Range[],
  { key, member = key }: Lookup,
): Range | undefined {
  for (const { from } of parts) {
    const properties = tokens.textOf(from) === '{' ? tokens.itemsIn(from) : []
    const value = propertyIn(tokens, properties, member)
    if (value) return value
  }
  return undefined
}

// More tokens than a tag has.
const MAX_TAG = 400

/** The tokens of the property of a component, `<IfOn id={X}>`; undefined when it has none. */
function attributeOf(tokens: Tokens, index: number, lookup: Lookup): Range | undefined {
  const key = lookup.member ?? lookup.key
  const isKey = (text: string) =>
    key === undefined ? /^(?:id|flagKey)$/.test(text) || LABEL.test(text) : text === key
  const rest = { from: index + 1, to: Math.min(tokens.kinds.length, index + MAX_TAG) }
  const to = tokens.find(rest, (at) => /^[<>;]$/.test(tokens.textOf(at)))
  // In markup, the mark belongs to the text.
  const isValue = (at: number) => tokens.textOf(at).startsWith('=') && isKey(tokens.textOf(at - 1))
  const mark = tokens.find({ ...rest, to }, isValue)
  if (mark === -1) return undefined
  const value = tokens.textOf(mark) === '=' ? mark + 1 : mark
  return tokens.inside(value) ?? { from: value, to: value + 1 }
}

const COMMAND_END = /^(?:do|then|and|or|if|unless|rescue|while|until|end|in|is|not)$/

// More tokens than the argument of a call without parentheses has.
const MAX_COMMAND = 40

/** The tokens of the first argument of a call without parentheses. */
function commandArgument(tokens: Tokens, index: number, lookup: Lookup): Range | undefined {
  const from = index + 1
  if (!tokens.language.hasCommands || tokens.isNewLine(from)) return undefined
  const isText = tokens.kinds[from] === STRING
  const isTight = tokens.starts[from] === tokens.ends[index]
  if ((isTight && !isText) || from >= tokens.kinds.length) return undefined
  const isSymbol = tokens.textOf(from) === ':' && tokens.starts[from + 1] === tokens.ends[from]
  const isName = tokens.kinds[from] === WORD && !COMMAND_END.test(tokens.textOf(from))
  if (!isSymbol && !isName && !isText) return undefined
  if ((lookup.index ?? 0) !== 0) return undefined
  let to = from + 1
  const limit = Math.min(tokens.kinds.length, from + MAX_COMMAND)
  while (to < limit && !tokens.isNewLine(to)) {
    const text = tokens.textOf(to)
    if (/^(?:[,;)\]{}?<>%]|&&|\|\||==|!=)$/.test(text) || COMMAND_END.test(text)) break
    to++
  }
  // The condition of `?:`.
  return tokens.textOf(to) === '?' && isName ? undefined : { from, to }
}

// More tokens than type arguments have.
const MAX_TYPES = 60

/** The index of the bracket that opens the arguments, past type arguments and `?.`. */
function openingAfter(tokens: Tokens, index: number): number | undefined {
  let at = index + 1
  if (/^(?:\?\.|::|!)$/.test(tokens.textOf(at))) at++
  if (tokens.textOf(at) === '<') {
    const limit = Math.min(tokens.kinds.length, at + MAX_TYPES)
    let depth = 0
    for (; at < limit; at++) {
      const text = tokens.textOf(at)
      if (/^[();=]$/.test(text)) return undefined
      if (text === '<') depth++
      else if (text === '>' && --depth === 0) break
    }
    at++
  }
  return tokens.textOf(at) !== '(' || tokens.isNewLine(at) ? undefined : at
}

// `any()` of mocks, as in `It.IsAny<string>()` and `mock.Anything`.
const MATCHER =
  /^(?:\w+\.)?(?:any(?:String|OrNull|NonNull|Object|Vararg|Named)?|[aA]nything|Any|IsAny|Is|isA|argThat|capture(?:Any)?)(?:<[\w<>?,. ]{0,99}>)?\(|^mock\.Anything\b/
// The parameters of a strategy, whose method is called like that of a client.
const MAP =
  /^(?:Map\.of|(?:mutable|hash|linked)?[mM]apOf|emptyMap|Collections\.\w+Map|ImmutableMap\.of|new (?:\w*HashMap|Map))\b|^\{|^(?:parameters|params|map)$/

// The argument of a logger that asks itself, as in .NET.
const LEVEL = /^(?:log)?level(?:\.\w+)?$/i

/** Whether an argument cannot be the name of a flag. */
function isOtherArgument(text: string): boolean {
  return MATCHER.test(text) || MAP.test(text) || LEVEL.test(text)
}

/** Whether a method of an object is passed on, which may get any name: `names.filter(unleash::isEnabled)`. */
function isReference(tokens: Tokens, index: number): boolean {
  const isOfObject = /^[a-z]/.test(receiverOf(tokens, index))
  return tokens.language.hasReferences === true && tokens.textOf(index - 1) === '::' && isOfObject
}

/** The argument with the flag in a call of a lookup; undefined if it is not one. */
export function lookupArgumentAt(
  tokens: Tokens,
  index: number,
  name: string,
  lookup: Lookup,
): Argument | undefined {
  const make = (range: Range | undefined, end = range?.to ?? 0): Argument | undefined => {
    if (!range || range.to <= range.from) return undefined
    const expression = parseExpression(tokens, range)
    return { expression, offset: tokens.startOf(range.from), end: tokens.endOf(end - 1) }
  }
  const mayBeTag = lookup.sdk === undefined || name === 'FeatureFlag'
  const attribute =
    mayBeTag && tokens.textOf(index - 1) === '<' && attributeOf(tokens, index, lookup)
  if (attribute) return make(attribute)
  if (!isFlagCall(tokens, index, name, lookup)) return undefined
  const opening = openingAfter(tokens, index)
  if (lookup.isReceiver) {
    const isCall = opening !== undefined && tokens.isAccess(index - 1)
    if (!isCall) return undefined
    return make({ from: tokens.startOfPath(index), to: index - 1 }, tokens.after(opening))
  }
  const unknown = (last: number): Argument => {
    return { expression: UNKNOWN, offset: tokens.startOf(index), end: tokens.endOf(last) }
  }
  if (opening === undefined) {
    if (isReference(tokens, index)) return unknown(index)
    return make(commandArgument(tokens, index, lookup))
  }
  const closing = tokens.pairOf(opening)
  if (lookup.sdk === 'all' || lookup.sdk === 'evaluation') {
    if (lookup.sdk === 'all' && closing !== opening + 1) return undefined
    return unknown(closing)
  }
  // The text may end within a call.
  const to = closing > opening ? closing : Math.min(tokens.kinds.length, opening + MAX_TYPES)
  const range = argumentOf(tokens, { from: opening + 1, to }, lookup)
  if (range && isOtherArgument(tokens.textIn(range))) return undefined
  return make(range, closing > opening ? closing + 1 : to)
}

const ACCESS = /^(?:\.|\?\.)$/

/**
 * The members that are read of an object, or of the result of a function, at its name:
 * `flags.x`, `flags?.['x']`, `useFlags().x`, `const { x } = useFlags()`.
 */
export function membersReadAt(tokens: Tokens, index: number): Argument[] {
  const { kinds } = tokens
  let at = tokens.textOf(index + 1) === '(' ? tokens.pairOf(index + 1) + 1 : index + 1
  if (at <= index) return []
  while (/^[!?]$/.test(tokens.textOf(at))) at++
  const isAccess = ACCESS.test(tokens.textOf(at))
  if (isAccess) at++
  if (tokens.textOf(at) === '[') {
    const range = tokens.inside(at)
    const isText = range && (kinds[range.from] === STRING || kinds[range.from] === WORD)
    if (!isText) return []
    const expression = parseExpression(tokens, range)
    return [{ expression, offset: tokens.startOf(range.from), end: tokens.endOf(range.to) }]
  }
  if (!isAccess) return membersTakenAt(tokens, index)
  const isMethod = tokens.textOf(at + 1) === '('
  // A sentence in a template may follow a full stop.
  const isNext = tokens.starts[at] === tokens.ends[at - 1]
  const isMember = kinds[at] === WORD && isNext && !isMethod
  return isMember ? [wordAt(tokens, at)] : []
}

function wordAt(tokens: Tokens, index: number): Argument {
  const expression = wordLiteral(tokens, index)
  return { expression, offset: expression.offset, end: tokens.endOf(index) }
}

/** The names in a pattern that an object is assigned to. */
function membersTakenAt(tokens: Tokens, index: number): Argument[] {
  let at = tokens.startOfPath(index) - 1
  if (tokens.textOf(at) === 'await') at--
  const opening = tokens.textOf(at) === '=' ? tokens.pairOf(at - 1) : -1
  const keys = tokens.textOf(opening) === '{' ? tokens.itemsIn(opening) : []
  const words = keys.filter(({ from }) => tokens.kinds[from] === WORD)
  return words.map(({ from }) => wordAt(tokens, from))
}
