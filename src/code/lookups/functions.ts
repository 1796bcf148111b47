import { moduleName } from '../lexer/file-names.ts'
import { CLOSE, OPEN, type Range, type Tokens, WORD } from '../lexer/tokens.ts'

/** A parameter of a function. */
export interface Parameter {
  /** The name in the body. */
  name: string
  /** 0-based, without the object that the function is called on. */
  index: number
  /** The label that callers write before the value. */
  key: string
  /** The property of the argument that it is. */
  property?: string
}

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

const CONTROL =
  /^(?:if|for|foreach|while|switch|catch|match|guard|return|with|using|lock|fixed|when|elseif|elsif|until|unless|do|else|and|or|not|in|synchronized|await|function|super|this|new)$/
// A name after one of these words is used, not declared.
const BEFORE_EXPRESSION =
  /^(?:return|await|yield|throw|raise|new|typeof|in|of|case|else|do|if|elif|elsif|unless|while|until|when|where|select|orderby|on|equals|and|or|not|is|then|assert|puts|print|echo|go|defer|try|with|match|guard|default|expect|by|as|delete|void)$/

// More tokens than the functions of a real file have, to bound the work on hostile text.
const MAX_BODIES = 5_000_000
// More tokens than the type of a result or the list of thrown exceptions has.
const MAX_SIGNATURE = 60
// More tokens than a body without braces has.
const MAX_EXPRESSION = 2_000
// A longer line is generated, and its indentation is not used.
const MAX_LINE = 1_000

/** The functions that a text defines, in the order of their bodies. */
export function functionsIn(tokens: Tokens): FunctionDefinition[] {
  const functions: FunctionDefinition[] = []
  let budget = MAX_BODIES
  for (let index = 0; index < tokens.kinds.length && budget >= 0; index++) {
    const definition = definitionAt(tokens, index)
    if (!definition) continue
    functions.push(definition)
    budget -= definition.body.to - definition.body.from
  }
  return functions.sort((a, b) => a.body.from - b.body.from)
}

/** The function at its arrow, at the bracket before its parameters or, without brackets, at its keyword. */
function definitionAt(tokens: Tokens, index: number): FunctionDefinition | undefined {
  switch (tokens.textOf(index)) {
    case '=>':
      return arrowAt(tokens, index)
    case '(':
      return listAt(tokens, index)
    default:
      return tokens.language.hasBareParameters && isFunctionWord(tokens, index)
        ? bareAt(tokens, index)
        : undefined
  }
}

function listAt(tokens: Tokens, index: number): FunctionDefinition | undefined {
  const list = tokens.inside(index)
  if (!list) return undefined
  const nameAt = nameBefore(tokens, index)
  const keyword = nameAt === undefined ? index - 1 : nameAt - 1
  const isKeyword = hasKeyword(tokens, keyword)
  if (!isKeyword && !mayBeMethod(tokens, nameAt)) return undefined
  const start = bodyStart(tokens, list.to + 1)
  if (start === undefined || (!isKeyword && tokens.textOf(start) === ':')) return undefined
  return {
    name: nameAt === undefined ? assignedName(tokens, keyword) : tokens.wordOf(nameAt),
    at: nameAt ?? keyword,
    parameters: parametersIn(tokens, list),
    body: bodyRange(tokens, start, keyword),
  }
}

/** A function whose parameters have no brackets. */
function bareAt(tokens: Tokens, keyword: number): FunctionDefinition | undefined {
  const nameAt = tokens.textOf(keyword + 2) === '.' ? keyword + 3 : keyword + 1
  if (tokens.kinds[nameAt] !== WORD || tokens.textOf(nameAt + 1) === '(') return undefined
  let end = nameAt + 1
  while (end < tokens.kinds.length && !tokens.isNewLine(end) && tokens.textOf(end) !== ';') end++
  const parameters = parametersIn(tokens, { from: nameAt + 1, to: end })
  const body = indented(tokens, end, keyword)
  return { name: tokens.wordOf(nameAt), at: nameAt, parameters, body }
}

/** The function at its arrow. */
function arrowAt(tokens: Tokens, arrow: number): FunctionDefinition | undefined {
  const { arrows } = tokens.language
  if (!arrows) return undefined
  const closing = listBefore(tokens, arrow)
  const first = closing === undefined ? arrow - 1 : tokens.pairOf(closing)
  const list = closing === undefined ? { from: first, to: arrow } : { from: first + 1, to: closing }
  if (closing === undefined ? tokens.kinds[first] !== WORD : first < 0) return undefined
  let before = beforeTypes(tokens, first - 1)
  if (tokens.textOf(before) === 'async') before--
  // A method, which is found at its list.
  const isMethod = arrows === 'methods' && closing !== undefined && tokens.kinds[before] === WORD
  if (isMethod) return undefined
  const start = arrow + 1
  const isBlock = tokens.textOf(start) === '{'
  const expression = { from: start, to: tokens.expressionEnd(start, MAX_EXPRESSION) }
  return {
    name: assignedName(tokens, before + 1),
    at: before,
    parameters: parametersIn(tokens, list),
    body: isBlock ? bodyRange(tokens, start, arrow) : expression,
  }
}

