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
  | 'elixir'
  | 'other'

/** The strings and comments that can begin at a character. */
export interface Marks {
  quotes: Quote[]
  lineComments: string[]
  blockComments: (readonly [string, string])[]
}

/** The lexical rules of a language, and the languages that it shares constants with. */
export interface Language extends Rules {
  /** By the code of the first character. */
  marks: readonly Marks[]
}

interface Rules {
  group: Group
  /** Begin a comment up to the end of the line. */
  lineComments: readonly string[]
  blockComments: readonly (readonly [string, string])[]
  /** Longer openings first. */
  quotes: readonly Quote[]
  /** Whether `/` can begin a regular expression. */
  regexes: boolean
  /** Whether methods are defined without a keyword. Elsewhere, a block after a call belongs to the call. */
  methods?: boolean
  /** Whether code is embedded in text, and with which marks of comments. */
  markup?: readonly (readonly [string, string])[]
  /** The marks of expressions in attributes, scripts and code in markup. Longer ones first. */
  expressions?: readonly string[]
  /** Whether it has the syntax of Twig. */
  twig?: boolean
  /** Whether strings are code, as in the expressions of configuration files. */
  evaluates?: boolean
}

const stars = ['/*', '*/'] as const
const plain = (open: string): Quote => ({ open, close: open, escapes: true, lines: false })
const multiline = (open: string): Quote => ({ ...plain(open), lines: true })
const raw = (open: string, close = open): Quote => {
  return { open, close, escapes: false, lines: false }
}
const multilineRaw = (open: string, close = open): Quote => ({ ...raw(open, close), lines: true })
const withHole = (quote: Quote, hole: string, dollar = false): Quote => {
  return { ...quote, hole, dollar }
}
const double = plain('"')
const single = plain("'")
const template = withHole(multiline('`'), '${')

/** The quotes after each of some prefixes. */
function prefixed(prefixes: string, quote: Quote): Quote[] {
  return prefixes.split(' ').map((prefix) => ({ ...quote, open: prefix + quote.open }))
}

const js: Rules = {
  group: 'js',
  lineComments: ['//'],
  blockComments: [stars],
  quotes: [template, double, single],
  regexes: true,
  methods: true,
}
const code = (group: Group, ...quotes: Quote[]): Rules => {
  return { group, lineComments: ['//'], blockComments: [stars], quotes, regexes: false }
}
const withMethods = (language: Rules): Rules => ({ ...language, methods: true })
const script = (group: Group, ...quotes: Quote[]): Rules => {
  return { group, lineComments: ['#'], blockComments: [], quotes, regexes: false }
}

const pythonQuotes = ['"""', "'''", '"', "'"].flatMap((mark) => {
  const quote = mark.length > 1 ? multiline(mark) : plain(mark)
  return [
    ...prefixed('rb rB Rb RB br bR Br BR r R', { ...quote, escapes: false }),
    ...prefixed('fr fR Fr FR rf rF Rf RF', { ...withHole(quote, '{'), escapes: false }),
    ...prefixed('f F', withHole(quote, '{')),
    ...prefixed('u U b B', quote),
    quote,
  ]
})
const python = script('python', ...pythonQuotes)

const dollarDouble = withHole(double, '${', true)
const dollarTriple = withHole(multilineRaw('"""'), '${', true)
const kotlin = code('jvm', dollarTriple, dollarDouble, single)
const java = withMethods(code('jvm', multiline('"""'), double, single))
const scala = code(
  'jvm',
  ...prefixed('s f', dollarTriple),
  ...prefixed('s f', dollarDouble),
  ...prefixed('raw', raw('"')),
  multilineRaw('"""'),
  double,
  single,
)
const cs = withMethods(
  code(
    'cs',
    multilineRaw('"""'),
    ...prefixed('$@ @$', withHole(multilineRaw('"'), '{')),
    ...prefixed('@', multilineRaw('"')),
    ...prefixed('$', withHole(double, '{')),
    double,
    single,
  ),
)
const ruby: Rules = {
  ...script('ruby', withHole(double, '#{'), single, template),
  blockComments: [['=begin', '\n=end']],
  regexes: true,
}
const elixir = script(
  'elixir',
  withHole(multiline('"""'), '#{'),
  ...prefixed('~s ~S', withHole(multiline('"""'), '#{')),
  ...prefixed('~s ~S', double),
  withHole(double, '#{'),
  multiline("'''"),
  single,
)
const php: Rules = {
  ...code('php', withHole(double, '{$', true), single),
  lineComments: ['//', '#'],
}
const go = code('go', multilineRaw('`'), double, single)
const rust = code(
  'rust',
  ...['###', '##', '#', ''].flatMap((hashes) =>
    prefixed('r br', multilineRaw(`${hashes}"`, `"${hashes}`)),
  ),
  ...prefixed('b', multiline('"')),
  multiline('"'),
  single,
)
const swift = code(
  'swift',
  withHole(multiline('"""'), '\\('),
  raw('#"', '"#'),
  withHole(double, '\\('),
)
const dart = withMethods(
  code(
    'dart',
    ...['"""', "'''"].map((mark) => withHole(multiline(mark), '${', true)),
    ...prefixed('r', raw('"')),
    ...prefixed('r', raw("'")),
    dollarDouble,
    withHole(single, '${', true),
  ),
)
const c = withMethods(code('other', ...prefixed('L u8', double), double, single))
const data: Rules = { ...script('other', double, single), evaluates: true }
const markupComments = [
  ['<!--', '-->'],
  ['{{--', '--}}'],
  ['<%#', '%>'],
  ['{/*', '*/}'],
  ['@*', '*@'],
] as const
const inMarkup = (language: Rules, marks = ''): Rules => {
  return { ...language, markup: markupComments, expressions: marks.split(' ').filter(Boolean) }
}
const twig: Rules = {
  ...inMarkup(php, '{{ {%'),
  quotes: [double, single],
  lineComments: [],
  markup: [...markupComments, ['{#', '#}']],
  twig: true,
}

