interface Block {
  open: string
  close: string
  /** Whether it need not begin a line. */
  anywhere: boolean
}

/** What marks comments in a language, and what its strings hold. */
export interface Syntax {
  /** Begins a comment up to the end of the line; sticky. */
  line: RegExp
  /** Comments over several lines. */
  blocks: readonly Block[]
  /** Whether a comment within a line is between slashes and stars. */
  hasStars: boolean
  /** Whether quoted text holds expressions, as the attributes of a template do. */
  isMarkup: boolean
  /** Whether a triple-quoted string can be the documentation of what is around it. */
  hasDocstrings: boolean
}

// Not the slashes of an address, as in `https://`.
const SLASHES = /(?<!:)\/\//y
const LEADING_SLASHES = /(?<=^[ \t]*)\/\//y
// Not the `#{` of an interpolation, nor the `#[` of an attribute.
const HASH = /(?<![^\s;])#(?![{[])/y
const SLASHES_OR_HASH = /(?<!:)\/\/|(?<![^\s;])#(?![{[])/y

const stars = { open: '/*', close: '*/', anywhere: false }
const anywhere = (open: string, close: string) => ({ open, close, anywhere: true })

const code: Syntax = {
  line: SLASHES,
  blocks: [stars],
  hasStars: true,
  isMarkup: false,
  hasDocstrings: false,
}
const script: Syntax = { ...code, line: HASH, blocks: [], hasStars: false }
const markup: Syntax = {
  line: LEADING_SLASHES,
  blocks: [
    stars,
    anywhere('<!--', '-->'),
    anywhere('{{--', '--}}'),
    anywhere('<%#', '%>'),
    anywhere('{/*', '*/}'),
  ],
  hasStars: false,
  isMarkup: true,
  hasDocstrings: false,
}
const twig: Syntax = { ...markup, blocks: [...markup.blocks, anywhere('{#', '#}')] }
// It is not known what the strings of other files are for.
const other: Syntax = { ...code, isMarkup: true }

const families: readonly (readonly [Syntax, string])[] = [
  [code, 'c cc cpp cs cts dart go groovy h hpp java js jsx kt kts m mjs cjs mm mts rs scala swift'],
  [code, 'ts tsx'],
  [{ ...code, line: SLASHES_OR_HASH }, 'php'],
  [script, 'cr jl pl r sh'],
  [{ ...script, hasDocstrings: true }, 'ex exs py pyi'],
  [{ ...script, blocks: [{ open: '=begin', close: '\n=end', anywhere: false }] }, 'rake rb'],
  [{ ...script, isMarkup: true }, 'conf env properties tf toml yaml yml'],
  [markup, 'astro cshtml ejs erb haml hbs htm jsp md mdx razor svelte vue xml'],
  [twig, 'html j2 jinja njk twig'],
]
const syntaxes = new Map(
  families.flatMap(([syntax, names]) => names.split(' ').map((name) => [name, syntax] as const)),
)

/** The syntax of a file, by its name. */
export function syntaxOf(file: string): Syntax {
  if (file.endsWith('.blade.php')) return markup
  return syntaxes.get(file.slice(file.lastIndexOf('.') + 1).toLowerCase()) ?? other
}
