import { visibleEscape } from '../escapes.ts'
import { cellText, columnsOf, filled, type RowField, totalText } from '../fields.ts'
import { incompleteLines } from '../incomplete.ts'
import type { WriteReport } from '../report.ts'
import { linesBelow, type WriteRows } from '../rows.ts'
import { type Line, plainText, type Writer } from '../text.ts'
import { cutText } from '../width.ts'

/**
 * Printable text as a code span, in which nothing is formatted and no user is mentioned. Parsers disagree on escaped
 * pipes and on backticks in a table's cell, so both become visible escapes.
 */
function codeSpan(printable: string): string {
  const code = printable.replace(/[|`]/g, visibleEscape)
  return code.trim() === code && code !== '' ? `\`${code}\`` : `\` ${code} \``
}

const FORMATTING = /[@<>`*_[\]|#~\\&!$]/
const REFERENCE = /:\/\/|^www\.|\bGH-\d/i

// A mark that ends a part of a sentence is not a part of the word.
const WORD = /[^\s()]+?(?=[,;:]?(?:[\s()]|$))/g

/**
 * Printable text as Markdown: words that could be formatting, a mention, a link or a tag become code spans.
 * @param hasLinks whether addresses are our own, and may be links
 */
function markdownText(printable: string, hasLinks = false): string {
  const isPlain = (word: string) => !FORMATTING.test(word) && (hasLinks || !REFERENCE.test(word))
  return printable.replace(WORD, (word) => (isPlain(word) ? word : codeSpan(word)))
}

// More of a cell is not read in a comment.
const MAX_CELL = 1000

const withNames: ReadonlySet<string> = new Set(['key', 'name', 'list'])

function markdownCell<Row>(field: RowField<Row>, row: Row, out: Writer): string {
  const text = cutText(out.printable(cellText(field, row) ?? ''), MAX_CELL)
  if (text === '') return ''
  return withNames.has(field.kind) ? codeSpan(text) : markdownText(text)
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** The lines of a table (GFM): its head, its rows, and the row of totals if it has one. */
function tableLines<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
  out: Writer,
): { head: string[]; rows: string[]; totals: string[] } {
  const shown = columnsOf(fields)
  const titles = shown.map(({ title = '' }) => out.printable(title).replaceAll('|', '\\|'))
  const marks = shown.map(({ kind }) => (kind === 'number' ? '---:' : '---'))
  const cells = rows.map((row) => shown.map((field) => markdownCell(field, row, out)))
  const totals = shown.map((field) => totalText(field) && `**${out.printable(totalText(field))}**`)
  return {
    head: [titles, marks].map(markdownRow),
    rows: cells.map(markdownRow),
    totals: totals.some((text) => text !== '') ? [markdownRow(totals)] : [],
  }
}

// A comment on GitHub may have 65,536 characters, and a job may add some.
const MAX_LENGTH = 65_000

const lengthOf = (lines: readonly string[]) => lines.reduce((sum, { length }) => sum + length, 0)

// Where a comment has no room for all lines, longer ones go first, so that they do not hide those below them.
const MAX_LINE = 5000

/**
 * The first lines of a part for which a comment has room beside the others.
 * @param noteOf makes the line that says how many are left out
 */
function linesWithRoom(
  lines: readonly string[],
  others: readonly string[],
  noteOf: (leftOut: number) => string,
): { shown: readonly string[]; note: string[] } {
  const room = MAX_LENGTH - lengthOf(others)
  if (lengthOf(lines) <= room) return { shown: lines, note: [] }
  let length = noteOf(lines.length).length
  const shown: string[] = []
  for (const line of lines.filter((one) => one.length <= MAX_LINE)) {
    length += line.length
    if (length > room) break
    shown.push(line)
  }
  return { shown, note: [noteOf(lines.length - shown.length)] }
}

const leftOut = (count: number, what: string, format: string) =>
  `${count} more ${count === 1 ? what : `${what}s`} left out, because a comment has no room for them (-o ${format} has all)\n`

export const writeRows: WriteRows = (report, out) => {
  const { rows, fields, caption, nothing, marker, tasks = [] } = report
  const textOf = (line: string) => `${markdownText(out.rendered([line]))}\n`
  const above = [
    marker === undefined ? '' : `<!-- flagadm ${marker} -->\n`,
    caption === undefined ? '' : `${markdownText(out.rendered([caption]), true)}\n\n`,
  ]
  const table =
    rows.length > 0
      ? tableLines(fields, rows, out)
      : { head: tasks.length > 0 ? [] : [textOf(nothing)], rows: [], totals: [] }
  const work = tasks.map(({ name, text }) => {
    return `- [ ] ${codeSpan(out.printable(name))}: ${textOf(text)}`
  })
  if (work.length > 0 && rows.length > 0) work.unshift('\n')
  const { lines, gaps } = linesBelow(report)
  // Without empty lines between them, Markdown would join the lines.
  const below = [...lines, ...gaps].map((line) => `\n${textOf(line)}`)
  const others = [...above, ...table.head, ...table.totals, ...below]
  const { shown, note } = linesWithRoom([...table.rows, ...work], others, (count) =>
    leftOut(count, 'row', 'jsonl'),
  )
  out.raw(
    [
      ...above,
      ...table.head,
      ...shown,
      ...table.totals,
      ...note.map((line) => `\n${line}`),
      ...below,
    ].join(''),
  )
}

export const writeReport: WriteReport = ({ title, groups, incomplete, fields = [] }, out) => {
  const text = (line: Line) => markdownText(out.rendered(line.map(plainText)))
  const blocks = groups.flatMap(({ heading, title, problems, verdict, facts = [] }) => {
    const table = tableLines(filled(fields, problems), problems, out)
    return [
      heading === undefined ? [] : [`### ${codeSpan(out.printable(heading))}\n`],
      title === undefined ? [] : [`${text([title])}\n`],
      verdict === undefined ? [] : [`${text(verdict)}\n`],
      problems.length === 0 ? [] : [...table.head, ...table.rows],
      facts.map(([label, fact]) => `- ${text([`${label}: ${fact}`])}\n`),
    ]
  })
  const gaps = incomplete.map((one) => [`${text([...incompleteLines([one])])}\n`])
  const head = `<!-- ${title} -->\n`
  const apart = (all: readonly string[][]) =>
    all
      .filter((lines) => lines.length > 0)
      .flatMap((lines, i) => (i > 0 ? ['\n', ...lines] : lines))
  const { shown, note } = linesWithRoom(apart(blocks), [head, ...apart(gaps)], (count) =>
    leftOut(count, 'line', 'json'),
  )
  out.raw([head, ...apart([[...shown], note, ...gaps])].join(''))
}

/** A text report for a comment. */
interface FencedReport {
  /** What a job finds its own comment by: a hidden comment at the start. */
  marker: string
  heading: string
  lines: readonly Line[]
}

/** Prints a text report as Markdown: below a heading, in a fence, with the lines that a comment has room for. */
export function printFenced({ marker, heading, lines }: FencedReport, out: Writer): void {
  const texts = lines.map((line) => `${out.rendered(line)}\n`)
  const runs = texts.join('').match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  const above = [
    `<!-- flagadm ${out.printable(marker)} -->\n`,
    `### ${markdownText(out.printable(heading), true)}\n\n`,
    `${fence}\n`,
  ]
  const { shown, note } = linesWithRoom(texts, [...above, `${fence}\n`], (count) =>
    leftOut(count, 'line', 'json'),
  )
  out.raw([...above, ...shown, `${fence}\n`, ...note.map((line) => `\n${line}`)].join(''))
}
