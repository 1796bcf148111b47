import { splitArguments } from './arguments.ts'

const kinds = 'Boolean|String|Number|Integer|Double|Float|Object|Structure'
const snakeKinds = 'bool|boolean|string|number|integer|int|float|object|struct'

// The methods that take the name of a flag first.
const plain = [
  // Node, browsers, Java, Kotlin, PHP, Swift, Dart; Angular with `$`; Laravel with `Feature`.
  'is(?:Feature)?(?:Enabled(?:WithTimer)?|Disabled)\\$?',
  'getVariant|forceGetVariant|deprecatedGetVariant|countVariant|getFeatureToggleDefinition',
  // React, Vue, Svelte. Hooks with other names for variants deal with colours and sizes.
  'useFlag\\w*|useSuspenseFlag|useVariants?(?:Name|Value|Payload|Enabled|Status)?',
  // Go, C#; attributes of Symfony; decorators of Nest.
  'Is(?:Not)?Enabled|IsFeatureEnabled|GetVariants?|IfEnabled',
  // Python; Rust, whose other methods take an enum; Twig.
  'is_(?:feature_)?enabled(?:_str)?|get_variant(?:_str)?|feature_is_enabled|feature_variant',
  // Guards of Angular; directives of Blade and a facade of Laravel.
  'feature(?:Enabled|Disabled)|Feature::get',
  // OpenFeature.
  `get(?:${kinds})(?:Value|Details)|Get(?:${kinds})(?:Value|Details)Async`,
  `use(?:${kinds})Flag(?:Value|Details)`,
  `(?:get|fetch)_(?:${snakeKinds})_(?:value|details)(?:_async)?`,
]
const ruby = '(?:is_)?(?:en|dis)abled\\?|if_(?:en|dis)abled|get_variant'
// OpenFeature for Go, which takes a context first.
const afterContext = '(?:Boolean|String|Float|Int|Object)Value(?:Details)?'
// Spring, Quarkus, Nest.
const annotations = 'FeatureToggle|Toggle|FeatureFlag|FeatureVariant'
// Common words that take a flag only when called on a client: Laravel, Node.
const owned = 'enabled|disabled|getFeature|count'
const typeArguments = '(?:::)?<[^<>()]{0,100}(?:<[^<>()]{0,100}>[^<>()]{0,100})?>'

/** A call up to its first argument. Ruby may leave the parenthesis out, before a literal. */
export const CALL = new RegExp(
  `^(?:(?:(?:${plain.join('|')}|${ruby})|(?<context>${afterContext})|(?<annotation>${annotations})` +
    `|(?<owned>${owned}))(?:\\?\\.)?(?:${typeArguments})?[ \\t]*\\(` +
    `|(?<command>${ruby})[ \\t]+)`,
)

/** Matches a part of every method and form, so that one fast search finds where to look. */
export const WORD =
  /[eE]nabled|[dD](?:isabled|etails)|[vV](?:ariant|alue)|F(?:lag|eature)|Toggle|flag_?[kK]ey|\bcount\(/g

/** The most characters of a method name before its word. */
export const PREFIX = 20

const FLAG_CLIENT = /(?:\b[fF]eature|[uU]nleash\w*|[tT]oggles?|[fF]lags?|\bclient)(?:\(\))?\s*$/
const LOGGER =
  /(?:[lL][oO][gG][gG](?:[eE][rR]|[iI][nN][gG])|\b_?(?:log|LOG|Log)|[a-z_]Log)(?:\(\))?\s*$/
const DESIGN = /(?:theme|styles?|palette|typography|colou?rs?|product|sku)(?:\(\))?\s*$/i
const ACCESS = /(?:\?\.|\.|->|::)\s*$/

// Enough characters for the receiver of a call.
const RECEIVER = 60

/**
 * Whether a method is called on something that can have flags. Loggers do not, although their levels are
 * enabled, nor do themes and products, although they have variants.
 */
export function isFlagCall(text: string, start: number, call: RegExpExecArray): boolean {
  const { annotation, owned: common } = call.groups ?? {}
  if (annotation !== undefined) return text[start - 1] === '@'
  const before = text.slice(Math.max(0, start - RECEIVER), start)
  const access = ACCESS.exec(before)
  if (!access) return common === undefined
  const receiver = before.slice(0, access.index)
  if (common !== undefined) return FLAG_CLIENT.test(receiver)
  return !LOGGER.test(receiver) && !(/ariant/.test(call[0]) && DESIGN.test(receiver))
}

const DECLARATION = /\b(?:function\*?|defp?|func|fun|fn|sub)[ \t]+(?:self\.|\([^()\n]*\)[ \t]*)?$/
const MAX_DECLARATION_LENGTH = 60

/** Whether a function of this name is declared here, perhaps with a default for its parameter. */
export function isDeclared(text: string, start: number): boolean {
  return DECLARATION.test(text.slice(Math.max(0, start - MAX_DECLARATION_LENGTH), start))
}

// A type before the name declares a method; these keywords do not.
const TYPED =
  /(?<![.\w])(?!(?:return|await|yield|throw|raise|new|typeof|in|of|case|else|do|if|elif|elsif|unless|while|until|when|and|or|not|is|then|assert|puts|print|echo|go|defer|try|with|match|guard)[ \t])[A-Za-z_][\w<>[\]?.]*[ \t]+$/
const MODIFIED = /(?:^|\n)[ \t]*(?:(?:public|private|protected|static|async|override)[ \t]+)*$/
const PARAMETER = /^\s*(?:\w+\s+)?[\w$]+\??\s*:/
const BODY = /^\s*(?::[^\n{;=]{1,80})?\{/

/**
 * Whether what looks like a call with an expression declares a method of a class or an interface.
 * @param rest the text after the opening bracket
 */
export function isMethod(text: string, start: number, rest: string): boolean {
  const before = text.slice(Math.max(0, start - MAX_DECLARATION_LENGTH), start)
  if (TYPED.test(before)) return true
  if (!MODIFIED.test(before)) return false
  const { list, end } = splitArguments(rest)
  return PARAMETER.test(list[0]?.text ?? '') || (end !== undefined && BODY.test(rest.slice(end)))
}
