import { formatted, type Safe, safe } from './text.ts'
import { textWidth, wrapIndented } from './width.ts'

const GAP = '  '

// Text in a narrower column is hard to read.
const MIN_COLUMN = 24

type Cells = readonly Safe[]

/** The widths of the columns of rows. Keeps no cells, because those of a million rows take too much memory. */
export function columnWidths<Row>(rows: readonly Row[], cellsOf: (row: Row) => Cells): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of cellsOf(row).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))
    }
  }
  return widths
}

/**
 * Lines of cells in aligned columns. The last cell of a row may be of any width.
 * @param width columns of the terminal: the last cell is wrapped or, without room, shown below the others
 */
export function alignedLines(
  rows: readonly Cells[],
  width?: number,
  widths = columnWidths(rows, (row) => row.slice(0, -1)),
): Safe[] {
  return rows.flatMap((row) => {
    const cells = row.slice(0, -1).map((cell, column) => {
      return cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(cell))) + GAP
    })
    return beside(formatted(cells.join('')), row.at(-1) ?? safe``, width)
  })
}

/** Text beside a label; if it is too long for the line, wrapped in its column or below the label. */
function beside(label: Safe, text: Safe, width = Number.POSITIVE_INFINITY): Safe[] {
  const indent = textWidth(label)
  const line = formatted((label + text).trimEnd())
  if (textWidth(line) <= width) return [line]
  if (width - indent < MIN_COLUMN) {
    const below = wrapIndented(safe`    ${text}`, width)
    return label === '' ? below : [...wrapIndented(formatted(label.trimEnd()), width, 2), ...below]
  }
  const [first = safe``, ...rest] = wrapIndented(text, width - indent)
  return [safe`${label}${first}`, ...rest.map((one) => formatted(' '.repeat(indent) + one))]
}

/** A label and its value, which may have several lines. */
type Field = readonly [label: string, value: Safe | undefined]

/**
 * Fields as lines of aligned labels and values. A field without a value is left out; its label still
 * takes part in the alignment, so that the columns are the same for all values.
 * @param width columns of the terminal
 */
export function fieldLines(fields: readonly Field[], indent = '', width?: number): Safe[] {
  const labelWidth = Math.max(...fields.map(([label]) => indent.length + label.length))
  const rows = fields.flatMap(([label, value]) =>
    (value?.split('\n') ?? []).map((line, index) =>
      [indent + (index === 0 ? label : ''), line].map(formatted),
    ),
  )
  return alignedLines(rows, width, [labelWidth])
}
