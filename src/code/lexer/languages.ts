/** A string literal of a language. */
export interface Quote {
  open: string
  close: string
  /** Whether a backslash quotes the next character. */
  escapes: boolean
  /** Whether it may contain line breaks. */
  lines: boolean
  /** Begins an expression in it, which a bracket ends. */
  hole?: string
  /** Whether `$name` inserts a value. */
  dollar?: boolean
}

/** Languages with the same syntax of calls and declarations. */
export type Group =
  | 'js'
  | 'python'
  | 'go'
  | 'jvm'
  | 'cs'
  | 'ruby'
  | 'php'
  | 'rust'
  | 'swift'
  | 'dart'
  | 'other'

/** The strings and comments that can begin at a character. */
export interface Marks {
  quotes: Quote[]
  lineComments: string[]
  blockComments: (readonly [string, string])[]
}

interface Rules {
  group: Group
  quotes: readonly Quote[]
  /** Begin a comment up to the end of the line. */
  lineComments?: readonly string[]
  blockComments?: readonly (readonly [string, string])[]
  /** Whether `/` can begin a regular expression. */
  hasRegexes?: boolean
  /** Whether methods are defined without a keyword. Elsewhere, a block after a call belongs to the call. */
  hasMethods?: boolean
  /** Whether code is embedded in text. */
  isMarkup?: boolean
}

/** The lexical rules of a language, and the languages that it shares constants with. */
export interface Language extends Rules {
  /** By the code of the first character. */
  marks: readonly Marks[]
}

const plain = (open: string): Quote => ({ open, close: open, escapes: true, lines: false })
const raw = (open: string, close = open): Quote => ({ open, close, escapes: false, lines: false })
const multiline = (quote: Quote): Quote => ({ ...quote, lines: true })
const withHole = (quote: Quote, hole: string, dollar = false): Quote => ({ ...quote, hole, dollar })
/** The quotes after each of some prefixes. */
const prefixed = (prefixes: string, quote: Quote): Quote[] =>
  prefixes.split(' ').map((prefix) => ({ ...quote, open: prefix + quote.open }))

const double = plain('"')
const single = plain("'")
const template = withHole(multiline(plain('`')), '${')
const dollarDouble = withHole(double, '${', true)
const dollarTriple = withHole(multiline(raw('"""')), '${', true)

/** The rules of a language with comments as in C. Longer openings of quotes come first. */
const code = (group: Group, ...quotes: Quote[]): Rules => {
  return { group, lineComments: ['//'], blockComments: [['/*', '*/']], quotes }
}
const withMethods = (rules: Rules): Rules => ({ ...rules, hasMethods: true })

const js: Rules = { ...withMethods(code('js', template, double, single)), hasRegexes: true }
const python: Rules = {
  group: 'python',
  lineComments: ['#'],
  quotes: ['"""', "'''", '"', "'"].flatMap((mark) => {
    const quote = mark.length > 1 ? multiline(plain(mark)) : plain(mark)
    return [
      ...prefixed('rb br r R', { ...quote, escapes: false }),
      ...prefixed('fr rf f F', withHole(quote, '{')),
      ...prefixed('u b', quote),
      quote,
    ]
  }),
}
const kotlin = code('jvm', dollarTriple, dollarDouble, single)
const java = withMethods(code('jvm', multiline(plain('"""')), double, single))
const cs = withMethods(
  code(
    'cs',
    multiline(raw('"""')),
    ...prefixed('$@ @$', withHole(multiline(raw('"')), '{')),
    ...prefixed('@', multiline(raw('"'))),
    ...prefixed('$', withHole(double, '{')),
    double,
    single,
  ),
)
const ruby: Rules = {
  group: 'ruby',
  lineComments: ['#'],
  blockComments: [['=begin', '\n=end']],
  quotes: [withHole(double, '#{'), single, template],
  hasRegexes: true,
}
const php: Rules = {
  ...code('php', withHole(double, '{$', true), single),
  lineComments: ['//', '#'],
}
const go = code('go', multiline(raw('`')), double, single)
// An apostrophe begins the name of a lifetime.
const rust = code('rust', multiline(raw('r#"', '"#')), multiline(raw('r"', '"')), multiline(double))
const swift = code(
  'swift',
  withHole(multiline(plain('"""')), '\\('),
  raw('#"', '"#'),
  withHole(double, '\\('),
)
const dart = withMethods(
  code(
    'dart',
    ...['"""', "'''"].map((mark) => withHole(multiline(plain(mark)), '${', true)),
    ...prefixed('r', raw('"')),
    ...prefixed('r', raw("'")),
    dollarDouble,
    withHole(single, '${', true),
  ),
)

/** A file with code in markup: only its comments, its attributes and the strings in a line are known. */
const markup = (group: Group): Rules => ({
  group,
  quotes: [multiline(raw('="', '"')), multiline(raw("='", "'")), double, single, plain('`')],
  blockComments: [
    ['<!--', '-->'],
    ['{{--', '--}}'],
    ['<%#', '%>'],
    ['{/*', '*/}'],
    ['{#', '#}'],
    ['@*', '*@'],
  ],
  isMarkup: true,
})

const languages: readonly (readonly [Rules, extensions: string])[] = [
  [js, 'js jsx mjs cjs ts tsx mts cts es6'],
  [python, 'py pyi pyw'],
  [go, 'go'],
  [kotlin, 'kt kts groovy gradle scala'],
  [java, 'java'],
  [cs, 'cs'],
  // Elixir has calls, texts and comments like those of Ruby.
  [ruby, 'rb rake ru jbuilder ex exs'],
  [php, 'php inc'],
  [rust, 'rs'],
  [swift, 'swift'],
  [dart, 'dart'],
  [markup('js'), 'vue svelte astro mdx html htm hbs ejs'],
  [markup('ruby'), 'erb haml slim eex heex leex'],
  [markup('cs'), 'cshtml razor'],
  [markup('jvm'), 'jsp jspx ftl'],
  [markup('php'), 'blade.php twig'],
]

function languageWith(rules: Rules): Language {
  const { quotes, lineComments = [], blockComments = [] } = rules
  const marks: Marks[] = []
  const at = (mark: string) =>
    (marks[mark.charCodeAt(0)] ??= { quotes: [], lineComments: [], blockComments: [] })
  for (const quote of quotes) at(quote.open).quotes.push(quote)
  for (const mark of lineComments) at(mark).lineComments.push(mark)
  for (const pair of blockComments) at(pair[0]).blockComments.push(pair)
  return { ...rules, marks }
}

const byExtension = new Map(
  languages.flatMap(([rules, extensions]) => {
    const language = languageWith(rules)
    return extensions.split(' ').map((extension) => [extension, language] as const)
  }),
)
const other = languageWith({ group: 'other', quotes: [double, single], lineComments: ['//', '#'] })

/** The language of the scripts in a file with markup. */
export const SCRIPT = languageWith(js)

/** The language of a file, by its name; undefined if it is not known. */
export function knownLanguageOf(file: string): Language | undefined {
  const [, extension = ''] = /\.(blade\.php|\w+)$/i.exec(file) ?? []
  return byExtension.get(extension.toLowerCase())
}

export function languageOf(file: string): Language {
  return knownLanguageOf(file) ?? other
}

/** The group of the language of a file. */
export function groupOf(file: string): Group {
  return languageOf(file).group
}

/** Whether a block is found by its indentation, because it has no braces. */
export function hasIndentedBlocks(group: Group): boolean {
  return group === 'python' || group === 'ruby'
}
