import { parseExpression } from './expressions.ts'
import { type Argument, literalOf, UNKNOWN } from './literals.ts'
import { withAccessor } from './enums.ts'
import { pipedInto } from './pipes.ts'
import { isRubyLike } from '../lexer/languages.ts'
import { type Range, STRING, type Tokens, WORD } from '../lexer/tokens.ts'

/** Where a function takes the name of a flag. */
export interface Lookup {
  /** 0-based; undefined for a function that takes it by label only. */
  index?: number
  /** The label of the argument, the property of an object or of a component. */
  key?: string
  /** The member of the argument that has the name. */
  member?: string
  /** Whether the members of an object, or of what a function returns, are flags. */
  hasMembers?: boolean
  /** The object or type that it must be called on. */
  owner?: string
  /** Whether the index is assumed, because the configuration has none. */
  isDefault?: boolean
  /** How to recognize a call, for the functions of the SDKs. */
  sdk?: Sdk
}

/**
 * - `plain`: a function that only SDKs of flags have.
 * - `context`: the flag follows a context.
 * - `annotation`: only after `@`.
 * - `component`: only as a tag, with the flag in an attribute.
 * - `labelled`: a common word of Swift, only with `key:` and `defaultValue:`.
 * - `owned`: a common word, which takes a flag only when called on a client.
 * - `settings`: an object of the settings, whose members may be flags: `uiConfig.flags.x`.
 */
export type Sdk =
  | 'plain'
  | 'context'
  | 'annotation'
  | 'component'
  | 'labelled'
  | 'owned'
  | 'settings'

const LABEL = /^(?:(?:toggle|feature|flag)_?(?:[nN]ame|[kK]ey|[iI]d)|name|key|toggle|feature|flag)$/
const CONTEXT =
  /(?:^|\W|_|[a-z])(?:[cC]tx|[cC]ontext|[cC]lient)(?:\(\))?$|\b(?:Background|TODO)\(\)$|^c\.\w+\(\)$/
const FLAG_CLIENT = /^(?:[fF]eatures?|[uU]nleash\w*|\w*[tT]oggles?|\w*[fF]lags?|client|\w*Client)$/
// OpenFeature, whose functions may take the client first.
const OF_CLIENT = /_(?:value|details)/
const LOGGER = /(?:[lL][oO][gG][gG](?:[eE][rR]|[iI][nN][gG])|^_?(?:log|LOG|Log)|[a-z_]Log)$/
const DESIGN = /(?:theme|styles?|palette|typography|colou?rs?|product|sku)$/i

/** Whether a string is the name of a member in JavaScript: `client['isEnabled']` */
export function isMemberName(tokens: Tokens, index: number): boolean {
  if (tokens.group !== 'js' || tokens.kinds[index] !== STRING) return false
  return tokens.textOf(index - 1) === '[' && tokens.textOf(index + 1) === ']'
}

/** The object that a method is called on; undefined for a function. */
export function receiverOf(tokens: Tokens, index: number): string | undefined {
  if (!tokens.isAccess(index - 1) && !isMemberName(tokens, index)) return undefined
  const at = tokens.textOf(index - 2) === ')' ? tokens.pairOf(index - 2) - 1 : index - 2
  return tokens.textOf(at).replace(/^[$@]/, '')
}

/** Whether a call is a lookup of a flag, not a function with the same name. */
function isFlagCall(tokens: Tokens, index: number, name: string, lookup: Lookup): boolean {
  const { sdk, owner } = lookup
  if (owner !== undefined) return receiverOf(tokens, index) === owner
  if (sdk === undefined) return true
  if (sdk === 'annotation') return tokens.textOf(index - 1) === '@'
  if (sdk === 'labelled') return tokens.group === 'swift'
  if (sdk === 'component') return tokens.textOf(index - 1) === '<'
  const receiver = receiverOf(tokens, index)
  if (sdk === 'owned') {
    if (name === 'get') return receiver === 'Feature' && tokens.textOf(index - 1) === '::'
    return receiver !== undefined && FLAG_CLIENT.test(receiver)
  }
  if (sdk === 'context') return receiver !== undefined
  // Only Angular and Blade have these.
  if (/^feature(?:En|Dis)abled$/.test(name)) return /^(?:js|php)$/.test(tokens.group)
  if (receiver === undefined) return true
  return !LOGGER.test(receiver) && !(/ariant/.test(name) && DESIGN.test(receiver))
}

