import Table from 'cli-table3'
import stringWidth from 'string-width'
import { isolate } from './escapes.ts'
import { cellText, type RowField, totalText } from './fields.ts'
import type { Writer } from './text.ts'

/** The cell for a value that is missing. */
const NOTHING = '—'

const GAP = 2
// cli-table3 is quadratic in rows; with blocks of this size it is fastest.
const BLOCK = 25
// Shorter names are hard to recognise.
const MIN_NAME = 11
// Longer texts are cut before optional columns are left out.
const MIN_TEXT = 20
// Drawing a wider cell takes minutes, and JSON has all of it.
const MAX_CELL = 2000

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
  'mid-mid': '',
}

const ASCII = /^[\x20-\x7e]*$/

/** The columns that printable text takes on a terminal. */
export function textWidth(printable: string): number {
  return ASCII.test(printable) ? printable.length : stringWidth(printable)
}

/** Printable text cut with `…`; whole characters, because cli-table3 would cut an emoji in half. */
export function cutText(printable: string, width: number): string {
  if (textWidth(printable) <= width) return printable
  if (ASCII.test(printable)) return `${printable.slice(0, width - 1)}…`
  let cut = ''
  let used = 1
  for (const { segment } of new Intl.Segmenter('en').segment(printable)) {
    used += textWidth(segment)
    if (used > width) break
    cut += segment
  }
  return `${cut}…`
}

/** Printable text in lines that fit a terminal, as far as its words do. None begins with `::`, as CI commands do. */
export function wrapText(printable: string, width: number | undefined): string {
  if (width === undefined) return printable
  const line = new RegExp(`(?!.{1,${width}}$)(.{1,${width}}) (?! *::)`, 'g')
  return printable.replace(line, '$1\n')
}

interface Column<Row> {
  field: RowField<Row>
  title: string
  width: number
}

/** The columns that fit: first optional ones are left out, then names and texts are cut, then the last ones are left out. */
function fit<Row>(columns: readonly Column<Row>[], room: number | undefined) {
  const total = (all: readonly Column<Row>[], isShort = false) =>
    all.reduce((sum, { field, width }) => {
      const isCut = isShort && field.kind === 'text'
      return sum + (isCut ? Math.min(width, MIN_TEXT) : width) + GAP
    }, -GAP)
  if (room === undefined || total(columns) <= room) return [...columns]
  let placed = [...columns]
  for (const column of columns.toReversed()) {
    if (total(placed, true) > room && column.field.isOptional) {
      placed = placed.filter((one) => one !== column)
    }
  }
  const names = placed.filter(({ field }) => field.kind === 'name' || field.kind === 'text')
  for (let over = total(placed) - room; over > 0; over--) {
    const [widest] = names
      .filter(({ title, width }) => width > Math.max(MIN_NAME, textWidth(title)))
      .sort((a, b) => b.width - a.width)
    if (!widest) break
    widest.width--
  }
  while (total(placed) > room && placed.length > 1) placed.pop()
  return placed
}

/** The line that says what a narrow terminal does not show; undefined if it shows everything. */
function noteOf(cut: readonly string[], leftOut: readonly string[], isTerminal: boolean) {
  const parts = [
    cut.length > 0 && `cut: ${cut.join(', ')}`,
    leftOut.length > 0 && `not shown: ${leftOut.join(', ')}`,
  ].filter(Boolean)
  const remedy = isTerminal ? 'a wider terminal or a pipe shows all' : 'JSON shows all'
  return parts.length > 0 ? `${parts.join('; ')} (${remedy})` : undefined
}

/**
 * Draws rows as a table. A terminal cuts what does not fit into its width, so that each row is one line.
 * @param now the current time, for times as ages
 * @returns its text in parts, and the line that says what was cut or left out
 */
export function tableText<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
  out: Writer,
  now: number | undefined,
): { blocks: Iterable<string>; note: string | undefined } {
  const cell = (field: RowField<Row>, row: Row) =>
    out.printable(cellText(field, row, now) ?? NOTHING)
  const columns = fields
    .filter(({ title }) => title !== undefined)
    .map((field): Column<Row> => {
      const title = out.printable(field.title ?? '')
      const least = Math.max(textWidth(title), textWidth(totalText(field)))
      const width = rows.reduce((most, row) => Math.max(most, textWidth(cell(field, row))), least)
      return { field, title, width }
    })
  const natural = new Map(columns.map(({ field, width }) => [field, width]))
  for (const column of columns) column.width = Math.min(column.width, MAX_CELL)
  const placed = fit(columns, out.width)
  const options = {
    chars: { ...noLines, mid: '─' },
    colWidths: placed.map(({ width }) => width + GAP),
    colAligns: placed.map(({ field }) =>
      field.kind === 'number' ? ('right' as const) : ('left' as const),
    ),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': GAP },
  }
  const draw = (head: string[], block: readonly string[][]) => {
    const table = new Table({ ...options, head })
    table.push(...block)
    const lines = table.toString().split('\n')
    // The last column ends in a gap, too.
    return lines.map((line) => (line.startsWith('─') ? line.slice(0, -GAP) : line.trimEnd()))
  }
  const shown = (row: Row) =>
    placed.map(({ field, width }) =>
      out.styled(field.style?.(row), cutText(cell(field, row), width)),
    )
  function* blocks() {
    let rule = ''
    for (let start = 0; start < rows.length; start += BLOCK) {
      const head = start === 0 ? placed.map(({ title }) => title) : []
      const lines = draw(head, rows.slice(start, start + BLOCK).map(shown))
      if (start === 0) rule = lines[1] ?? ''
      yield isolate(`${lines.join('\n')}\n`)
    }
    if (placed.every(({ field }) => field.total === undefined)) return
    const totals = placed.map(({ field }) => out.printable(totalText(field)))
    yield isolate(`${[rule, ...draw([], [totals])].join('\n')}\n`)
  }
  const cut = placed.filter(({ field, width }) => width < (natural.get(field) ?? 0))
  const leftOut = columns.filter(({ field }) => !placed.some((one) => one.field === field))
  const titlesOf = (all: readonly Column<Row>[]) => all.map(({ title }) => title)
  const note = noteOf(titlesOf(cut), titlesOf(leftOut), out.width !== undefined)
  return { blocks: blocks(), note }
}
