import { countWhile } from '../positions.ts'
import type { Language } from './languages.ts'
import { isWordPart } from './lexing.ts'
import type { Tokens } from './tokens.ts'

/** An expression in markup. Without content, it is a comment. */
export interface Hole {
  start: number
  end: number
  /** The content. */
  from: number
  to: number
}

// More text than a tag or an expression in a template has.
export const MAX_PART = 20_000
// More text than an expression in an attribute has.
const MAX_HOLE = 2_000

/** The mark that ends an expression, by the one that begins it. */
export const CLOSINGS: Readonly<Record<string, string>> = {
  '<%': '%>',
  '<?': '?>',
  '{{': '}}',
  '{%': '%}',
  '{!!': '!!}',
}

/** A part of a text with code in markup, in which no part is searched twice. */
export class Markup {
  readonly tokens: Tokens
  /** The end of the part. */
  readonly to: number
  readonly language: Language
  /** Where expressions may begin. */
  readonly #starts: number[] = []
  /** The search for each mark that was done last: where it began, and its result. */
  readonly #searches = new Map<string, { start: number; end: number }>()

  constructor(tokens: Tokens, from: number, to: number, language: Language) {
    this.tokens = tokens
    this.to = to
    this.language = language
    const marks = language.expressions ?? []
    if (marks.length === 0) return
    const pattern = new RegExp(marks.map((mark) => mark.replace(/[{$?]/g, '\\$&')).join('|'), 'g')
    pattern.lastIndex = from
    const { text } = tokens
    for (let match = pattern.exec(text); match && match.index < to; match = pattern.exec(text)) {
      this.#starts.push(match.index)
      pattern.lastIndex = match.index + 1
    }
  }

  /** The index of a mark after another one; -1 if there is none. */
  endOf(mark: string, start: number): number {
    const known = this.#searches.get(mark)
    if (known && known.start <= start && (known.end === -1 || start <= known.end)) return known.end
    const found = this.tokens.text.indexOf(mark, start)
    const end = found < this.to ? found : -1
    this.#searches.set(mark, { start, end })
    return end
  }

  /** The expressions that begin in a part; in a script, braces are those of the script. */
  holesIn(from: number, to: number, isScript = true): Hole[] {
    const starts = this.#starts
    const holes: Hole[] = []
    let at = from
    for (let next = countWhile(starts, (start) => start < from); next < starts.length; next++) {
      const start = starts[next] ?? 0
      if (start >= to) break
      const hole = start < at ? undefined : this.holeAt(start, isScript)
      if (!hole) continue
      holes.push(hole)
      at = hole.end
    }
    return holes
  }

  /** The expression that begins at an index. */
  holeAt(start: number, isScript = false): Hole | undefined {
    const { language, to: last } = this
    const { text } = this.tokens
    const mark = language.expressions?.find((one) => text.startsWith(one, start))
    if (mark === undefined) return undefined
    const comment = language.markup?.find(([open]) => text.startsWith(open, start))
    if (comment) {
      const closing = this.endOf(comment[1], start + comment[0].length)
      const end = closing + comment[1].length
      return closing === -1 ? undefined : { start, end, from: end, to: end }
    }
    if (isScript && mark.startsWith('{') && language.group === 'js') return undefined
    const from = start + mark.length
    const closing = CLOSINGS[mark]
    if (closing !== undefined) {
      const to = this.endOf(closing, from)
      return to === -1 ? undefined : { start, from, to, end: to + closing.length }
    }
    const limit = Math.min(last, start + MAX_HOLE)
    const isAt = mark === '@'
    const end = isAt ? atEnd(text, start, limit, language) : blockEnd(text, from, limit, '{', '}')
    if (end === -1 || end === limit) return undefined
    return { start, from, to: isAt ? end : end - 1, end }
  }
}

/** The code of PHP that begins and ends in a line, and may be in the value of an attribute. */
export function phpHoles(tokens: Tokens): Hole[] {
  const { text } = tokens
  const holes: Hole[] = []
  const markup = new Markup(tokens, 0, text.length, tokens.language)
  for (const { 0: mark, index: start } of text.matchAll(/<\?(?:=|php\b|(?!xml))/g)) {
    const from = start + mark.length
    const to = markup.endOf('?>', from)
    const line = markup.endOf('\n', from)
    if (to !== -1 && (line === -1 || to < line)) holes.push({ start, from, to, end: to + 2 })
  }
  return holes
}

/** The index after the bracket that closes a block. */
export function blockEnd(
  text: string,
  from: number,
  limit: number,
  open: string,
  close: string,
): number {
  let depth = 1
  for (let index = from; index < limit; index++) {
    if (text[index] === open) depth++
    else if (text[index] === close && --depth === 0) return index + 1
  }
  return limit
}

/** The index after an expression or directive that `@` begins; -1 for an address or an escaped `@@`. */
export function atEnd(text: string, start: number, limit: number, { group }: Language): number {
  if (start > 0 && (text[start - 1] === '@' || isWordPart(text, start - 1))) return -1
  const isRazor = group === 'cs'
  const head = isRazor ? /@(?:await\s+)?(?:\w+(?:\s*\()?|\()/y : /@\w+(?:\s+if)?\s*\(/y
  head.lastIndex = start
  const [begin] = head.exec(text) ?? []
  if (begin === undefined) return -1
  let at = start + begin.length
  if (begin.endsWith('(')) at = blockEnd(text, at, limit, '(', ')')
  if (!isRazor || begin === '@(') return at
  // The members, arguments and indexes that follow without a space.
  const tail = /[?!]*(?:\.[A-Za-z_]\w*|[([])/y
  for (tail.lastIndex = at; at < limit; tail.lastIndex = at) {
    const [next] = tail.exec(text) ?? []
    if (next === undefined) break
    at += next.length
    if (next.endsWith('(')) at = blockEnd(text, at, limit, '(', ')')
    if (next.endsWith('[')) at = blockEnd(text, at, limit, '[', ']')
  }
  return at
}
