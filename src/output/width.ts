import stringWidth from 'string-width'

const ASCII = /^[\x20-\x7e]*$/

/** The columns that printable text takes on a terminal. */
export function textWidth(printable: string): number {
  return ASCII.test(printable) ? printable.length : stringWidth(printable)
}

/** The characters at the start of a list that fit a width. */
function fitting(characters: readonly string[], width: number): readonly string[] {
  let used = 0
  const end = characters.findIndex((character) => {
    used += textWidth(character)
    return used > width
  })
  return end < 0 ? characters : characters.slice(0, end)
}

const charactersOf = (text: string) =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment)

/** Printable text over as many lines of a width as it needs. */
export function foldText(printable: string, width: number): string {
  const lines: string[] = []
  let rest: readonly string[] = charactersOf(printable)
  while (rest.length > 0) {
    // A character may be wider than the line.
    const count = Math.max(1, fitting(rest, width).length)
    lines.push(rest.slice(0, count).join(''))
    rest = rest.slice(count)
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
