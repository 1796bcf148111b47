import stringWidth from 'string-width'

const ascii = /^[\x20-\x7e]*$/
const ELLIPSIS = '…'

/** Columns that printable text takes on a terminal: two for wide characters and emoji. */
export function textWidth(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text)
}

function characters(text: string): string[] {
  if (ascii.test(text)) return [...text]
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
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

/** Shortens text in the middle (`checkout-…-basket`) to so many columns at most. */
export function shortenMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width <= 1) return ELLIPSIS.slice(0, Math.max(0, width))
  const parts = characters(text)
  const room = width - 1
  const head = takeWidth(parts, Math.ceil(room / 2))
  const tail = takeWidth(parts.reverse(), room - Math.ceil(room / 2)).reverse()
  return head.join('') + ELLIPSIS + tail.join('')
}

/** Joins words with `, ` into lines of so many columns at most; without a width, into one line. */
export function wrapList(words: readonly string[], indent: number, width?: number): string {
  if (width === undefined) return words.join(', ')
  const room = Math.max(1, width - indent)
  const lines: string[] = []
  let line = ''
  words.forEach((word, index) => {
    const last = index === words.length - 1
    const piece = shortenMiddle(word, room - 1) + (last ? '' : ',')
    if (line && textWidth(line) + 1 + textWidth(piece) > room) {
      lines.push(line)
      line = ''
    }
    line += (line && ' ') + piece
  })
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}
