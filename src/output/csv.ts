import { stringify } from 'csv-stringify/sync'
import { safeText } from './text.ts'

/**
 * The start of a formula. Where a locale separates cells by semicolons, a semicolon inside a cell
 * begins another one.
 */
export const FORMULA = /((?:^|;)[\s"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** A text as a cell: safe to print, and with a `'` before a formula that a spreadsheet would run. */
export function csvCell(text: string | null | undefined): string {
  return safeText(text ?? '').replace(FORMULA, "$1'$2")
}

/** Rows of finished cells as CSV (RFC 4180) with a header. */
export function csvTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number | bigint)[])[],
): string {
  return stringify([...rows], {
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
  })
}
