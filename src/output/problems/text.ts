import type { Printer } from '../printer.ts'
import type { Paint } from '../style.ts'
import { formatted, joined, linesOf, type Safe, type Sanitizer } from '../text.ts'
import { textWidth } from '../width.ts'

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

interface Cell {
  text: Safe
  paint?: Paint
}

const GAP = '  '

function cellsOf(item: ReportItem, { text, style }: Printer): Cell[] {
  const { severity, message, name = '', suggestion } = item
  return [
    { text: position(item), paint: style.dim },
    {
      text: text(severity),
      paint: { error: style.red, warning: style.yellow, info: style.dim }[severity],
    },
    { text: text(message) },
    { text: text(name), paint: style.bold },
    { text: text(suggestion === undefined ? '' : `did you mean ${suggestion}`) },
  ]
}

function widthsOf(rows: readonly Cell[][]): number[] {
  const widths: number[] = []
  for (const cells of rows) {
    for (const [column, { text }] of cells.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(text))
    }
  }
  return widths
}

function lineOf(cells: readonly Cell[], widths: readonly number[]): Safe {
  const parts = cells.flatMap(({ text, paint }, column) => {
    const width = widths[column] ?? 0
    const padding = ' '.repeat(width - textWidth(text))
    const painted = text && paint ? paint(text) : text
    if (width === 0) return []
    return column === 0 ? padding + painted : painted + padding
  })
  return formatted((GAP + parts.join(GAP)).trimEnd())
}

function blockOf(file: string | undefined, items: readonly ReportItem[], printer: Printer): Safe {
  const rows = items.map((item) => cellsOf(item, printer))
  const widths = widthsOf(rows)
  const head = file === undefined ? [] : [printer.style.underline(printer.text(file))]
  return linesOf([...head, ...rows.map((cells) => lineOf(cells, widths))])
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
