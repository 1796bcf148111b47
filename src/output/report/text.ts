import { safeText } from '../text.ts'
import { textWidth } from '../width.ts'
import { position, type ReportItem } from './item.ts'

type Paint = (text: string) => string

/** How to colour; plain functions when the output is not coloured. */
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
 * The report for people, grouped by file, in the order in which files first occur: a heading, then a
 * line for each item with its position, severity, message, name and suggestion. Ends in a line break;
 * empty without items.
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
