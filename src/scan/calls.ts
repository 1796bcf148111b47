export interface FoundName {
  name: string
  /** 1-based, as lines end in `\n`. */
  line: number
  /** 1-based, of the first character of the name, in UTF-16 units. */
  column: number
  /** Of the same character in the text, in UTF-16 units. */
  offset: number
}

// As the SDKs call them.
const methods = [
  // Node, browsers, Java, Kotlin, PHP, Swift, Dart; Angular with `$`.
  'isEnabled(?:WithTimer)?\\$?|isDisabled\\$?',
  'getVariant|forceGetVariant|deprecatedGetVariant|countVariant|getFeatureToggleDefinition',
  // React, Vue, Svelte.
  'useFlag\\w*|useVariant\\w*',
  // Go, C#; attributes of Symfony.
  'Is(?:Not)?Enabled|GetVariants?',
  // Python; Rust, whose other methods take an enum.
  'is_enabled(?:_str)?|get_variant(?:_str)?',
]
const rubyMethods = '(?:is_)?(?:en|dis)abled\\?|if_(?:en|dis)abled|get_variant'
const typeArguments = '(?:::)?<[^<>()]{0,100}(?:<[^<>()]{0,100}>[^<>()]{0,100})?>'

// A word in each method: searching for so few takes a third of the time. Fewer characters precede it.
const WORD = /[eE]nabled|[dD]isabled|[vV]ariant|useFlag|ToggleDefinition/g
const PREFIX = 16

// A call with its first argument fits into so many characters: bounds the work on hostile text.
const WINDOW = 1_000

// A call up to its first argument. Ruby may leave the parenthesis out, before a literal.
const CALL = new RegExp(
  `^(?:(?:${methods.join('|')}|${rubyMethods})(?:\\?\\.)?(?:${typeArguments})?[ \\t]*\\(` +
    `|(?<command>${rubyMethods})[ \\t]+(?=['"]))`,
)

// Space and comments. Each part can match in one way only, or failing would take exponential time.
const gap = '(?:\\s|//[^\\n]*\\n|#(?!["#{])[^\\n]*\\n|/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/)*'
const label = '(?:(?:(?:toggle|feature|flag)_?)?[nN]ame|toggle|feature|flag)\\s*[:=]\\s*'
const literal = '(?<quote>[\'"`])(?<body>(?:\\\\.|(?!\\k<quote>)[^\\\\\\n])*)\\k<quote>'

// What follows tells a whole argument (`,`, `)`, `as Flag`) from a part of an expression (`+ suffix`).
const ARGUMENT = new RegExp(
  `^(?<before>${gap}(?:${label})?)${literal}(?=${gap}(?:[,)]|as\\b|satisfies\\b))`,
)
const COMMAND_ARGUMENT = new RegExp(
  `^(?<before>)${literal}(?=[ \\t]*(?:$|[\\r\\n,;)\\]{}?#]|&&|\\|\\||[=!]=|(?:do|then|and|or|if|unless)\\b))`,
)

// `${…}`, `$name` and `#{…}` are values in one language or another, and no flag name can hold them.
const INTERPOLATION = /\$[{\w]|#\{/

/** The text that a literal stands for; undefined when that depends on the language. */
function decode(body: string, quote: string): string | undefined {
  if (INTERPOLATION.test(body)) return undefined
  if (!body.includes('\\')) return body
  // Only these two escapes mean the same in all languages.
  const own = body.replaceAll('\\\\', '').replaceAll(`\\${quote}`, '')
  return own.includes('\\') ? undefined : body.replace(/\\(.)/g, '$1')
}

/** Where the identifier begins that the word is a part of; further on when that is longer than any method. */
function identifierStart(text: string, word: number): number {
  const before = text.slice(Math.max(0, word - PREFIX), word)
  return word - (/[\w$]*$/.exec(before)?.[0].length ?? 0)
}

// A function of the same name that is declared here, with a default for its parameter.
const DECLARATION = /\b(?:function\*?|def|func|fun|fn|sub)[ \t]+(?:self\.)?$/
const DECLARATION_LENGTH = 24

function isDeclared(text: string, start: number): boolean {
  return DECLARATION.test(text.slice(Math.max(0, start - DECLARATION_LENGTH), start))
}

/** Names of SDK calls by their offset. Calls in comments too: telling them apart needs a parser per language. */
function callNames(text: string): Map<number, string> {
  const names = new Map<number, string>()
  for (const { index } of text.matchAll(WORD)) {
    const start = identifierStart(text, index)
    const window = text.slice(start, start + WINDOW)
    const call = CALL.exec(window)
    if (!call || isDeclared(text, start)) continue
    const [head] = call
    const form = call.groups?.command === undefined ? ARGUMENT : COMMAND_ARGUMENT
    const {
      before = '',
      quote = '',
      body = '',
    } = form.exec(window.slice(head.length))?.groups ?? {}
    const name = decode(body, quote)
    if (name) names.set(start + head.length + before.length + quote.length, name)
  }
  return names
}

function locate(text: string, names: Map<number, string>): FoundName[] {
  let line = 1
  let lineStart = 0
  let lineEnd = text.indexOf('\n')
  return [...names]
    .sort(([a], [b]) => a - b)
    .map(([offset, name]) => {
      while (lineEnd !== -1 && lineEnd < offset) {
        line++
        lineStart = lineEnd + 1
        lineEnd = text.indexOf('\n', lineStart)
      }
      return { name, line, column: offset - lineStart + 1, offset }
    })
}

/**
 * The flag names in source text of any language: the literals in calls of the common SDKs, and what
 * own patterns find. In the order of the text, one for each place.
 * @param patterns own patterns, made by `compileMatch`
 */
export function findFlagNames(text: string, patterns: readonly RegExp[] = []): FoundName[] {
  const names = callNames(text)
  for (const pattern of patterns) {
    for (const { groups, indices } of text.matchAll(pattern)) {
      const offset = indices?.groups?.flag?.[0]
      if (groups?.flag && offset !== undefined && !names.has(offset)) names.set(offset, groups.flag)
    }
  }
  return locate(text, names)
}
