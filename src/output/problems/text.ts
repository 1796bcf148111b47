import type { Severity } from '../../naming/finding.ts'
import { safeText } from '../escapes.ts'
import { textWidth } from '../width.ts'

/** A finding about a flag name or a naming rule. Its strings are not yet safe to print. */
export interface ReportItem {
  /** A stable code: the code of a lint finding, or `naming`. */
  code: string
  severity: Severity
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

/** The item in one sentence, safe to print. */
export function sentence({ name, message, suggestion }: ReportItem): string {
  const subject = name === undefined ? '' : `${name}: `
  const correction = suggestion === undefined ? '' : `; did you mean ${suggestion}`
  return safeText(subject + message + correction)
}

/** `3:12`, `3`, or an empty text if it is unknown. */
export function position({ line, column }: ReportItem): string {
  return [line, column].filter((part) => part !== undefined).join(':')
}

type Paint = (text: string) => string

/** How to colour; plain functions without colour. */
export interface ReportStyle {
  bold: Paint
  dim: Paint
  underline: Paint
  red: Paint
  yellow: Paint
}

interface Cell {
  text: string
  paint?: Paint
}

const GAP = '  '

function cellsOf(item: ReportItem, style: ReportStyle): Cell[] {
  const { severity, message, name = '', suggestion } = item
  return [
    { text: position(item), paint: style.dim },
    {
      text: severity,
      paint: { error: style.red, warning: style.yellow, info: style.dim }[severity],
    },
    { text: safeText(message) },
    { text: safeText(name), paint: style.bold },
    { text: suggestion === undefined ? '' : safeText(`did you mean ${suggestion}`) },
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

function lineOf(cells: readonly Cell[], widths: readonly number[]): string {
  const parts = cells.flatMap(({ text, paint }, column) => {
    const width = widths[column] ?? 0
    const padding = ' '.repeat(width - textWidth(text))
    const painted = text && paint ? paint(text) : text
    if (width === 0) return []
    return column === 0 ? padding + painted : painted + padding
  })
  return (GAP + parts.join(GAP)).trimEnd()
}

function blockOf(
  file: string | undefined,
  items: readonly ReportItem[],
  style: ReportStyle,
): string {
  const rows = items.map((item) => cellsOf(item, style))
  const widths = widthsOf(rows)
  const head = file === undefined ? [] : [style.underline(safeText(file))]
  return `${[...head, ...rows.map((cells) => lineOf(cells, widths))].join('\n')}\n`
}

/**
 * The report as text, grouped by file in order of first occurrence: a heading, then a line for each
 * item with its position, severity, message, name and suggestion. Empty without items.
 */
export function textReport(items: readonly ReportItem[], style: ReportStyle): string {
  const groups = new Map<string | undefined, ReportItem[]>()
  for (const item of items) {
    const group = groups.get(item.file)
    if (group) group.push(item)
    else groups.set(item.file, [item])
  }
  return [...groups].map(([file, group]) => blockOf(file, group, style)).join('\n')
}