/** The bracket that closes the parameter list before an arrow, past the type of the result. */
function listBefore(tokens: Tokens, arrow: number): number | undefined {
  if (tokens.textOf(arrow - 1) === ')') return arrow - 1
  const limit = Math.max(0, arrow - MAX_SIGNATURE / 2)
  for (let index = arrow - 1; index > limit; index--) {
    if (tokens.kinds[index] === CLOSE) index = tokens.pairs[index] ?? index
    else if (/^[;{=]$/.test(tokens.textOf(index))) return undefined
    else if (tokens.textOf(index) === ':' && tokens.textOf(index - 1) === ')') return index - 1
  }
  return undefined
}

/** The index before type parameters that end at a token; the same one if there are none. */
function beforeTypes(tokens: Tokens, index: number): number {
  if (tokens.textOf(index) !== '>') return index
  const limit = Math.max(0, index - MAX_SIGNATURE)
  let depth = 0
  for (let at = index; at >= limit; at--) {
    const text = tokens.textOf(at)
    if (text === '>') depth++
    else if (text === '<' && --depth === 0) return at - 1
  }
  return index
}

/** The name before a parameter list, past type parameters. */
function nameBefore(tokens: Tokens, index: number): number | undefined {
  let at = beforeTypes(tokens, index - 1)
  if (tokens.textOf(at) === ']') at = tokens.pairOf(at) - 1
  const word = tokens.textOf(at)
  const isName = tokens.kinds[at] === WORD && !isFunctionWord(tokens, at) && word !== 'async'
  return isName ? at : undefined
}

function isFunctionWord(tokens: Tokens, index: number): boolean {
  return tokens.language.functionWords.includes(tokens.textOf(index))
}

/** Whether a keyword for functions precedes, perhaps with a receiver or an object. */
function hasKeyword(tokens: Tokens, index: number): boolean {
  let at = index
  // `fun Unleash.isOn`, `def self.on?`
  while (/^[.*]$/.test(tokens.textOf(at))) at -= tokens.textOf(at) === '*' ? 1 : 2
  // `func (c *Client) IsOn`
  if (tokens.kinds[at] === CLOSE) return isFunctionWord(tokens, tokens.pairOf(at) - 1)
  // `fun <T> isOn`
  return isFunctionWord(tokens, beforeTypes(tokens, at))
}

/** Whether a name with a list may be a method of a class: `isOn(name) {`. */
function mayBeMethod(tokens: Tokens, nameAt: number | undefined): boolean {
  if (nameAt === undefined || !tokens.language.hasMethods) return false
  if (CONTROL.test(tokens.textOf(nameAt))) return false
  const before = tokens.textOf(nameAt - 1)
  if (/^(?:\.|\?\.|->|::|@|=|\(|&&|\|\||!|\?\?)$/.test(before)) return false
  // The type of a method without a result, which is an operator elsewhere.
  return before === 'void' || !BEFORE_EXPRESSION.test(before)
}

/** The first token of the body after a parameter list; undefined for a declaration without a body. */
function bodyStart(tokens: Tokens, from: number): number | undefined {
  const { hasEqualsBody, indentedBody, hasConstraintLines } = tokens.language
  const limit = Math.min(tokens.kinds.length, from + MAX_SIGNATURE)
  // How many type parameters are open: `Result<Boolean, Error>`.
  let depth = 0
  for (let index = from; index < limit; index = tokens.after(index)) {
    const text = tokens.textOf(index)
    if (text === '<') depth++
    if (text === '>') depth--
    if (depth > 0) continue
    if (text === '{') return index
    if (indentedBody === text) return index
    if (indentedBody === 'line' && (text === 'do' || tokens.isNewLine(index))) return index
    if (text === '=>' || (text === '=' && hasEqualsBody)) return index + 1
    // A call: `isOn(name).then(…)`.
    if (/^[;,)}\]]$/.test(text) || (text === '.' && index === from)) return undefined
    if (tokens.isNewLine(index) && tokens.kinds[index] === WORD) {
      if (!/^(?:throws|where|rethrows|async)$/.test(text) && !hasConstraintLines) return undefined
    }
  }
  return indentedBody === 'line' ? limit : undefined
}

function bodyRange(tokens: Tokens, start: number, definition: number): Range {
  const block = tokens.textOf(start) === '{' ? tokens.inside(start) : undefined
  return block ?? indented(tokens, start, definition)
}

function indentation(tokens: Tokens, index: number): number {
  const start = tokens.startOf(index)
  const line = tokens.text.slice(Math.max(0, start - MAX_LINE), start)
  return line.slice(line.lastIndexOf('\n') + 1).search(/[^ \t]|$/)
}

/** The tokens up to the first line that is not indented more than the one of the definition. */
function indented(tokens: Tokens, start: number, definition: number): Range {
  const outer = indentation(tokens, definition)
  let index = start
  for (; index < tokens.kinds.length; index++) {
    if (index === start || !tokens.isNewLine(index)) continue
    if (indentation(tokens, index) <= outer && tokens.kinds[index] !== CLOSE) break
  }
  return { from: start, to: index }
}

