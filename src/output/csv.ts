import { stringify } from 'csv-stringify/sync'
import { safeText } from './escapes.ts'

// The start of a cell that a spreadsheet would run, with the sign that makes it a formula. Where a
// locale separates cells by semicolons, a semicolon inside a cell begins another one.
export const FORMULA = /((?:^|;)[\s"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

// A fast path for most text: without what `safeText` escapes, and without formulas.
const PLAIN = /^\w[\w .:-]*$/

/** A cell of text from outside; a formula that a spreadsheet would run gets a `'` in front. */
export function csvCell(text: string | null = ''): string {
  if (text === null || PLAIN.test(text)) return text ?? ''
  return safeText(text).replace(FORMULA, "$1'$2")
}

/** Records as CSV (RFC 4180). */
export function csv(records: readonly (readonly (string | number | bigint)[])[]): string {
  return stringify([...records], { record_delimiter: 'windows' })
}
