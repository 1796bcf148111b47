import { type Blocks, inBlocks } from '../blocks.ts'
import type { Printer } from '../printer.ts'
import { alignedLines, columnWidths } from '../fields.ts'
import { groupBy } from '../../../groups.ts'
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
import { wrapIndented } from '../width.ts'

/** How serious a problem is; `info` is a fact worth knowing. */
export type Severity = 'error' | 'warning' | 'info'

/** A line of a report of problems, such as a finding, a name that breaks a rule, or a flag that fails a gate. */
export interface ReportItem {
  /** A stable code, such as that of a lint finding, or `naming`. */
  code: string
  severity: Severity
  message: string
  /** The flag name. */
  name?: string | undefined
  /** The project of the flag or the rule, if there are several. */
  project?: string | undefined
  /** A corrected name or pattern. */
  suggestion?: string | undefined
  /** From the working directory, with `/`. */
  file?: string | undefined
  /** 1-based. */
  line?: number | undefined
  /** 1-based, in UTF-16 units. */
  column?: number | undefined
}

export function sentence(item: ReportItem, { text }: Sanitizer): Safe {
  const { project, name, message, suggestion } = item
  const subject = [project, name].map((part) => (part === undefined ? '' : `${part}: `)).join('')
  const correction = suggestion === undefined ? '' : `; did you mean ${suggestion}`
  return text(subject + message + correction)
}

/** `3:12`, `3`, or an empty text if it is unknown. */
export function lineAndColumn({ line, column }: ReportItem): Safe {
  return formatted([line, column].filter((part) => part !== undefined).join(':'))
}

/** The position, the severity, the message, the name and the correction of an item. */
function cellsOf(item: ReportItem, { text, style }: Printer): [Safe, Safe, Safe, Safe, Safe] {
  const { severity, message, name = '', suggestion } = item
  const paint = { error: style.red, warning: style.yellow, info: style.dim }[severity]
  return [
    lineAndColumn(item),
    paint(text(severity)),
    text(message),
    style.bold(text(name)),
    text(suggestion === undefined ? '' : `did you mean ${suggestion}`),
  ]
}

/** An item over several lines: place, severity and name, then the message and the correction. */
function stackedLines(item: ReportItem, printer: Printer): Safe[] {
  const [place, severity, message, name, correction] = cellsOf(item, printer)
  const head = [printer.style.dim(place), severity, name].filter((cell) => cell !== '')
  // What follows a colon is an example or an explanation.
  const details = [...splitAfter(message, ': '), correction].filter((line) => line !== '')
  return [
    safe`  ${joined(head, '  ')}`,
    ...details.flatMap((line) => wrapIndented(safe`    ${line}`, printer.width)),
  ]
}

function headingOf({ file, project }: ReportItem): string | undefined {
  return file === undefined || project === undefined ? (file ?? project) : `${project}: ${file}`
}

/** The width of a line with columns of these widths, without the empty ones. */
function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => (width > 0 ? sum + 2 + width : sum), 0)
}

/** The items of a group in columns, without those that are empty; positions end in the same column. */
function alignedItems(items: readonly ReportItem[], widths: readonly number[], printer: Printer) {
  const isFilled = (_: unknown, column: number) => (widths[column] ?? 0) > 0
  const rows = items.map((item) => {
    const [place, ...cells] = cellsOf(item, printer)
    const blanks = padStart(safe``, (widths[0] ?? 0) - place.length)
    return [safe`${blanks}${printer.style.dim(place)}`, ...cells].filter(isFilled)
  })
  return alignedLines(rows, undefined, widths.filter(isFilled)).map((line) => safe`  ${line}`)
}

/**
 * The report as text, grouped by file or project in order of first occurrence: a heading, then a line for
 * each item with its position, severity, message, name and suggestion, or several lines if these would be
 * wider than the terminal. Empty without rows.
 * @param itemOf makes an item of a row when it is needed
 */
export function* textReport<Row>(
  rows: readonly Row[],
  itemOf: (row: Row) => ReportItem,
  printer: Printer,
): Blocks {
  const { style, text, width = Number.POSITIVE_INFINITY } = printer
  const groups = Array.from(
    groupBy(rows, (row) => headingOf(itemOf(row))),
    ([heading, some]) => ({
      heading,
      rows: some,
      widths: columnWidths(some, (row) => cellsOf(itemOf(row), printer)),
    }),
  )
  const isWide = groups.some(({ widths }) => lineWidth(widths) > width)
  for (const [index, { heading, rows, widths }] of groups.entries()) {
    const head = heading === undefined ? [] : [style.underline(text(heading))]
    yield linesOf([...(index > 0 ? [safe``] : []), ...head])
    yield* inBlocks(rows, (some) => {
      const items = some.map(itemOf)
      return linesOf(
        isWide
          ? items.flatMap((item) => stackedLines(item, printer))
          : alignedItems(items, widths, printer),
      )
    })
  }
}
