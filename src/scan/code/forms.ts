import { type Literal, literalAt, literalOf } from './literals.ts'
import { splitWords } from './words.ts'
import { STRING, type Tokens } from '../lexer/tokens.ts'

const FLAG_KEY = /^flag_?[kK]ey$/
const ATTRIBUTE = /^(?:feature(?:Enabled|Disabled)|(?:boolean|string|number|object)FeatureFlag)$/
const MIDDLEWARE = /^feature\.(?:en|dis)abled:([\w.~-]+)$/

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
export function formsAt(tokens: Tokens, index: number): Literal[] {
  if (tokens.kinds[index] === STRING) {
    const form = stringForm(tokens, index)
    return form ? [form] : []
  }
  const text = tokens.textOf(index)
  const next = tokens.textOf(index + 1)
  if (ATTRIBUTE.test(text)) {
    const mark = next === ']' ? index + 2 : index + 1
    return tokens.textOf(mark) === '=' ? literalsIn(tokens, mark + 1) : []
  }
  const isKey = FLAG_KEY.test(text) && /^[:=]$/.test(next)
  const isTag = tokens.language.twig && text === 'feature' && tokens.textOf(index - 1) === '%'
  const literal = isKey ? literalOf(tokens, index + 2) : isTag && literalOf(tokens, index + 1)
  return literal ? [literal] : []
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
  const isFilter = next === '|' && /^feature_(?:is_enabled|variant)$/.test(tokens.textOf(index + 2))
  const test = tokens.textOf(index + 2) === 'not' ? index + 3 : index + 2
  const isTest = next === 'is' && tokens.textOf(test) === 'enabled'
  return isFilter || isTest ? literal : undefined
}

/** The literals in an attribute: `"'one'; else other"`, `"['one', 'two']"`. */
function literalsIn(tokens: Tokens, index: number): Literal[] {
  if (tokens.kinds[index] !== STRING) return []
  const start = tokens.startOf(index) + 1
  const [value = ''] = tokens.text.slice(start, tokens.endOf(index) - 1).split(';')
  const list = /^\s*(?:'[^']*'|\[[^\]]*\])/.exec(value)?.[0] ?? ''
  return Array.from(list.matchAll(/'([^']*)'/g), (match) =>
    literalAt(tokens, start + match.index + 1, match[1] ?? ''),
  )
}
