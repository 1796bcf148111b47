import { type Range, type Tokens, WORD } from '../lexer/tokens.ts'

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
  /** The tokens of its default. */
  value?: Range | undefined
  /** Its declaration, with the type. */
  text: string
}

// The languages in which the name is the last word, even without a type after a colon.
const NAME_LAST = /^(?:js|jvm|cs|dart|php|other)$/

export function parametersIn(tokens: Tokens, list: Range): Parameter[] {
  const parameters: Parameter[] = []
  let index = 0
  for (const part of tokens.splitAtCommas(list)) {
    const first = tokens.wordOf(part.from)
    const text = tokens.textIn(part)
    // Callers do not pass it: `self`, `&mut self`, `this IUnleash unleash` of C#.
    if (/^(?:self|cls|this)$/.test(first) || /^[&*].*\bself\b/.test(text)) continue
    parameters.push(...parameterIn(tokens, part, index))
    index++
  }
  return parameters
}

/** A parameter, or the properties that an object is taken apart into. */
function parameterIn(tokens: Tokens, part: Range, index: number): Parameter[] {
  const { group } = tokens
  const { from } = part
  if (tokens.textOf(from) === '{' || (group === 'dart' && tokens.textOf(from) === '[')) {
    return tokens.itemsIn(from).flatMap((property) => {
      if (group === 'dart') return parameterIn(tokens, property, index)
      const key = tokens.wordOf(property.from)
      const isRenamed = tokens.textOf(property.from + 1) === ':'
      const name = isRenamed ? tokens.wordOf(property.from + 2) : key
      return [{ name, index, key, property: key, value: defaultIn(tokens, property), text: key }]
    })
  }
  const words: string[] = []
  for (let at = from; at < part.to; at = tokens.after(at)) {
    const text = tokens.textOf(at)
    if (/^[:=\\]$/.test(text) || (text === '?' && tokens.textOf(at + 1) === ':')) break
    if (tokens.kinds[at] === WORD && tokens.textOf(at - 1) !== '@') words.push(tokens.wordOf(at))
  }
  const isLast =
    NAME_LAST.test(group) || tokens.find(part, (at) => tokens.textOf(at) === ':') !== -1
  const name = (isLast ? words.at(-1) : words[0]) ?? ''
  const key = group === 'swift' && words.length > 1 ? (words[0] ?? name) : name
  if (name === '') return []
  return [{ name, index, key, value: defaultIn(tokens, part), text: tokens.textIn(part) }]
}

/** The default of a parameter: `f = 'x'`, `f \\ "x"` of Elixir, `f: 'x'` of Ruby. */
function defaultIn(tokens: Tokens, { from, to }: Range): Range | undefined {
  const mark = tokens.group === 'ruby' ? /^[=:]$/ : /^[=\\]$/
  // The mark of Elixir is two tokens.
  const isMark = (at: number) => mark.test(tokens.textOf(at)) && tokens.textOf(at + 1) !== '\\'
  const at = tokens.find({ from, to: to - 1 }, isMark)
  return at === -1 ? undefined : { from: at + 1, to }
}
