import { csvRecords } from './csv.ts'
import type { RowField } from './fields.ts'
import { type Incomplete, incompleteLines } from './incomplete.ts'
import { markdownTable, markdownText } from './markdown.ts'
import { tableText, wrapText } from './table.ts'
import type { Line, Writer } from './text.ts'

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
  const object: Record<string, unknown> = {}
  for (const { name, value } of fields) if (name !== undefined) object[name] = value(row) ?? null
  return object
}

const BLOCK = 500

/** Rows in blocks: the text of all of them at once would take much memory. */
export function* blocksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += BLOCK) yield rows.slice(start, start + BLOCK)
}

export function jsonLines(objects: readonly object[], out: Writer): string {
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

/** The lines below a table, and last what is incomplete. */
function linesBelow<Row>({ cut = 0, below = [], incomplete = [] }: RowReport<Row>) {
  const more = cut > 0 ? [`${cut} more ${cut === 1 ? 'row' : 'rows'} not shown (--limit)`] : []
  return { lines: [...below, ...more], gaps: incompleteLines(incomplete) }
}

function* table<Row>(report: RowReport<Row>, out: Writer): Generator<string> {
  const { rows, fields, caption, nothing, now } = report
  const textOf = (...line: Line) => `${wrapText(out.rendered(line), out.width)}\n`
  if (caption !== undefined) yield `${textOf(caption)}\n`
  const drawn = rows.length > 0 ? tableText(fields, rows, out, now) : undefined
  if (drawn) yield* drawn.blocks
  else yield textOf(nothing)
  const { lines, gaps } = linesBelow(report)
  const notes = drawn?.note === undefined ? lines : [drawn.note, ...lines]
  const incomplete = gaps.map((line) => textOf({ magenta: line }))
  const below = [...notes.map((line) => textOf(line)), ...incomplete]
  if (below.length > 0) yield `\n${below.join('')}`
}

function markdown<Row>(report: RowReport<Row>, out: Writer): string {
  const { rows, fields, caption, nothing, marker } = report
  const textOf = (line: string) => `${markdownText(out.rendered([line]))}\n`
  const hidden = marker === undefined ? '' : `<!-- flagadm ${marker} -->\n`
  const above = caption === undefined ? '' : `${textOf(caption)}\n`
  const body = rows.length === 0 ? textOf(nothing) : markdownTable(fields, rows, out)
  const { lines, gaps } = linesBelow(report)
  // Without empty lines between them, Markdown would join the lines.
  const below = [...lines, ...gaps].map((line) => `\n${textOf(line)}`)
  return hidden + above + body + below.join('')
}

/** Prints rows in a format, in parts. */
export function printRows<Row>(format: RowFormat, report: RowReport<Row>, out: Writer): void {
  const { rows, fields, incomplete = [] } = report
  switch (format) {
    case 'table':
      for (const text of table(report, out)) out.raw(text)
      break
    case 'markdown':
      out.raw(markdown(report, out))
      break
    case 'csv': {
      const named = fields.filter(({ name }) => name !== undefined)
      out.raw(csvRecords([named.map(({ name = '' }) => name)], out))
      for (const block of blocksOf(rows)) {
        const records = block.map((row) => named.map(({ value }) => value(row)))
        out.raw(csvRecords(records, out))
      }
      break
    }
    case 'json':
      out.raw(jsonDocument(report, out))
      break
    case 'jsonl':
      for (const block of blocksOf(rows)) {
        const objects = block.map((row) => objectOf(fields, row))
        out.raw(jsonLines(objects, out))
      }
      // What is incomplete is the last object.
      out.raw(jsonLines(incomplete.length > 0 ? [{ incomplete }] : [], out))
      break
    case 'names': {
      const names = rows.map((row) => `${fields[0]?.value(row)}`)
      out.raw(nameLines(names, out))
    }
  }
}
