// Ours, because csv-stringify does not neutralise formulas.
import { jsonEscape } from '../escapes.ts'
import type { Value } from '../fields.ts'
import { blocksOf, type PrintRows, type RowReport } from '../rows.ts'
import type { Writer } from '../text.ts'

// The start of a cell that a spreadsheet would run, with the sign that makes it a formula. Where a
// locale separates cells by semicolons, a semicolon inside a cell begins another one.
const FORMULA = /((?:^|;)[\s"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** A value on one line; a formula that a spreadsheet would run gets a `'` in front, or an escape if it is JSON. */
export function valueText(value: Value, out: Writer): string {
  if (value == null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  if (typeof value === 'string') return out.printable(value).replace(FORMULA, "$1'$2")
  return out
    .printableJson(JSON.stringify(value))
    .replace(FORMULA, (_, start: string, sign: string) => start + jsonEscape(sign))
}

/** Prints a record with the names of the fields, then one for each row, in blocks. */
export function printRecords<Row>(
  { rows, fields }: Pick<RowReport<Row>, 'rows' | 'fields'>,
  lineOf: (values: readonly Value[]) => string,
  out: Writer,
): void {
  const named = fields.filter(({ name }) => name !== undefined)
  out.raw(lineOf(named.map(({ name }) => name)))
  for (const block of blocksOf(rows)) {
    out.raw(block.map((row) => lineOf(named.map(({ value }) => value(row)))).join(''))
  }
}

// Printable text has no line breaks to quote.
const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Prints CSV (RFC 4180). */
export const printRows: PrintRows = (report, out) => {
  const lineOf = (values: readonly Value[]) =>
    `${values.map((value) => quoted(valueText(value, out))).join(',')}\r\n`
  printRecords(report, lineOf, out)
}
