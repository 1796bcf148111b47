import stringWidth from 'string-width'
import { safeStart } from '../../output/escapes.ts'
import { groupBy } from '../../groups.ts'
import { formatted, joined, linesOf, type Safe } from './text.ts'

const ascii = /^[\x20-\x7e]*$/
const ELLIPSIS = '…'

/** Columns that printable text takes on a terminal: two for wide characters and emoji. */
export function textWidth(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text)
}

// `Intl.Segmenter` takes quadratic time on long text.
const CHUNK = 1000

/** The characters of text as the user sees them (grapheme clusters). */
function* characters(text: string): Generator<string> {
  if (ascii.test(text)) return yield* text
  const segmenter = new Intl.Segmenter()
  for (let start = 0; start < text.length; ) {
    const chunk = text.slice(start, start + CHUNK)
    const segments = Array.from(segmenter.segment(chunk), ({ segment }) => segment)
    // The last character may continue in the next chunk.
    if (start + CHUNK < text.length && segments.length > 1) segments.pop()
    for (const segment of segments) start += segment.length
    yield* segments
  }
}

function takeWidth(parts: Iterable<string>, width: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const part of parts) {
    used += textWidth(part)
    if (used > width) break
    taken.push(part)
  }
  return taken
}

// A composed emoji can take this many code units per column.
const UNITS_PER_COLUMN = 16

/** The end of text that fits into a width. */
function takeTail(text: string, width: number): string {
  const parts = [...characters(text.slice(-UNITS_PER_COLUMN * (width + 1)))]
  return takeWidth(parts.reverse(), width).reverse().join('')
}

/**
 * Shortens text (`checkout-…-basket`) to a width.
 * @param head the share of the width that the beginning gets
 */
function shorten(text: string, width: number, head: number): string {
  if (textWidth(text) <= width) return text
  if (width <= 1) return ELLIPSIS.slice(0, Math.max(0, width))
  const beginning = takeWidth(characters(text), Math.ceil((width - 1) * head)).join('')
  return beginning + ELLIPSIS + takeTail(text, width - 1 - textWidth(beginning))
}

/** Shortens text in the middle (`checkout-…-basket`) to at most this width. */
export function shortenMiddle(text: Safe, width: number): Safe {
  return formatted(shorten(text, width, 1 / 2))
}

// Names that look alike when shortened in one place may differ when shortened in another.
const heads = [1 / 2, 3 / 4, 1 / 4, 1, 0]

/** Shortens names to a width; undefined if different names would look the same. */
export function shortenNames(names: readonly Safe[], width: number): Safe[] | undefined {
  const shown = new Map<Safe, Safe>()
  const taken = new Set<string>()
  let pending = [...new Set(names)]
  for (const head of heads) {
    const alike = groupBy(pending, (name) => formatted(shorten(name, width, head)))
    pending = []
    for (const [short, group] of alike) {
      if (group.length === 1 && !taken.has(short)) {
        taken.add(short)
        for (const name of group) shown.set(name, short)
      } else pending = pending.concat(group)
    }
  }
  return pending.length > 0 ? undefined : names.map((name) => shown.get(name) ?? name)
}

/** Escapes a CI command that would begin a line at this index. */
function escapeStart(parts: string[], index: number): void {
  let start = index
  while (parts[start] === ' ') start++
  if (parts[start] === ':' && parts[start + 1] === ':') parts.splice(start + 1, 1, ...'\\x3a')
}

/** Cuts text into lines of at most this width, ignoring word boundaries. */
function breakText(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text]
  const lines: string[] = []
  const parts = [...characters(text)]
  let [line, used] = ['', 0]
  for (let index = 0; index < parts.length; index++) {
    const wide = textWidth(parts[index] ?? '')
    if (line !== '' && used + wide > width) {
      lines.push(line)
      line = ''
      used = 0
      escapeStart(parts, index)
    }
    line += parts[index]
    used += wide
  }
  return [...lines, line]
}

/** Joins words with spaces into lines of at most this width; longer words are cut, unless they are to stay whole. */
function wrapWords(words: readonly string[], width: number, whole = false): string[] {
  // Each word may become the first one of a line.
  const safeWords = words.map(safeStart)
  const parts = whole ? safeWords : safeWords.flatMap((word) => breakText(word, Math.max(1, width)))
  const lines: string[] = []
  let [line, used] = ['', 0]
  for (const part of parts) {
    const wide = textWidth(part)
    if (line !== '' && used + 1 + wide > width) {
      lines.push(line)
      line = ''
      used = 0
    }
    used += wide + (line === '' ? 0 : 1)
    line += (line && ' ') + part
  }
  return [...lines, line]
}

/** Cuts text into lines of at most this width, ignoring word boundaries; without a width, it stays whole. */
export function cutText(text: Safe, width = Number.POSITIVE_INFINITY): Safe[] {
  return breakText(text, Math.max(1, width)).map(formatted)
}

// A number stays with its unit: `48 h`.
const BETWEEN_WORDS = /(?<!\d) | (?!(?:ms|s|min|h|d|KB|MB)\b)/

/** Wraps text between words into lines of at most this width. */
export function wrapText(text: Safe, width: number): Safe[] {
  return textWidth(text) <= width
    ? [text]
    : wrapWords(text.split(BETWEEN_WORDS), width).map(formatted)
}

/**
 * Wraps a line between words; further lines get its indentation and a number of blanks. Longer words,
 * such as addresses and patterns, stay whole, so that they can be copied.
 */
export function wrapIndented(line: Safe, width = Number.POSITIVE_INFINITY, hanging = 0): Safe[] {
  if (textWidth(line) <= width) return [line]
  const [indent = ''] = /^ */.exec(line) ?? []
  const below = indent + ' '.repeat(hanging)
  const words = line.slice(indent.length).split(BETWEEN_WORDS)
  const [first = '', ...rest] = wrapWords(words, width - below.length, true)
  return [indent + first, ...rest.map((text) => below + text)].map(formatted)
}

/** Lines that people read, wrapped between words, each ended by a line break. */
export function wrappedLines(lines: readonly Safe[], width?: number, hanging = 0): Safe {
  return linesOf(lines.flatMap((line) => wrapIndented(line, width, hanging)))
}

/** Wraps text into at most this number of lines; an ellipsis marks text that was cut. */
export function fitText(text: Safe, width: number, most: number): Safe[] {
  const lines = wrapText(text, width)
  if (lines.length <= most) return lines
  const rest = lines.slice(most - 1).join(' ')
  return [...lines.slice(0, most - 1), formatted(shorten(rest, width, 1))]
}

/** Joins words with `, ` into lines of at most this width; without a width, into one line. */
export function wrapList(words: readonly Safe[], indent: number, width?: number): Safe {
  if (width === undefined) return joined(words, ', ')
  const last = words.length - 1
  const pieces = words.map((word, index) => (index === last ? word : `${word},`))
  return formatted(wrapWords(pieces, width - indent).join(`\n${' '.repeat(indent)}`))
}