/**
 * The name that a function without one gets: `name = …`, `name: …`, `const name: Type = …`; for a default
 * export, that of the module.
 */
function assignedName(tokens: Tokens, start: number): string | undefined {
  const at = tokens.textOf(start - 1) === 'async' ? start - 2 : start - 1
  const mark = tokens.textOf(at)
  if (mark === ':' && tokens.kinds[at - 1] === WORD) return tokens.wordOf(at - 1)
  if (mark === 'default' && tokens.textOf(at - 1) === 'export') return moduleName(tokens.file)
  if (mark !== '=') return undefined
  if (tokens.textOf(at - 1) === 'exports') return moduleName(tokens.file)
  const limit = Math.max(0, at - MAX_SIGNATURE)
  // Past a type: `const name: Type<Props> =`.
  for (let index = at - 1; index >= limit; index--) {
    const text = tokens.textOf(index)
    if (/^(?:const|let|var|final)$/.test(text)) return tokens.wordOf(index + 1)
    if (/^(?:;|=|=>)$/.test(text)) break
  }
  return tokens.kinds[at - 1] === WORD ? tokens.wordOf(at - 1) : undefined
}

/** The parameters in a list. */
export function parametersIn(tokens: Tokens, list: Range): Parameter[] {
  // Callers do not pass it: `self`, `&mut self`, `this IUnleash unleash`.
  const isPassed = (part: Range) =>
    !/^(?:self|cls|this)$/.test(tokens.wordOf(part.from)) &&
    !/^[&*].*\bself\b/.test(tokens.textIn(part))
  const parts = tokens.splitAtCommas(list).filter(isPassed)
  return parts.flatMap((part, index) => parameterIn(tokens, part, index))
}

/** A parameter, or the properties that an object is taken apart into. */
function parameterIn(tokens: Tokens, part: Range, index: number): Parameter[] {
  const { language } = tokens
  const { from } = part
  const opening = tokens.textOf(from)
  if (language.hasBracketedParameters && /^[[{]$/.test(opening)) {
    return tokens.itemsIn(from).flatMap((item) => parameterIn(tokens, item, index))
  }
  if (opening === '{') {
    return tokens.itemsIn(from).map((property) => {
      const key = tokens.wordOf(property.from)
      const isRenamed = tokens.textOf(property.from + 1) === ':'
      return { name: tokens.wordOf(property.from + (isRenamed ? 2 : 0)), index, key, property: key }
    })
  }
  const words: string[] = []
  for (let at = from; at < part.to; at = tokens.after(at)) {
    const text = tokens.textOf(at)
    if (/^[:=]$/.test(text) || (text === '?' && tokens.textOf(at + 1) === ':')) break
    if (tokens.kinds[at] === WORD && tokens.textOf(at - 1) !== '@') words.push(tokens.wordOf(at))
  }
  const colon = tokens.find(part, (at) => tokens.textOf(at) === ':')
  const hasColon = colon !== -1
  const name = language.parameterName === 'last' || hasColon ? words.at(-1) : words[0]
  if (name === undefined) return []
  return [{ name, index, key: (language.hasLabels && words[0]) || name }]
}

const INFIX =
  /^(?:as|in|is|of|or|and|if|unless|else|not|instanceof|satisfies|to|div|mod|xor|do|then)$/

/** Whether a name with a list of parameters is declared here, perhaps without a body. */
export function isDeclaration(tokens: Tokens, index: number): boolean {
  const { kinds, language } = tokens
  const before = tokens.textOf(index - 1)
  if (hasKeyword(tokens, index - 1)) return true
  if (kinds[index + 1] !== OPEN) return false
  // `Type name(`; an expression can follow any word in languages that declare functions with a keyword.
  const isTyped =
    kinds[index - 1] === WORD && !BEFORE_EXPRESSION.test(before) && !tokens.isNewLine(index)
  if (isTyped && language.hasMethods) return true
  const [first, second] = [index + 2, index + 3]
  if (kinds[first] !== WORD) return false
  if (kinds[second] === WORD) {
    return !BEFORE_EXPRESSION.test(tokens.textOf(first)) && !INFIX.test(tokens.textOf(second))
  }
  return language.hasColonTypes === true && /^(?::|\?:)$/.test(tokens.textOf(second))
}

/** Whether a name gets a function here: `useFlag = (name) =>`, `isOn: function (name) {`. */
export function isAssignedFunction(tokens: Tokens, index: number): boolean {
  if (!tokens.language.arrows || !/^[:=]$/.test(tokens.textOf(index + 1))) return false
  const at = tokens.textOf(index + 2) === 'async' ? index + 3 : index + 2
  const isArrow = tokens.kinds[at] === WORD && tokens.textOf(at + 1) === '=>'
  return isArrow || /^(?:\(|function)$/.test(tokens.textOf(at))
}
