import { visibleEscape } from '../escapes.ts'
import { cellText, columnsOf, filled, type RowField, totalText } from '../fields.ts'
import { incompleteLines } from '../incomplete.ts'
import type { WriteReport } from '../report.ts'
import { linesBelow, type WriteRows } from '../rows.ts'
import { type Line, plainText, type Writer } from '../text.ts'

/**
 * Printable text as a code span, in which nothing is formatted and no user is mentioned. Parsers disagree on escaped
 * pipes and on backticks in a table's cell, so both become visible escapes.
 */
function codeSpan(printable: string): string {
  const code = printable.replace(/[|`]/g, visibleEscape)
  return code.trim() === code && code !== '' ? `\`${code}\`` : `\` ${code} \``
}

/** Printable text as Markdown: words that could be formatting, a mention or a tag become code spans. */
function markdownText(printable: string): string {
  return printable.replace(/[^\s()]*[@<>`*_[\]|#~\\&!][^\s()]*/g, codeSpan)
}

function markdownCell<Row>(field: RowField<Row>, row: Row, out: Writer): string {
  const text = out.printable(cellText(field, row) ?? '')
  if (text === '') return ''
  return field.kind === 'key' || field.kind === 'name' ? codeSpan(text) : markdownText(text)
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** Rows as a table (GFM). */
function markdownTable<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
  out: Writer,
): string {
  const shown = columnsOf(fields)
  const titles = shown.map(({ title = '' }) => out.printable(title).replaceAll('|', '\\|'))
  const marks = shown.map(({ kind }) => (kind === 'number' ? '---:' : '---'))
  const cells = rows.map((row) => shown.map((field) => markdownCell(field, row, out)))
  const totals = shown.map((field) => totalText(field) && `**${out.printable(totalText(field))}**`)
  const last = totals.some((text) => text !== '') ? [totals] : []
  return [titles, marks, ...cells, ...last].map(markdownRow).join('')
}

export const writeRows: WriteRows = (report, out) => {
  const { rows, fields, caption, nothing, marker } = report
  const textOf = (line: string) => `${markdownText(out.rendered([line]))}\n`
  const hidden = marker === undefined ? '' : `<!-- flagadm ${marker} -->\n`
  const above = caption === undefined ? '' : `${textOf(caption)}\n`
  const body = rows.length === 0 ? textOf(nothing) : markdownTable(fields, rows, out)
  const { lines, gaps } = linesBelow(report)
  // Without empty lines between them, Markdown would join the lines.
  const below = [...lines, ...gaps].map((line) => `\n${textOf(line)}`)
  out.raw(hidden + above + body + below.join(''))
}

export const writeReport: WriteReport = ({ title, results, incomplete, fields = [] }, out) => {
  const text = (line: Line) => markdownText(out.rendered(line.map(plainText)))
  const blocks = results.flatMap(({ heading, title, problems, verdict, facts = [] }) => [
    heading !== undefined && `### ${codeSpan(out.printable(heading))}\n`,
    title !== undefined && `${text([title])}\n`,
    verdict && `${text(verdict)}\n`,
    problems.length > 0 && markdownTable(filled(fields, problems), problems, out),
    facts.map(([label, fact]) => `- ${text([`${label}: ${fact}`])}\n`).join(''),
  ])
  const gaps = incompleteLines(incomplete).map((line) => `${text([line])}\n`)
  out.raw(`<!-- ${title} -->\n${[...blocks, ...gaps].filter(Boolean).join('\n')}`)
}

/** The most characters that a comment on GitHub may have. */
const MAX_COMMENT = 65_536

/** A text report for a comment. */
interface FencedReport {
  /** What a job finds its own comment by: a hidden comment at the start. */
  marker: string
  heading: string
  lines: readonly Line[]
}

/** Prints a text report as Markdown: below a heading, in a fence, with the lines that a comment has room for. */
export function printFenced({ marker, heading, lines }: FencedReport, out: Writer): void {
  const texts = lines.map((line) => out.rendered(line))
  const runs = texts.join('\n').match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  const head = `<!-- flagadm ${out.printable(marker)} -->\n### ${markdownText(out.printable(heading))}\n\n${fence}\n`
  const more = (count: number) => (count > 0 ? `… ${count} more lines\n` : '')
  const room = MAX_COMMENT - head.length - fence.length - 1 - more(texts.length).length
  const shown: string[] = []
  for (let length = 0, index = 0; index < texts.length; index++) {
    const text = texts[index] ?? ''
    length += text.length + 1
    if (length > room) break
    shown.push(text)
  }
  const body = shown.map((text) => `${text}\n`).join('') + more(texts.length - shown.length)
  out.raw(`${head}${body}${fence}\n`)
}