/** The label of an argument and the tokens of its value. */
function labelled(tokens: Tokens, { from, to }: Range): { label?: string; value: Range } {
  const mark = tokens.textOf(from + 1)
  const isMark = mark === ':' || mark === '=' || mark === '=>'
  const isLabel = tokens.kinds[from] === WORD || tokens.kinds[from] === STRING
  if (isMark && isLabel && to > from + 2) {
    const label = literalOf(tokens, from)?.value ?? tokens.textOf(from)
    return { label, value: { from: from + 2, to } }
  }
  // A symbol of Ruby as the key of a hash: `:flag_key => 'x'`
  if (tokens.textOf(from) === ':' && tokens.textOf(from + 2) === '=>') {
    return { label: tokens.textOf(from + 1), value: { from: from + 3, to } }
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
function argumentOf(tokens: Tokens, list: Range, lookup: Lookup, name: string): Range | undefined {
  const parts = tokens.splitAtCommas(list)
  const [first, second] = parts
  const { sdk, index, key } = lookup
  // In Spring, `variantBean` makes this the name of a variant, not of a flag.
  const isVariant = sdk === 'annotation' && name === 'FeatureVariant'
  if (isVariant && propertyIn(tokens, parts, 'variantBean')) return undefined
  // Counting takes the state of the flag as well.
  if (name === 'count' && !second) return undefined
  if (sdk === 'labelled' && !propertyIn(tokens, parts, 'defaultValue')) return undefined
  const byLabel = propertyIn(tokens, parts, key)
  if (byLabel) return byLabel
  if (index === undefined) return propertyOf(tokens, parts, lookup)
  const followsContext = first !== undefined && CONTEXT.test(tokens.textIn(first))
  if (sdk === 'context') return followsContext ? second : undefined
  const mayTakeContext = sdk === 'plain' && (tokens.group === 'go' || OF_CLIENT.test(name))
  const part = parts[mayTakeContext && second && followsContext ? index + 1 : index]
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

/** The tokens of the property of a component, `<IfOn id={X}>`; undefined when it has none. */
function attributeOf(tokens: Tokens, index: number, lookup: Lookup): Range | undefined {
  const key = lookup.member ?? lookup.key
  const limit = Math.min(tokens.kinds.length, index + 400)
  for (let at = index + 1; at < limit; at++) {
    const text = tokens.textOf(at)
    if (text === '>' || text === ';' || text === '<') return undefined
    at = Math.max(at, tokens.pairOf(at))
    if (tokens.kinds[at] !== WORD || tokens.textOf(at + 1) !== '=') continue
    if (key === undefined ? !LABEL.test(text) && text !== 'id' : text !== key) continue
    const value = at + 2
    const isString = tokens.kinds[value] === STRING
    return isString ? { from: value, to: value + 1 } : tokens.inside(value)
  }
  return undefined
}

const COMMAND_END = /^(?:do|then|and|or|if|unless|rescue|while|until|end|in|is|not)$/

// More tokens than the argument of a call without parentheses has.
const MAX_COMMAND = 40

/** The tokens of the first argument of a call without parentheses, as in Ruby and Elixir. */
function commandArgument(tokens: Tokens, index: number, lookup: Lookup): Range | undefined {
  const from = index + 1
  if (!isRubyLike(tokens.group) || tokens.isNewLine(from)) return undefined
  if (tokens.starts[from] === tokens.ends[index] || from >= tokens.kinds.length) return undefined
  const isSymbol = tokens.textOf(from) === ':' && tokens.starts[from + 1] === tokens.ends[from]
  const isName = tokens.kinds[from] === WORD && !COMMAND_END.test(tokens.textOf(from))
  const isValue = isSymbol || tokens.kinds[from] === STRING || isName || tokens.textOf(from) === '@'
  if (!isValue || (lookup.index ?? 0) !== 0) return undefined
  let to = from + 1
  const limit = Math.min(tokens.kinds.length, from + MAX_COMMAND)
  while (to < limit && !tokens.isNewLine(to)) {
    const text = tokens.textOf(to)
    // An empty token separates the parts of a template.
    if (/^(?:[,;)\]{}?<>]?|&&|\|\||==|!=)$/.test(text) || COMMAND_END.test(text)) break
    to++
  }
  return tokens.textOf(to) === '?' && tokens.textOf(to - 1) !== ')' && isName
    ? undefined
    : { from, to }
}

/** The index of the bracket that opens the arguments, past type arguments and `?.`. */
function openingAfter(tokens: Tokens, index: number): number | undefined {
  let at = index + 1
  if (/^(?:\?\.|::|!)$/.test(tokens.textOf(at))) at++
  if (tokens.textOf(at) === '<') {
    const limit = Math.min(tokens.kinds.length, at + 60)
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

/** The last token of what is called: the word, `]` after a string, or `call` and `apply`. */
function calleeEnd(tokens: Tokens, index: number): number {
  const end = isMemberName(tokens, index) ? index + 1 : index
  const isForwarded =
    tokens.group === 'js' &&
    tokens.isAccess(end + 1) &&
    /^(?:call|apply)$/.test(tokens.textOf(end + 2))
  return isForwarded ? end + 2 : end
}

/** The tokens of the arguments of `call` and `apply` of JavaScript, which take an object before them. */
function forwardedArguments(tokens: Tokens, callee: number, list: Range): Range | undefined {
  const second = tokens.splitAtCommas(list)[1]
  if (!second) return undefined
  const isList = tokens.textOf(callee) === 'apply' && tokens.textOf(second.from) === '['
  return isList ? tokens.inside(second.from) : { from: second.from, to: list.to }
}

/** The argument with the flag in a call of a lookup; undefined if it is not one. */
export function lookupArgumentAt(
  tokens: Tokens,
  index: number,
  name: string,
  lookup: Lookup,
): Argument | undefined {
  // A hook that returns all flags, whose uses cannot be read.
  const isOfAll = lookup.sdk !== undefined && tokens.textOf(index) === 'useFlags'
  if (isOfAll && tokens.textOf(index + 1) === '(' && tokens.pairOf(index + 1) === index + 2) {
    return { expression: UNKNOWN, offset: tokens.startOf(index), end: tokens.endOf(index + 2) }
  }
  if (!isFlagCall(tokens, index, name, lookup)) return undefined
  const make = (range: Range | undefined, end = range?.to ?? 0) => {
    if (!range || range.to <= range.from) return undefined
    const expression = withAccessor(parseExpression(tokens, range), lookup.member, tokens.group)
    return { expression, offset: tokens.startOf(range.from), end: tokens.endOf(end - 1) }
  }
  const isTag = tokens.textOf(index - 1) === '<'
  if (isTag && (lookup.sdk === undefined || lookup.sdk === 'component')) {
    return make(attributeOf(tokens, index, lookup))
  }
  const piped = pipedInto(tokens, index)
  if (piped && lookup.index === 0 && !OF_CLIENT.test(name)) {
    const end = tokens.after(openingAfter(tokens, index) ?? index)
    const unread = { expression: UNKNOWN, offset: tokens.startOf(index) }
    return make(piped.value, end) ?? { ...unread, end: tokens.endOf(end - 1) }
  }
  const callee = calleeEnd(tokens, index)
  const opening = openingAfter(tokens, callee)
  if (opening === undefined) return make(commandArgument(tokens, index, lookup))
  const closing = tokens.pairOf(opening)
  // The text may end within a call.
  const to = closing > opening ? closing : Math.min(tokens.kinds.length, opening + 60)
  const all = { from: opening + 1, to }
  // Without `call` and `apply`, the callee ends with the word itself or the bracket after a string.
  const list = callee < index + 2 ? all : forwardedArguments(tokens, callee, all)
  const inList = piped && lookup.index ? { ...lookup, index: lookup.index - 1 } : lookup
  return make(list && argumentOf(tokens, list, inList, name), closing > opening ? closing + 1 : to)
}
