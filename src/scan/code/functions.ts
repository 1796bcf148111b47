import { inside, type Range, wordOf } from './expressions.ts'
import { type Parameter, parametersIn } from './parameters.ts'
import { moduleName } from '../lexer/languages.ts'
import {
  CLOSE,
  isNewLine,
  OPEN,
  textOf,
  type Tokens,
  WORD,
  after,
  expressionEnd,
} from '../lexer/tokens.ts'

/** A function that source code defines. */
export interface FunctionDefinition {
  /** Undefined for a function without a name. */
  name: string | undefined
  /** The index of the token with its name. */
  at: number
  parameters: readonly Parameter[]
  /** The tokens of its body. */
  body: Range
}

const KEYWORD = /^(?:function|def|defp|defmacro|func|fun|fn|sub)$/
const CONTROL =
  /^(?:if|for|foreach|while|switch|catch|match|guard|return|with|using|lock|fixed|when|elseif|elsif|until|unless|do|else|and|or|not|in|synchronized|await|function|super|this|new)$/

// More tokens than the functions of a real file have, to bound the work on hostile text.
const MAX_BODIES = 5_000_000

/** The functions that a text defines, in the order of their parameter lists. */
export function functionsIn(tokens: Tokens): FunctionDefinition[] {
  const found: FunctionDefinition[] = []
  let budget = MAX_BODIES
  for (let index = 0; index < tokens.kinds.length; index++) {
    const definition =
      textOf(tokens, index) === '=>' ? arrowAt(tokens, index) : listAt(tokens, index)
    if (!definition) continue
    found.push(definition)
    budget -= definition.body.to - definition.body.from
    if (budget < 0) break
  }
  return found
}

/** The function whose parameters begin at a bracket, or a function of Ruby or Elixir at its keyword. */
function listAt(tokens: Tokens, index: number): FunctionDefinition | undefined {
  const { kinds } = tokens
  if (kinds[index] === WORD && KEYWORD.test(textOf(tokens, index))) return bareAt(tokens, index)
  if (kinds[index] !== OPEN || textOf(tokens, index) !== '(') return undefined
  const list = inside(tokens, index)
  if (!list) return undefined
  const nameAt = nameBefore(tokens, index)
  const keyword = nameAt === undefined ? index - 1 : nameAt - 1
  const isKeyword = hasKeyword(tokens, keyword)
  if (!isKeyword && !isMethod(tokens, nameAt, list)) return undefined
  const start = bodyStart(tokens, list.to + 1)
  if (start === undefined) return undefined
  const name = nameAt === undefined ? assignedName(tokens, keyword) : wordOf(tokens, nameAt)
  return {
    name,
    at: nameAt ?? keyword,
    parameters: parametersIn(tokens, list),
    body: bodyRange(tokens, start, keyword),
  }
}

/** A function of Ruby or Elixir whose parameters have no brackets. */
function bareAt(tokens: Tokens, keyword: number): FunctionDefinition | undefined {
  const { group } = tokens.language
  if (group !== 'ruby' && group !== 'elixir') return undefined
  const nameAt = textOf(tokens, keyword + 2) === '.' ? keyword + 3 : keyword + 1
  if (tokens.kinds[nameAt] !== WORD || textOf(tokens, nameAt + 1) === '(') return undefined
  let end = nameAt + 1
  while (end < tokens.kinds.length && !isNewLine(tokens, end) && textOf(tokens, end) !== ';') end++
  return {
    name: wordOf(tokens, nameAt),
    at: nameAt,
    parameters: parametersIn(tokens, { from: nameAt + 1, to: end }),
    body: indented(tokens, end, keyword),
  }
}

/** The index before type parameters that end at a token; the same one if there are none. */
function beforeTypes(tokens: Tokens, index: number): number {
  if (textOf(tokens, index) !== '>') return index
  const limit = Math.max(0, index - MAX_SIGNATURE)
  let depth = 0
  for (let at = index; at >= limit; at--) {
    const text = textOf(tokens, at)
    if (text === '>') depth++
    else if (text === '<' && --depth === 0) return at - 1
  }
  return index
}

