import { literalOf } from './literals.ts'
import { STRING, textOf, type Tokens, WORD } from '../lexer/tokens.ts'

/** A flag in the syntax of a framework. */
export interface FrameworkFlag {
  name: string
  offset: number
}

const FLAG_KEY = /^flag_?[kK]ey$/
const ATTRIBUTE = /^(?:feature(?:Enabled|Disabled)|(?:boolean|string|number|object)FeatureFlag)$/
const MIDDLEWARE = /^feature\.(?:en|dis)abled:([\w.~-]+)$/

/** The words that begin a form. */
export const FORM_WORDS: ReadonlySet<string> = new Set([
  ...'flagKey flag_key flagkey featureEnabled featureDisabled booleanFeatureFlag'.split(' '),
  ...'stringFeatureFlag numberFeatureFlag objectFeatureFlag'.split(' '),
  ...'feature_is_enabled feature_variant'.split(' '),
  // A tag of Twig.
  'feature',
])

/** The flags in the syntax of frameworks that begin at a token. */
export function formsAt(tokens: Tokens, index: number): FrameworkFlag[] {
  const text = textOf(tokens, index)
  const { kinds } = tokens
  const literal = (at: number): FrameworkFlag[] => {
    const found = literalOf(tokens, at)
    return found ? [{ name: found.value, offset: found.offset }] : []
  }
  if (kinds[index] === STRING) return stringForms(tokens, index, literal)
  if (kinds[index] !== WORD) return []
  if (FLAG_KEY.test(text) && /^[:=]$/.test(textOf(tokens, index + 1))) return literal(index + 2)
  if (ATTRIBUTE.test(text)) {
    const mark = textOf(tokens, index + 1) === ']' ? index + 2 : index + 1
    return textOf(tokens, mark) === '=' ? literalsIn(tokens, mark + 1) : []
  }
  if (!tokens.language.twig) return []
  return text === 'feature' && textOf(tokens, index - 1) === '%' ? literal(index + 1) : []
}

function stringForms(
  tokens: Tokens,
  index: number,
  literal: (at: number) => FrameworkFlag[],
): FrameworkFlag[] {
  const next = textOf(tokens, index + 1)
  if (/^[:=]$/.test(next) || next === '=>') {
    const value = literalOf(tokens, index)?.value
    if (value !== undefined && FLAG_KEY.test(value)) return literal(index + 2)
  }
  if (tokens.language.group !== 'php') return []
  const found = literalOf(tokens, index)
  const [, name] = MIDDLEWARE.exec(found?.value ?? '') ?? []
  if (found && name !== undefined)
    return [{ name, offset: found.offset + found.value.indexOf(':') + 1 }]
  if (!tokens.language.twig) return []
  const isFilter =
    next === '|' && /^feature_(?:is_enabled|variant)$/.test(textOf(tokens, index + 2))
  const test = textOf(tokens, index + 2) === 'not' ? index + 3 : index + 2
  const isTest = next === 'is' && textOf(tokens, test) === 'enabled'
  return isFilter || isTest ? literal(index) : []
}

/** The literals in an attribute: `"'one'; else other"`, `"['one', 'two']"`. */
function literalsIn({ text, kinds, starts, ends }: Tokens, index: number): FrameworkFlag[] {
  if (kinds[index] !== STRING) return []
  const start = (starts[index] ?? 0) + 1
  const [value = ''] = /^[^;]*/.exec(text.slice(start, (ends[index] ?? 0) - 1)) ?? []
  const list = /^\s*(?:'[^']*'|\[[^\]]*\])/.exec(value)?.[0] ?? ''
  return Array.from(list.matchAll(/'([^']*)'/g), (match) => {
    return { name: match[1] ?? '', offset: start + match.index + 1 }
  })
}
