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
  const segments = new Intl.Segmenter('en').segment(printable)
  const characters = Array.from(segments, ({ segment }) => segment)
  const end = fitting(characters.toReversed(), tail).toReversed()
  return [...fitting(characters, head), '…', ...end].join('')
}

/** Printable text in lines that fit a terminal, as far as its words do. None begins with `::`, as CI commands do. */
export function wrapText(printable: string, width: number | undefined): string {
  if (width === undefined) return printable
  const line = new RegExp(`(?!.{1,${width}}$)(.{1,${width}}) (?! *::)`, 'g')
  return printable.replace(line, '$1\n')
}