/** The name before a parameter list, past type parameters. */
function nameBefore(tokens: Tokens, index: number): number | undefined {
  let at = beforeTypes(tokens, index - 1)
  if (tokens.kinds[at] === CLOSE && textOf(tokens, at) === ']') at = (tokens.pairs[at] ?? 0) - 1
  if (tokens.kinds[at] !== WORD) return undefined
  const word = textOf(tokens, at)
  return KEYWORD.test(word) || word === 'async' ? undefined : at
}

/** Whether a keyword for functions precedes, perhaps with a receiver or an object. */
function hasKeyword(tokens: Tokens, index: number): boolean {
  let at = index
  // `fun Unleash.isOn`, `def self.on?`
  while (/^(?:\.|\*)$/.test(textOf(tokens, at))) at -= textOf(tokens, at) === '*' ? 1 : 2
  // `func (c *Client) IsOn`
  if (tokens.kinds[at] === CLOSE) {
    const opening = tokens.pairs[at] ?? -1
    return opening > 0 && textOf(tokens, opening - 1) === 'func'
  }
  // `fun <T> isOn`
  at = beforeTypes(tokens, at)
  return tokens.kinds[at] === WORD && KEYWORD.test(textOf(tokens, at))
}

// A name after one of these words is used, not declared. Visual Basic writes them with capitals.
export const BEFORE_EXPRESSION =
  /^(?:return|await|yield|throw|raise|new|typeof|in|of|case|else|elseif|do|if|elif|elsif|unless|while|until|when|where|select|orderby|on|equals|and|andalso|or|orelse|not|is|then|assert|puts|print|echo|go|defer|try|with|match|guard|default|refute|expect|by|as|delete|void)$/i

/** Whether a name with a list is a method of a class: `isOn(name) {`. */
function isMethod(tokens: Tokens, nameAt: number | undefined, list: Range): boolean {
  if (nameAt === undefined || !tokens.language.methods) return false
  if (CONTROL.test(textOf(tokens, nameAt))) return false
  const before = textOf(tokens, nameAt - 1)
  if (/^(?:\.|\?\.|->|::|@|=|\(|&&|\|\||!|\?\?)$/.test(before)) return false
  if (BEFORE_EXPRESSION.test(before)) return false
  const start = bodyStart(tokens, list.to + 1)
  return start !== undefined && textOf(tokens, start) !== ':'
}

// More tokens than the type of a result or the list of thrown exceptions has.
const MAX_SIGNATURE = 60

/** The first token of the body after a parameter list; undefined for a declaration without a body. */
function bodyStart(tokens: Tokens, from: number): number | undefined {
  const { group } = tokens.language
  const limit = Math.min(tokens.kinds.length, from + MAX_SIGNATURE)
  // How many type parameters are open: `Result<Boolean, Error>`.
  let depth = 0
  for (let index = from; index < limit; index = after(tokens, index)) {
    const text = textOf(tokens, index)
    if (text === '<') depth++
    if (text === '>') depth--
    if (depth > 0) continue
    if (text === '{' && !isTypeOpening(tokens, index)) return index
    if (group === 'python' && text === ':') return index
    if ((group === 'ruby' || group === 'elixir') && isNewLine(tokens, index)) return index
    if (text === 'do' && group === 'elixir') return index
    if (text === '=>' || (text === '=' && (group === 'jvm' || group === 'ruby'))) return index + 1
    if (text === ',' && group === 'elixir') return index + 1
    // A call: `isOn(name).then(…)`.
    if (/^[;,)}\]]$/.test(text) || (text === '.' && index === from)) return undefined
    if (isNewLine(tokens, index) && tokens.kinds[index] === WORD) {
      if (!/^(?:throws|where|rethrows|async)$/.test(text) && group !== 'cs') return undefined
    }
  }
  return group === 'ruby' ? limit : undefined
}

/** Whether a brace belongs to the type of a result: `isOn(name): { on: boolean } {`. */
function isTypeOpening(tokens: Tokens, index: number): boolean {
  const before = textOf(tokens, index - 1)
  switch (tokens.language.group) {
    case 'js':
      return /^[:|&]$/.test(before)
    case 'go':
      return /^(?:interface|struct)$/.test(before)
    default:
      return false
  }
}

function bodyRange(tokens: Tokens, start: number, definition: number): Range {
  const block = textOf(tokens, start) === '{' ? inside(tokens, start) : undefined
  return block ?? indented(tokens, start, definition)
}

// A longer line is generated, and its indentation is not used.
const MAX_LINE = 1_000

