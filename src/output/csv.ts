// Ours, because csv-stringify does not neutralise formulas.
import { jsonEscape } from './escapes.ts'
import type { Value } from './fields.ts'
import type { Writer } from './text.ts'

// The start of a cell that a spreadsheet would run, with the sign that makes it a formula. Where a
// locale separates cells by semicolons, a semicolon inside a cell begins another one.
const FORMULA = /((?:^|;)[\s"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** A cell; a formula that a spreadsheet would run gets a `'` in front, or an escape if it is JSON. */
function cell(value: Value, out: Writer): string {
  if (value == null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  const text =
    typeof value === 'string'
      ? out.printable(value).replace(FORMULA, "$1'$2")
      : out
          .printableJson(JSON.stringify(value))
          .replace(FORMULA, (_, start: string, sign: string) => start + jsonEscape(sign))
  // Printable text has no line breaks to quote.
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Records as CSV (RFC 4180). */
export function csvRecords(records: readonly (readonly Value[])[], out: Writer): string {
  return records
    .map((record) => `${record.map((value) => cell(value, out)).join(',')}\r\n`)
    .join('')
}
