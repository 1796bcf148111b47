// Ours, because csv-stringify does not neutralise formulas.
import { jsonEscape } from '../escapes.ts'
import type { Value } from '../fields.ts'
import type { BeginRows } from '../rows.ts'
import type { Writer } from '../text.ts'

// The start of a cell that a spreadsheet would run, with the sign that makes it a formula. Where a
// locale separates cells by semicolons, a semicolon inside a cell begins another one.
const FORMULA = /((?:^|;)[\s"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** A list or an object as JSON, in which the sign of a formula is an escape. */
function jsonText(value: object, out: Writer): string {
  return out
    .printableJson(JSON.stringify(value))
    .replace(FORMULA, (_, start: string, sign: string) => start + jsonEscape(sign))
}

// Names and times are repeated in many rows, and making a text safe takes longer than finding it.
const MAX_KNOWN = 10_000

/**
 * A function that makes the cell of a value, on one line. A formula that a spreadsheet would run gets a `'` in front.
 * @param quoted quotes a text if it needs quotes
 */
function createCell(quoted: (text: string) => string, out: Writer): (value: Value) => string {
  const known = new Map<string, string>()
  return (value) => {
    if (value == null) return ''
    if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
    if (typeof value === 'object') return quoted(jsonText(value, out))
    const before = known.get(value)
    if (before !== undefined) return before
    const cell = quoted(out.printable(value).replace(FORMULA, "$1'$2"))
    if (known.size < MAX_KNOWN) known.set(value, cell)
    return cell
  }
}

/** Opens a format with a record for each row, after one with the names of the fields. */
export function recordsWith(options: {
  separator: string
  lineBreak: string
  quoted: (text: string) => string
}): BeginRows {
  const { separator, lineBreak, quoted } = options
  return (fields, out) => {
    const named = fields.filter(({ name }) => name !== undefined)
    const cell = createCell(quoted, out)
    const columns = named.map(({ value }) => value)
    const [first, ...others] = columns
    // Without lists of the values and cells of each row, which would take a tenth of the time.
    const lineOf = (row: Parameters<(typeof columns)[number]>[0]) => {
      let line = cell(first?.(row))
      for (const valueIn of others) line += separator + cell(valueIn(row))
      return line + lineBreak
    }
    let head = named.map(({ name }) => cell(name)).join(separator) + lineBreak
    const printHead = () => {
      out.raw(head)
      head = ''
    }
    return {
      add(rows) {
        printHead()
        out.raw(rows.map(lineOf).join(''))
      },
      end: printHead,
    }
  }
}

/** CSV (RFC 4180). */
export const beginRows = recordsWith({
  separator: ',',
  lineBreak: '\r\n',
  // Printable text has no line breaks to quote.
  quoted: (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
})
