import stringWidth from 'string-width'

const ASCII = /^[\x20-\x7e]*$/

/** The columns that printable text takes on a terminal. */
export function textWidth(printable: string): number {
  return ASCII.test(printable) ? printable.length : stringWidth(printable)
}

/** The characters of a list, from an index on, that fit a width. */
function fitting(characters: readonly string[], width: number, from = 0): readonly string[] {
  let used = 0
  let end = from
  for (; end < characters.length; end++) {
    used += textWidth(characters[end] ?? '')
    if (used > width) break
  }
  return characters.slice(from, end)
}

// The segmenter takes quadratic time, so it gets pieces, with what may belong to their last character.
const PIECE = 400
const BEYOND = 100

/** What a terminal shows as one character. */
function charactersOf(text: string): string[] {
  const segmenter = new Intl.Segmenter('en')
  const characters: string[] = []
  for (let from = 0; from < text.length; ) {
    let length = 0
    for (const { segment, index } of segmenter.segment(text.slice(from, from + PIECE + BEYOND))) {
      if (index >= PIECE) break
      characters.push(segment)
      length = index + segment.length
    }
    from += length
  }
  return characters
}

/** Printable text over as many lines of a width as it needs. */
export function foldText(printable: string, width: number): string {
  const lines: string[] = []
  const characters = charactersOf(printable)
  for (let from = 0; from < characters.length; ) {
    const fits = fitting(characters, width, from)
    // A character may be wider than the line.
    const line = fits.length > 0 ? fits : characters.slice(from, from + 1)
    lines.push(line.join(''))
    from += line.length
  }
  return lines.join('\n')
}

/**
 * Printable text with `…` in place of what does not fit; whole characters, because cli-table3 would cut an emoji in half.
 * @param tail how many columns of it are for the end of the text
 */
export function cutText(printable: string, width: number, tail = 0): string {
  if (textWidth(printable) <= width) return printable
  const head = width - 1 - tail
  if (ASCII.test(printable)) {
    return `${printable.slice(0, head)}…${printable.slice(printable.length - tail)}`
  }
  const characters = charactersOf(printable)
  const end = fitting(characters.toReversed(), tail).toReversed()
  return [...fitting(characters, head), '…', ...end].join('')
}

// Each is like one word: a command of flagadm with its first words, an option with its value, and a figure with its unit.
const COMMAND = 'flagadm(?: [^ ]+){1,3}'
const OPTION = String.raw`\(?--[a-z-]+ [^ ]+`
const FIGURE = String.raw`\(?\d[\d,.]* (?:y|mo|d|h|min|M|B)\b[^ ]*|\(?\d+h \d+m\b[^ ]*`
const WORDS = new RegExp(`( *)(${COMMAND}|${OPTION}|${FIGURE}|[^ ]+)`, 'g')

// More would leave too little room for text.
const MAX_INDENT = 2 / 3

/**
 * Where the further lines of a text begin: below its last column (columns are two blanks apart), below its second one if that
 * is too far right, or below its start.
 */
function hangingIndent(text: string, width: number): string {
  const last = /^.* {2}(?=[^ ])/
  const second = /^ *[^ ].*? {2}(?=[^ ])/
  const starts = [last, second].map((column) => textWidth(column.exec(text)?.[0] ?? ''))
  const first = /^ */.exec(text)?.[0].length ?? 0
  const indent = starts.find((start) => start > 0 && start <= width * MAX_INDENT)
  return ' '.repeat(indent ?? first)
}

/** Printable text in lines that fit a terminal, as far as its words do. None begins with `::`, as CI commands do. */
export function wrapText(printable: string, width: number | undefined): string {
  if (width === undefined || textWidth(printable) <= width) return printable
  const indent = hangingIndent(printable, width)
  const lines: string[] = []
  let line = ''
  for (const [, blanks = '', word = ''] of printable.matchAll(WORDS)) {
    const longer = line + blanks + word
    if (line.trim() === '' || textWidth(longer) <= width || word.startsWith('::')) {
      line = longer
    } else {
      lines.push(line)
      line = indent + word
    }
  }
  return [...lines, line].join('\n')
}
