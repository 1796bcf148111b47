import stringWidth from 'string-width'

const ASCII = /^[\x20-\x7e]*$/

/** The columns that printable text takes on a terminal. */
export function textWidth(printable: string): number {
  return ASCII.test(printable) ? printable.length : stringWidth(printable)
}

/** Printable text cut with `…`; whole characters, because cli-table3 would cut an emoji in half. */
export function cutText(printable: string, width: number): string {
  if (textWidth(printable) <= width) return printable
  if (ASCII.test(printable)) return `${printable.slice(0, width - 1)}…`
  let cut = ''
  let used = 1
  for (const { segment } of new Intl.Segmenter('en').segment(printable)) {
    used += textWidth(segment)
    if (used > width) break
    cut += segment
  }
  return `${cut}…`
}

/** Printable text in lines that fit a terminal, as far as its words do. None begins with `::`, as CI commands do. */
export function wrapText(printable: string, width: number | undefined): string {
  if (width === undefined) return printable
  const line = new RegExp(`(?!.{1,${width}}$)(.{1,${width}}) (?! *::)`, 'g')
  return printable.replace(line, '$1\n')
}
