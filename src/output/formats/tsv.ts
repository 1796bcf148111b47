import type { Value } from '../fields.ts'
import type { PrintRows } from '../rows.ts'
import { printRecords, valueText } from './csv.ts'

/** Prints values separated by tabs; a tab or a line break in a value is a visible escape (`\x09`, `\x0a`). */
export const printRows: PrintRows = (report, out) => {
  const lineOf = (values: readonly Value[]) =>
    `${values.map((value) => valueText(value, out)).join('\t')}\n`
  printRecords(report, lineOf, out)
}
