// Ours, because csv-stringify does not neutralise formulas.
import { jsonEscape } from '../escapes.ts'
import { hasOnlyLegalCharacters } from '../../input/flag-names.ts'
import type { Value } from '../fields.ts'
import type { BeginRows } from '../rows.ts'
import type { Writer } from '../text.ts'

// The signs that make a formula of a cell that a spreadsheet reads.
const SIGNS = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]'

/** Where a spreadsheet may find a formula: at the start of a cell, and after a mark that may separate cells. */
function formulaAfter(marks: string): RegExp {
  return new RegExp(`((?:^|[${marks}])[\\s"]*)(${SIGNS})`, 'g')
}

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g

/** A list or an object as JSON, in which the sign of a formula in a text is an escape. */
function jsonText(value: object, formula: RegExp, out: Writer): string {
  const json = out.printableJson(JSON.stringify(value))
  return json.replace(JSON_STRING, (text) =>
    text.replace(formula, (_, start: string, sign: string) => start + jsonEscape(sign)),
  )
}

// Names and times are repeated in many rows, and making a text safe takes longer than finding it.
const MAX_KNOWN = 10_000

interface RecordOptions {
  separator: string
  lineBreak: string
  /** What a spreadsheet may take for separators within a cell. */
  otherSeparators: string
  /** Quotes a text if it needs quotes. */
  quoted(text: string): string
}

/**
 * A function that makes the cell of a value, on one line. A formula that a spreadsheet would run gets a `'` in front, but for text
 * that a name of a flag may be.
 */
function createCell(
  { quoted, otherSeparators }: RecordOptions,
  out: Writer,
): (value: Value) => string {
  const cellsByText = new Map<string, string>()
  const formula = formulaAfter(otherSeparators)
  const formulaInJson = formulaAfter(`${otherSeparators}"`)
  const guarded = (text: string) =>
    hasOnlyLegalCharacters(text) ? text : text.replace(formula, "$1'$2")
  return (value) => {
    if (value == null) return ''
    if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
    if (typeof value === 'object') return quoted(jsonText(value, formulaInJson, out))
    const before = cellsByText.get(value)
    if (before !== undefined) return before
    const cell = quoted(guarded(out.printable(value)))
    if (cellsByText.size < MAX_KNOWN) cellsByText.set(value, cell)
    return cell
  }
}

/** Opens a format with a record for each row, after one with the names of the fields. */
export function recordsWith(options: RecordOptions): BeginRows {
  const { separator, lineBreak } = options
  return (fields, out) => {
    const named = fields.filter(({ name }) => name !== undefined)
    const cell = createCell(options, out)
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
  // As where a locale separates cells so. Commas are in quotation marks.
  otherSeparators: ';',
  // Printable text has no line breaks to quote.
  quoted: (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
})
