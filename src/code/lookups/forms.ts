import { type Argument, type Literal, literalAt, literalOf, UNKNOWN } from './literals.ts'
import { splitWords } from './words.ts'
import { STRING, type Tokens } from '../lexer/tokens.ts'

const FLAG_KEY = /^flag_?[kK]ey$/
const ATTRIBUTE = /^(?:feature(?:Enabled|Disabled)|(?:boolean|string|number|object)FeatureFlag)$/
const MIDDLEWARE = /^feature\.(?:en|dis)abled:([\w.~-]+)$/
const FILTER = /^feature_(?:is_enabled|variant)$/

/** The words that begin a form. */
export const FORM_WORDS: ReadonlySet<string> = new Set(
  splitWords(
    'flagKey flag_key flagkey featureEnabled featureDisabled booleanFeatureFlag',
    'stringFeatureFlag numberFeatureFlag objectFeatureFlag',
    // Twig.
    'feature_is_enabled feature_variant feature',
  ),
)

/** The flags in the syntax of frameworks that begin at a word or a string. */
export function formsAt(tokens: Tokens, index: number): Argument[] {
  const argument = (expression: Literal): Argument => {
    const { offset, value } = expression
    return { expression, offset, end: offset + value.length + 1 }
  }
  if (tokens.kinds[index] === STRING) {
    const form = stringForm(tokens, index)
    return form ? [argument(form)] : []
  }
  const text = tokens.textOf(index)
  const next = tokens.textOf(index + 1)
  if (ATTRIBUTE.test(text)) {
    const value = next === ']' ? index + 3 : index + 2
    if (tokens.textOf(value - 1) !== '=' || tokens.kinds[value] !== STRING) return []
    const { literals, isWhole } = literalsIn(tokens, value)
    const found = literals.map(argument)
    // Elsewhere, it may be an attribute of another component.
    if (isWhole || tokens.textOf(index - 1) !== '*') return found
    const [offset, end] = [tokens.startOf(value), tokens.endOf(value)]
    return [...found, { expression: UNKNOWN, offset, end }]
  }
  const isKey = FLAG_KEY.test(text) && /^[:=]$/.test(next)
  const isTag = tokens.language.twig && text === 'feature' && tokens.textOf(index - 1) === '%'
  const literal = isKey ? literalOf(tokens, index + 2) : isTag && literalOf(tokens, index + 1)
  if (literal) return [argument(literal)]
  if (!isTag && !isFilterOfOther(tokens, index)) return []
  const end = tokens.endOf(isTag ? index + 1 : index)
  return [{ expression: UNKNOWN, offset: tokens.startOf(index), end }]
}

/** Whether a filter of Twig takes a value that is not a string: `name|feature_is_enabled`. */
function isFilterOfOther(tokens: Tokens, index: number): boolean {
  if (!tokens.language.twig || !FILTER.test(tokens.textOf(index))) return false
  return tokens.textOf(index - 1) === '|' && tokens.kinds[index - 2] !== STRING
}

function stringForm(tokens: Tokens, index: number): Literal | undefined {
  const next = tokens.textOf(index + 1)
  const isPhp = tokens.group === 'php'
  const mayBeKey = /^(?:[:=]|=>)$/.test(next)
  if (!isPhp && !mayBeKey) return undefined
  const literal = literalOf(tokens, index)
  if (!literal) return undefined
  if (mayBeKey && FLAG_KEY.test(literal.value)) return literalOf(tokens, index + 2)
  const [, name] = (isPhp && MIDDLEWARE.exec(literal.value)) || []
  if (name !== undefined) {
    return literalAt(tokens, literal.offset + literal.value.indexOf(':') + 1, name)
  }
  if (!tokens.language.twig) return undefined
  const isFilter = next === '|' && FILTER.test(tokens.textOf(index + 2))
  const test = tokens.textOf(index + 2) === 'not' ? index + 3 : index + 2
  const isTest = next === 'is' && tokens.textOf(test) === 'enabled'
  return isFilter || isTest ? literal : undefined
}

/** The literals in an attribute, `"'one'; else other"` or `"['one', 'two']"`, and whether they are all of its value. */
function literalsIn(tokens: Tokens, index: number): { literals: Literal[]; isWhole: boolean } {
  const { start, end } = tokens.contentOf(index)
  const [value = ''] = tokens.text.slice(start, end).split(';')
  const list = /^\s*(?:'[^']*'|\[[^\]]*\])(?!\s*[+?|.[])/.exec(value)?.[0] ?? ''
  const literals = Array.from(list.matchAll(/'([^']*)'/g), (match) =>
    literalAt(tokens, start + match.index + 1, match[1] ?? ''),
  )
  return { literals, isWhole: list !== '' && !/\w/.test(list.replaceAll(/'[^']*'/g, '')) }
}