function indentation({ text, starts }: Tokens, index: number): number {
  const start = starts[index] ?? 0
  const line = text.slice(Math.max(0, start - MAX_LINE), start)
  return line.slice(line.lastIndexOf('\n') + 1).search(/[^ \t]|$/)
}

/** The tokens up to the first line that is not indented more than the one of the definition. */
export function indented(tokens: Tokens, start: number, definition: number): Range {
  const outer = indentation(tokens, definition)
  let index = start
  for (; index < tokens.kinds.length; index++) {
    if (index === start || !isNewLine(tokens, index)) continue
    if (indentation(tokens, index) <= outer && tokens.kinds[index] !== CLOSE) break
  }
  return { from: start, to: index }
}

/** The function of JavaScript and others at its arrow. */
function arrowAt(tokens: Tokens, arrow: number): FunctionDefinition | undefined {
  if (!/^(?:js|cs|dart|other)$/.test(tokens.language.group)) return undefined
  const closing = listBefore(tokens, arrow)
  const opening = closing === undefined ? -1 : (tokens.pairs[closing] ?? -1)
  const list =
    closing === undefined ? { from: arrow - 1, to: arrow } : { from: opening + 1, to: closing }
  if (closing === undefined ? tokens.kinds[arrow - 1] !== WORD : opening < 0) return undefined
  let before = beforeTypes(tokens, (closing === undefined ? arrow - 1 : opening) - 1)
  if (textOf(tokens, before) === 'async') before--
  if (tokens.language.group !== 'js' && closing !== undefined && tokens.kinds[before] === WORD)
    return undefined
  const start = arrow + 1
  return {
    name: assignedName(tokens, before + 1),
    at: before,
    parameters: parametersIn(tokens, list),
    body:
      textOf(tokens, start) === '{'
        ? bodyRange(tokens, start, arrow)
        : { from: start, to: expressionEnd(tokens, start, MAX_EXPRESSION) },
  }
}

/** The bracket that closes the parameter list before an arrow, past the type of the result. */
function listBefore(tokens: Tokens, arrow: number): number | undefined {
  const { kinds } = tokens
  if (kinds[arrow - 1] === CLOSE && textOf(tokens, arrow - 1) === ')') return arrow - 1
  const limit = Math.max(0, arrow - 30)
  for (let index = arrow - 1; index > limit; index--) {
    if (kinds[index] === CLOSE) index = tokens.pairs[index] ?? index
    else if (/^[;{=]$/.test(textOf(tokens, index))) return undefined
    else if (textOf(tokens, index) === ':' && textOf(tokens, index - 1) === ')') return index - 1
  }
  return undefined
}

// More tokens than a body without braces has.
const MAX_EXPRESSION = 2_000

// Functions that return the function that they are given.
const WRAPPING = /^(?:memo|forwardRef|useCallback|observer|cache)$/

/**
 * The name that a function without one gets: `name = …`, `name: …`, `const name: Type = …`; for a default
 * export, that of the module.
 */
function assignedName(tokens: Tokens, start: number): string | undefined {
  let at = textOf(tokens, start - 1) === 'async' ? start - 2 : start - 1
  const wrapping = beforeTypes(tokens, at - 1)
  if (textOf(tokens, at) === '(' && WRAPPING.test(textOf(tokens, wrapping))) {
    at = wrapping - 1
    if (textOf(tokens, at) === '.') at -= 2
  }
  const mark = textOf(tokens, at)
  if (mark === ':' && tokens.kinds[at - 1] === WORD) return wordOf(tokens, at - 1)
  if (mark === 'default' && textOf(tokens, at - 1) === 'export') return moduleName(tokens.file)
  if (mark !== '=') return undefined
  if (textOf(tokens, at - 1) === 'exports') return moduleName(tokens.file)
  const limit = Math.max(0, at - MAX_SIGNATURE)
  // Past a type: `const name: Type<Props> =`.
  for (let index = at - 1; index >= limit; index--) {
    if (/^(?:const|let|var|final)$/.test(textOf(tokens, index))) return wordOf(tokens, index + 1)
    if (/^[;=]$/.test(textOf(tokens, index)) || textOf(tokens, index) === '=>') break
  }
  return tokens.kinds[at - 1] === WORD ? wordOf(tokens, at - 1) : undefined
}
