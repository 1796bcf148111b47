import { csvRecords } from './csv.ts'
import type { RowField } from './fields.ts'
import { type Incomplete, incompleteLines } from './incomplete.ts'
import { markdownTable, markdownText } from './markdown.ts'
import { tableText } from './table.ts'
import type { Writer } from './text.ts'

export const rowFormats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'names'] as const
export type RowFormat = (typeof rowFormats)[number]

/** Rows, and what is around them. */
export interface RowReport<Row> {
  rows: readonly Row[]
  /** The first one is the name, for `-o names`. */
  fields: readonly RowField<Row>[]
  /** The line above a table. */
  caption?: string | undefined
  /** The line instead of an empty table. */
  nothing: string
  /** How many rows `--limit` leaves out. */
  cut?: number | undefined
  /** Lines below a table. */
  below?: readonly string[] | undefined
  incomplete?: readonly Incomplete[] | undefined
  /** The current time, for tables with times as ages. */
  now?: number | undefined
  /** Fields of the JSON document before the rows, and the name of the rows in it. */
  json?: { head?: object; rows: string } | undefined
  /** What a job finds its own comment by: a hidden comment at the start of the Markdown. */
  marker?: string | undefined
}

export interface ViewOptions {
  reverse?: boolean | undefined
  limit?: number | undefined
}

/** The first rows in an order, and how many more there are. */
export function firstRows<Row>(
  rows: readonly Row[],
  order: (a: Row, b: Row) => number,
  { reverse, limit }: ViewOptions,
): { rows: Row[]; cut: number } {
  const sorted = rows.toSorted((a, b) => (reverse ? order(b, a) : order(a, b)))
  const first = sorted.slice(0, limit)
  return { rows: first, cut: sorted.length - first.length }
}

function objectOf<Row>(fields: readonly RowField<Row>[], row: Row): object {
  const named = fields.flatMap((field) =>
    field.name === undefined ? [] : [[field.name, field.value(row) ?? null] as const],
  )
  return Object.fromEntries(named)
}

const BLOCK = 500

/** Rows in blocks: the text of all of them at once would take much memory. */
export function* blocksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += BLOCK) yield rows.slice(start, start + BLOCK)
}

function jsonLines(objects: readonly object[], out: Writer): string {
  return out.printableJson(objects.map((object) => `${JSON.stringify(object)}\n`).join(''))
}

function jsonDocument<Row>(report: RowReport<Row>, out: Writer): string {
  const { rows, fields, incomplete = [], json = { rows: 'rows' } } = report
  const document = {
    ...json.head,
    [json.rows]: rows.map((row) => objectOf(fields, row)),
    ...(incomplete.length > 0 && { incomplete }),
  }
  return `${out.printableJson(JSON.stringify(document))}\n`
}

/** Names, one per line, each once. */
export function nameLines(names: readonly string[], out: Writer): string {
  return [...new Set(names)].map((name) => `${out.printable(name)}\n`).join('')
}

/** The lines below a table. */
function linesBelow<Row>({ cut = 0, below = [], incomplete = [] }: RowReport<Row>): string[] {
  const more = cut > 0 ? [`${cut} more ${cut === 1 ? 'row' : 'rows'} not shown (--limit)`] : []
  return [...below, ...more, ...incompleteLines(incomplete)]
}

/** Lines with an empty one before them; empty if there are none. */
function block(lines: readonly string[], rendered: (line: string) => string): string {
  return lines.length > 0 ? `\n${lines.map((line) => `${rendered(line)}\n`).join('')}` : ''
}

function table<Row>(report: RowReport<Row>, out: Writer): string {
  const { rows, fields, caption, nothing, now } = report
  const rendered = (line: string) => out.rendered([line])
  const above = caption === undefined ? '' : `${rendered(caption)}\n\n`
  const below = linesBelow(report)
  if (rows.length === 0) return `${above}${rendered(nothing)}\n${block(below, rendered)}`
  const { text, note } = tableText(fields, rows, out, now)
  return above + text + block(note === undefined ? below : [note, ...below], rendered)
}

function markdown<Row>(report: RowReport<Row>, out: Writer): string {
  const { rows, fields, caption, nothing, marker } = report
  const rendered = (line: string) => markdownText(out.rendered([line]))
  const hidden = marker === undefined ? '' : `<!-- flagadm ${marker} -->\n`
  const above = caption === undefined ? '' : `${rendered(caption)}\n\n`
  const body = rows.length === 0 ? `${rendered(nothing)}\n` : markdownTable(fields, rows, out)
  // Without empty lines between them, Markdown would join the lines.
  const below = linesBelow(report).map((line) => block([line], rendered))
  return hidden + above + body + below.join('')
}

/** The text of rows in a format, in parts. */
export function* rowsText<Row>(
  format: RowFormat,
  report: RowReport<Row>,
  out: Writer,
): Generator<string> {
  const { rows, fields, incomplete = [] } = report
  const [first] = fields
  switch (format) {
    case 'table':
      yield table(report, out)
      break
    case 'markdown':
      yield markdown(report, out)
      break
    case 'csv': {
      const named = fields.filter(({ name }) => name !== undefined)
      yield csvRecords([named.map(({ name = '' }) => name)], out)
      for (const block of blocksOf(rows)) {
        const records = block.map((row) => named.map(({ value }) => value(row)))
        yield csvRecords(records, out)
      }
      break
    }
    case 'json':
      yield jsonDocument(report, out)
      break
    case 'jsonl':
      for (const block of blocksOf(rows)) {
        const objects = block.map((row) => objectOf(fields, row))
        yield jsonLines(objects, out)
      }
      // What is incomplete is the last object.
      yield jsonLines(incomplete.length > 0 ? [{ incomplete }] : [], out)
      break
    case 'names': {
      const names = rows.map((row) => `${first?.value(row)}`)
      yield nameLines(names, out)
    }
  }
}

/** Prints rows in a format. */
export function printRows<Row>(format: RowFormat, report: RowReport<Row>, out: Writer): void {
  for (const text of rowsText(format, report, out)) out.raw(text)
}
