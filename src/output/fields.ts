import { formatted, type Safe } from './text.ts'
import { textWidth } from './width.ts'

const GAP = '  '

/** Lines of cells in aligned columns. The last cell of a row may be of any width. */
export function alignedLines(rows: readonly (readonly Safe[])[]): Safe[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.slice(0, -1).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))
    }
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = column === row.length - 1 ? 0 : (widths[column] ?? 0)
      return cell + ' '.repeat(Math.max(0, width - textWidth(cell)))
    })
    return formatted(cells.join(GAP).trimEnd())
  })
}

/** A label and its value, which may have several lines. */
export type Field = readonly [label: string, value: Safe | undefined]

/**
 * Fields as lines of aligned labels and values. A field without a value is left out; its label still
 * takes part in the alignment, so that the columns are the same for all values.
 */
export function fieldLines(fields: readonly Field[], indent = ''): Safe[] {
  const width = Math.max(...fields.map(([label]) => label.length)) + 2
  return fields.flatMap(([label, value]) =>
    (value?.split('\n') ?? []).map((line, index) =>
      formatted(indent + (index === 0 ? label : '').padEnd(width) + line),
    ),
  )
}