const DATA = 'yaml yml toml properties conf cfg ini env tf json json5 jsonc xml'

const languages: readonly (readonly [Rules, string])[] = [
  [js, 'js jsx mjs cjs ts tsx mts cts es6 coffee'],
  [python, 'py pyi pyw'],
  [go, 'go'],
  [kotlin, 'kt kts groovy gradle'],
  [java, 'java'],
  [scala, 'scala sc'],
  [cs, 'cs fs vb'],
  [ruby, 'rb rake gemspec ru haml slim jbuilder'],
  [php, 'php inc'],
  [rust, 'rs'],
  [swift, 'swift'],
  [dart, 'dart'],
  [elixir, 'ex exs'],
  [c, 'c cc cpp cxx h hh hpp m mm'],
  [inMarkup(js), 'vue astro mdx marko'],
  [inMarkup(js, '{'), 'svelte'],
  [inMarkup(js, '<% <? {{ {%'), 'html htm hbs handlebars ejs'],
  [inMarkup(ruby, '<%'), 'erb'],
  [inMarkup(elixir, '<%'), 'eex heex leex'],
  [inMarkup(cs, '@'), 'cshtml razor'],
  [inMarkup(java, '<% ${ #{'), 'jsp jspx ftl'],
  [twig, 'twig j2 jinja jinja2 njk liquid'],
  [data, DATA],
  [script('other', double, single), 'sh bash zsh fish pl pm r jl cr'],
]

function withMarks(rules: Rules): Language {
  const marks: Marks[] = []
  const at = (mark: string) =>
    (marks[mark.charCodeAt(0)] ??= { quotes: [], lineComments: [], blockComments: [] })
  for (const quote of rules.quotes) at(quote.open).quotes.push(quote)
  for (const mark of rules.lineComments) at(mark).lineComments.push(mark)
  for (const pair of rules.blockComments) at(pair[0]).blockComments.push(pair)
  return { ...rules, marks }
}

const byExtension = new Map(
  languages.flatMap(([rules, names]) => {
    const language = withMarks(rules)
    return names.split(' ').map((name) => [name, language] as const)
  }),
)
const unknown = withMarks({ ...c, evaluates: true })
const blade = withMarks(inMarkup(php, '<? {{ {!! @'))

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1).toLowerCase()
}

/** The language of a file, by its name. */
export function languageOf(file: string): Language {
  if (file.endsWith('.blade.php')) return blade
  return byExtension.get(extensionOf(file)) ?? unknown
}

/** Whether a file has code, by its name: not one with data, such as a lock file, nor one of an unknown language. */
export function hasCode(file: string): boolean {
  const extension = extensionOf(file)
  return byExtension.has(extension) && !DATA.split(' ').includes(extension)
}

/** The group of the language of a file. */
export function groupOf(file: string): Group {
  return languageOf(file).group
}

/** Whether calls need no brackets, names may end in `?` or `!`, and texts may be symbols, as in `:name`. */
export function isRubyLike(group: Group): boolean {
  return group === 'ruby' || group === 'elixir'
}

/** Whether a block is found by its indentation, because it has no braces. */
export function hasIndentedBlocks(group: Group): boolean {
  return group === 'python' || isRubyLike(group)
}

/** The language of the scripts in a file with markup. */
export const SCRIPT = withMarks(js)
