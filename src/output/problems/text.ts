import type { Printer } from '../printer.ts'
import { alignedLines } from '../fields.ts'
import {
  formatted,
  joined,
  linesOf,
  padStart,
  type Safe,
  safe,
  type Sanitizer,
  splitAfter,
} from '../text.ts'
import { textWidth, wrapIndented } from '../width.ts'

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

/** The cells of items, without columns that are empty; positions end in the same column. */
function rowsOf(items: readonly ReportItem[], printer: Printer): Safe[][] {
  const rows = items.map((item) => cellsOf(item, printer))
  const widest = rows.reduce((most, [place = safe``]) => Math.max(most, place.length), 0)
  const placed = rows.map(([place = safe``, ...cells]) => {
    const blanks = padStart(safe``, widest - place.length)
    return [safe`${blanks}${printer.style.dim(place)}`, ...cells]
  })
  const filled = [0, 1, 2, 3, 4].filter((column) => rows.some((cells) => cells[column] !== ''))
  return placed.map((cells) => filled.map((column) => cells[column] ?? safe``))
}

/** An item over several lines: place, severity and name, then the message and the correction. */
function stackedLines(item: ReportItem, printer: Printer): Safe[] {
  const [place = safe``, severity = safe``, message = safe``, name = safe``, correction = safe``] =
    cellsOf(item, printer)
  const head = [printer.style.dim(place), severity, name].filter((cell) => cell !== '')
  // What follows a colon is an example or an explanation.
  const details = [...splitAfter(message, ': '), correction].filter((line) => line !== '')
  return [
    safe`  ${joined(head, '  ')}`,
    ...details.flatMap((line) => wrapIndented(safe`    ${line}`, printer.width)),
  ]
}

/**
 * The report as text, grouped by file in order of first occurrence: a heading, then a line for each
 * item with its position, severity, message, name and suggestion, or several lines if these would be
 * wider than the terminal. Empty without items.
 */
export function textReport(items: readonly ReportItem[], printer: Printer): Safe {
  const { style, text, width } = printer
  const groups = new Map<string | undefined, ReportItem[]>()
  for (const item of items) {
    const group = groups.get(item.file)
    if (group) group.push(item)
    else groups.set(item.file, [item])
  }
  const aligned = Array.from(groups.values(), (group) =>
    alignedLines(rowsOf(group, printer)).map((line) => safe`  ${line}`),
  )
  const isWide =
    width !== undefined && aligned.some((lines) => lines.some((line) => textWidth(line) > width))
  const blocks = Array.from(groups, ([file, group], index) => {
    const head = file === undefined ? [] : [style.underline(text(file))]
    const lines = isWide ? group.flatMap((item) => stackedLines(item, printer)) : aligned[index]
    return linesOf([...head, ...(lines ?? [])])
  })
  return joined(blocks, '\n')
}
