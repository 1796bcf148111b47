interface Block {
  open: string
  close: string
  /** Whether it may begin within a line. */
  anywhere: boolean
}

/** How a language marks comments and what its strings contain. */
export interface Syntax {
  /** Begins a comment up to the end of the line; sticky. */
  line: RegExp
  /** Comments over several lines. */
  blocks: readonly Block[]
  /** Whether a line can contain slash-star comments. */
  hasStars: boolean
  /** Whether quoted text contains expressions, as the attributes of a template do. */
  isMarkup: boolean
  /** Whether a triple-quoted string can be documentation. */
  hasDocstrings: boolean
}

// Not the slashes of a URL.
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
// In unknown languages, strings may contain code.
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

interface Span {
  start: number
  end: number
}

// A longer line is generated code, which has no comments.
const MAX_LINE_LENGTH = 1_000

const LINE_START = /(?:^|\n)[ \t]*\{?$/
const INDENTATION = 100

function beginsLine(text: string, index: number): boolean {
  return LINE_START.test(text.slice(Math.max(0, index - INDENTATION), index))
}

function blockSpans(text: string, { blocks }: Syntax): Span[] {
  const spans: Span[] = []
  for (const { open, close, anywhere } of blocks) {
    let start = text.indexOf(open)
    while (start !== -1) {
      const inside = start + open.length
      const isComment = anywhere || beginsLine(text, start)
      const end = isComment ? text.indexOf(close, inside) : inside
      // An unterminated block is not a comment, and no other block can follow.
      if (end === -1) break
      if (isComment) spans.push({ start, end })
      start = text.indexOf(open, end)
    }
  }
  return spans
}

const DOCUMENTATION = /(?::|@\w*doc)\s*(?:[rRuU]|~[sS])?$/
const FILE_HEAD = /^(?:\s*#[^\n]*\n)*\s*[rRuU]?$/
const HEAD_LENGTH = 2_000

/** Docstrings follow the colon of a definition, an Elixir attribute or the head of the file. */
function isDocumentation(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - INDENTATION), start)
  return DOCUMENTATION.test(before) || (start < HEAD_LENGTH && FILE_HEAD.test(text.slice(0, start)))
}

function docstringSpans(text: string): Span[] {
  const spans: Span[] = []
  let open: { quote: string; start: number } | undefined
  for (const { 0: quote, index } of text.matchAll(/"""|'''/g)) {
    if (open && open.quote !== quote) continue
    if (open && isDocumentation(text, open.start)) spans.push({ start: open.start, end: index })
    open = open ? undefined : { quote, start: index }
  }
  return spans
}

/** The spans in order, without those that begin inside another one. */
function inOrder(spans: Span[]): Span[] {
  const sorted = spans.sort((a, b) => a.start - b.start)
  let end = -1
  return sorted.filter((span) => {
    if (span.start < end) return false
    end = span.end
    return true
  })
}

/** Whether an index is in one of some ordered spans. */
function isInSpan(spans: readonly Span[], index: number): boolean {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.start ?? 0) <= index) low = middle + 1
    else high = middle
  }
  return (spans[low - 1]?.end ?? 0) > index
}

// Strings in attributes, annotations, interpolations and markup are evaluated.
const EVALUATED = /[{<=]|\\\(/
const EVALUATING = /=$|@\w+\((?:\w+\s*=\s*)?$/

/** Whether a string that begins at `start` and reaches beyond `at` is text rather than code. */
function isText(line: string, start: number, at: number): boolean {
  const inner = line.slice(start + 1, at)
  if (!/^(?:[\w!$@(]|$)/.test(inner)) return false
  return !EVALUATED.test(inner) && !EVALUATING.test(line.slice(0, start))
}

function closingQuote(line: string, start: number): number {
  const quote = line[start]
  for (let index = start + 1; index < line.length; index++) {
    if (line[index] === '\\') index++
    else if (line[index] === quote) return index
  }
  return -1
}

const MARK = /\/[/*]|#|["'`]/g
// An apostrophe follows a letter.
const OPENING = /(?:^|\W)(?:[rbufRBUF]{1,2}|s|raw|L|u8)?$/

function opensString(line: string, index: number): boolean {
  return OPENING.test(line.slice(Math.max(0, index - 4), index))
}

/** Whether the text between two columns of a line is in a comment or a string. */
function isHiddenInLine(line: string, from: number, to: number, syntax: Syntax): boolean {
  let next = 0
  for (const { 0: mark, index } of line.matchAll(MARK)) {
    if (index >= from) return false
    if (index < next) continue
    syntax.line.lastIndex = index
    if (syntax.line.test(line)) return true
    if (mark === '/*' && syntax.hasStars) {
      const end = line.indexOf('*/', index + 2)
      if (end === -1 || end >= to) return true
      next = end + 2
    } else if (/["'`]/.test(mark) && opensString(line, index)) {
      const end = closingQuote(line, index)
      if (end !== -1 && end < from) next = end + 1
      else if (end >= to && !syntax.isMarkup && isText(line, index, from)) return true
    }
  }
  return false
}

/**
 * A function that returns whether a part of the text is in a comment or a string. If in doubt, it returns
 * false, since a missed flag is worse than a false one: a comment counts only if its marker begins a line,
 * or is before the call on the same line and not in a string.
 */
export function createHiddenCheck(
  text: string,
  syntax: Syntax,
): (start: number, end: number) => boolean {
  const docstrings = syntax.hasDocstrings ? docstringSpans(text) : []
  const spans = inOrder([...blockSpans(text, syntax), ...docstrings])
  return (start, end) => {
    if (isInSpan(spans, start)) return true
    const before = text.slice(Math.max(0, start - MAX_LINE_LENGTH), start)
    const lineStart = start - before.length + before.lastIndexOf('\n') + 1
    if (start - lineStart === MAX_LINE_LENGTH) return false
    const [line = ''] = text.slice(lineStart, start + MAX_LINE_LENGTH).split('\n', 1)
    return isHiddenInLine(line, start - lineStart, end - lineStart, syntax)
  }
}
