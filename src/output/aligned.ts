import { textWidth } from './width.ts'

const GAP = '  '

/** Lines of cells in aligned columns. The cells are safe to print; the last one of a row may be of any width. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
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
    return cells.join(GAP).trimEnd()
  })
}
