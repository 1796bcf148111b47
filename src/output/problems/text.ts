import type { Printer } from '../printer.ts'
import { alignedLines } from '../fields.ts'
import { formatted, joined, linesOf, padStart, type Safe, safe, type Sanitizer } from '../text.ts'

/** A problem with a flag name or a naming rule. */
export interface ReportItem {
  /** A stable code: the code of a lint finding, or `naming`. */
  code: string
  severity: 'error' | 'warning' | 'info'
  message: string
  /** The flag name. */
  name?: string
  /** A corrected name or pattern. */
  suggestion?: string
  /** From the working directory, with `/`. */
  file?: string
  /** 1-based. */
  line?: number
  /** 1-based, in UTF-16 units. */
  column?: number
}

/** The item in one sentence. */
export function sentence({ name, message, suggestion }: ReportItem, { text }: Sanitizer): Safe {
  const subject = name === undefined ? '' : `${name}: `
  const correction = suggestion === undefined ? '' : `; did you mean ${suggestion}`
  return text(subject + message + correction)
}

/** `3:12`, `3`, or an empty text if it is unknown. */
export function position({ line, column }: ReportItem): Safe {
  return formatted([line, column].filter((part) => part !== undefined).join(':'))
}

function cellsOf(item: ReportItem, { text, style }: Printer): Safe[] {
  const { severity, message, name = '', suggestion } = item
  const paint = { error: style.red, warning: style.yellow, info: style.dim }[severity]
  return [
    position(item),
    paint(text(severity)),
    text(message),
    style.bold(text(name)),
    text(suggestion === undefined ? '' : `did you mean ${suggestion}`),
  ]
}

function blockOf(file: string | undefined, items: readonly ReportItem[], printer: Printer): Safe {
  const { style, text } = printer
  const rows = items.map((item) => cellsOf(item, printer))
  const widest = rows.reduce((most, [place = safe``]) => Math.max(most, place.length), 0)
  const placed = rows.map(([place = safe``, ...cells]) => {
    const blanks = padStart(safe``, widest - place.length)
    return [safe`${blanks}${style.dim(place)}`, ...cells]
  })
  const filled = [0, 1, 2, 3, 4].filter((column) => rows.some((cells) => cells[column] !== ''))
  const lines = alignedLines(placed.map((cells) => filled.map((column) => cells[column] ?? safe``)))
  const head = file === undefined ? [] : [style.underline(text(file))]
  return linesOf([...head, ...lines.map((line) => safe`  ${line}`)])
}

/**
 * The report as text, grouped by file in order of first occurrence: a heading, then a line for each
 * item with its position, severity, message, name and suggestion. Empty without items.
 */
export function textReport(items: readonly ReportItem[], printer: Printer): Safe {
  const groups = new Map<string | undefined, ReportItem[]>()
  for (const item of items) {
    const group = groups.get(item.file)
    if (group) group.push(item)
    else groups.set(item.file, [item])
  }
  return joined(
    [...groups].map(([file, group]) => blockOf(file, group, printer)),
    '\n',
  )
}
