import Table from 'cli-table3'
import { groupBy } from '../../groups.ts'
import { isolate } from '../escapes.ts'
import { cellText, columnsOf, itemTexts, type RowField, totalText } from '../fields.ts'
import { linesBelow, type WriteRows } from '../rows.ts'
import type { Line, Writer } from '../text.ts'
import { cutText, foldText, textWidth } from '../width.ts'

/** The cell for a value that is missing. */
const NOTHING = '—'

/** The cell for the text of the row above. */
const DITTO = '″'

const GAP = 2
// cli-table3 is quadratic in rows; with blocks of this size it is fastest.
const BLOCK = 25
// Longer cells are cut before a column that is a key or an answer is left out.
const READABLE: Partial<Record<RowField<unknown>['kind'], number>> = { key: 24, name: 14, text: 40 }
// Cells are cut even more before such a column is left out, keys and names before texts.
const LEGIBLE = 6
const LEGIBLE_TEXT = 16
// A text gets room before a key that is wider.
const WIDE_KEY = 60
// Titles that are names: `develop…`.
const MIN_TITLE = 8
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

interface Column<Row> {
  field: RowField<Row>
  title: string
  /** The width of the widest cell. */
  cells: number
  /** The width in which its cells can be read. */
  readable: number
  width: number
}

type LeastWidth = <Row>(column: Column<Row>) => number

const withShortTitle: LeastWidth = ({ field, cells, width }) =>
  field.isTitleName ? Math.min(width, Math.max(cells, MIN_TITLE)) : width

const isOptional = <Row>({ field }: Column<Row>) => field.dropOrder !== undefined

const readable: LeastWidth = (column) => Math.min(withShortTitle(column), column.readable)

/** Columns that may be left out are cut before those that stay. */
const withShortOptions: LeastWidth = (column) =>
  isOptional(column) ? readable(column) : withShortTitle(column)

/** Wide keys are cut before texts. */
const withShortKeys: LeastWidth = (column) => {
  const least = withShortOptions(column)
  return column.field.kind === 'key' ? Math.min(least, WIDE_KEY) : least
}

/** Texts are cut before names. */
const withShortTexts: LeastWidth = (column) =>
  column.field.kind === 'text' ? readable(column) : withShortKeys(column)

const legible: LeastWidth = (column) => {
  const isCut = READABLE[column.field.kind] !== undefined
  return isCut ? Math.min(column.width, LEGIBLE) : readable(column)
}

const withLegibleTexts: LeastWidth = (column) =>
  column.field.kind === 'text' ? Math.min(column.width, LEGIBLE_TEXT) : legible(column)

/** Keys are cut after other columns, and with them titles. */
const withWholeKeys: LeastWidth = (column) =>
  column.field.kind === 'key'
    ? readable(column)
    : Math.max(withLegibleTexts(column), Math.min(column.width, textWidth(column.title)))

/** The width of a table whose columns have their least widths. */
function tableWidth<Row>(columns: readonly Column<Row>[], leastWidth: LeastWidth): number {
  return columns.reduce((sum, column) => sum + leastWidth(column) + GAP, -GAP)
}

/** The columns that may be left out, the first to go last; of those with the same order, the last one. */
function optional<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns
    .filter(isOptional)
    .sort((a, b) => (b.field.dropOrder ?? 0) - (a.field.dropOrder ?? 0))
}

/** Narrows the widest column again and again until the table fits, or each has its least width. */
function shrink<Row>(columns: readonly Column<Row>[], leastWidth: LeastWidth, room: number): void {
  for (let over = tableWidth(columns, ({ width }) => width) - room; over > 0; over--) {
    const [widest] = columns
      .filter((column) => column.width > leastWidth(column))
      .sort((a, b) => b.width - a.width)
    if (!widest) return
    widest.width--
  }
}

// What is cut first: as long as that is enough, optional columns take nothing from names.
const COMFORTABLE = [withShortTitle, withShortOptions, withShortKeys, withShortTexts]

/** The columns, narrowed as far as they must be. */
function narrowed<Row>(
  columns: readonly Column<Row>[],
  room: number,
  steps: readonly LeastWidth[],
): Column<Row>[] {
  const copies = columns.map((column) => ({ ...column }))
  for (const leastWidth of steps) shrink(copies, leastWidth, room)
  return copies
}

/** Whether all columns fit while the keys that stay are whole. */
function areComfortable<Row>(columns: readonly Column<Row>[], room: number): boolean {
  const fitting = narrowed(columns, room, COMFORTABLE)
  const isCut = (column: Column<Row>) =>
    column.field.kind === 'key' && !isOptional(column) && column.width < column.cells
  return tableWidth(fitting, ({ width }) => width) <= room && !fitting.some(isCut)
}

/**
 * The columns that fit. Those that may be left out are placed as far as they take no room from keys and names, so that a wider
 * terminal never shows less of these. On a terminal that is too narrow even for keys and answers, the last ones are left out as well.
 * It may be changed: `test/output/narrow-tables.test.ts` draws the tables at every width, and fails where a row breaks or a wider
 * terminal shows less.
 */
function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  room: number | undefined,
): Column<Row>[] {
  if (room === undefined) return [...columns]
  let placed = columns.filter((column) => !isOptional(column))
  while (tableWidth(placed, legible) > room && placed.length > 1) placed.pop()
  for (const column of optional(columns)) {
    const more = columns.filter((one) => one === column || placed.includes(one))
    if (areComfortable(more, room)) placed = more
  }
  return narrowed(placed, room, [
    ...COMFORTABLE,
    readable,
    withWholeKeys,
    withLegibleTexts,
    legible,
  ])
}

/** Parts of a width that the end of a name may have, in the order in which they are tried. */
const TAILS = [1 / 2, 1 / 4, 3 / 4, 1 / 8, 7 / 8]

/** How much of the end of names to keep, so that as many as possible stay distinct. */
function tailOf(names: ReadonlySet<string>, width: number): number {
  const options = TAILS.map((part) => {
    const tail = Math.floor((width - 1) * part)
    return { tail, distinct: new Set(Array.from(names, (name) => cutText(name, width, tail))).size }
  })
  const most = Math.max(...options.map(({ distinct }) => distinct))
  return options.find(({ distinct }) => distinct === most)?.tail ?? 0
}

/** A text in a width, without the part of a figure that would look like another one: `rollout 10 → …`. */
function shownText(text: string, width: number): string {
  const cut = cutText(text, width)
  const isInFigure = cut !== text && /^[.,]?\d/.test(text.slice(cut.length - 1))
  return isInFigure ? cut.replace(/[\d.,]+…$/, '…') : cut
}

/** The text of each name in a width. Names that would look the same when cut are whole, over several lines. */
function shownNames(names: ReadonlySet<string>, width: number): Map<string, string> {
  const tail = tailOf(names, width)
  const groups = groupBy(names, (name) => cutText(name, width, tail))
  const shown = new Map<string, string>()
  for (const [text, own] of groups) {
    for (const name of own) shown.set(name, own.length > 1 ? foldText(name, width) : text)
  }
  return shown
}

/** The title of a column: as much of its start as fits, or what tells it from others with the same start. */
function titleOf<Row>({ title, width }: Column<Row>, columns: readonly Column<Row>[]): string {
  const start = cutText(title, width)
  const titles = new Set(columns.map((one) => one.title))
  const sharing = new Set([...titles].filter((other) => cutText(other, width) === start))
  return sharing.size > 1 ? (shownNames(sharing, width).get(title) ?? start) : start
}

/** The line that says what a narrow terminal does not show; undefined if it shows everything. */
function noteOf<Row>(
  columns: readonly Column<Row>[],
  placed: readonly Column<Row>[],
  isTerminal: boolean,
): string | undefined {
  const titlesOf = (all: readonly Column<Row>[]) => all.map(({ title }) => title.trim())
  const cut = titlesOf(
    placed.filter(({ field, cells, width }) => width < cells && !field.shortCell),
  )
  const leftOut = titlesOf(
    columns.filter(({ field }) => !placed.some((one) => one.field === field)),
  )
  const parts = [
    cut.length > 0 && `cut: ${cut.join(', ')}`,
    leftOut.length > 0 && `not shown: ${leftOut.join(', ')}`,
  ].filter(Boolean)
  const remedy = isTerminal ? 'a wider terminal or a pipe shows all columns' : 'JSON shows all'
  return parts.length > 0 ? `${parts.join('; ')} (${remedy})` : undefined
}

/** Returns the texts that a cell may have, shorter and shorter: of a list, because half of an item could be taken for a whole one. */
type TextsOf<Row> = (field: RowField<Row>, row: Row) => [string, ...string[]]

/** Whether all of some columns repeat the row above, and need not. */
function isRepeated<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  above: Row,
  textsOf: TextsOf<Row>,
): boolean {
  return columns.every(({ field }) => {
    return field.isGroup === true && textsOf(field, row)[0] === textsOf(field, above)[0]
  })
}

/** Measures a column. */
function measured<Row>(
  field: RowField<Row>,
  rows: readonly Row[],
  textsOf: TextsOf<Row>,
  out: Writer,
): Column<Row> {
  const title = out.printable(field.title ?? '')
  let cells = textWidth(totalText(field))
  let shortest = cells
  for (const row of rows) {
    const texts = textsOf(field, row)
    cells = Math.max(cells, textWidth(texts[0]))
    shortest = Math.max(shortest, textWidth(texts.at(-1) ?? ''))
  }
  const width = Math.min(MAX_CELL, Math.max(cells, textWidth(title)))
  const least = READABLE[field.kind] ?? shortest
  return { field, title, cells, readable: Math.max(least, textWidth(title)), width }
}

/**
 * Draws rows as a table. A terminal cuts what does not fit into its width, so that a row is one line, unless its name would look like another one.
 * @param now the current time, for times as ages
 * @returns its text in parts, and the line that says what was cut or left out
 */
function tableText<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
  out: Writer,
  now: number | undefined,
): { blocks: Iterable<string>; note: string | undefined } {
  const textsOf: TextsOf<Row> = (field, row) => {
    const text = cellText(field, row, now) ?? NOTHING
    const shorter = field.kind === 'list' ? itemTexts(field, row) : [field.shortCell?.(row) ?? text]
    return [out.printable(text), ...shorter.map(out.printable)]
  }
  const columns = columnsOf(fields).map((field) => measured(field, rows, textsOf, out))
  const placed = fittingColumns(columns, out.width)
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
  const names = placed.map(({ field, cells, width }) => {
    const isName = field.kind === 'key' || field.kind === 'name'
    if (cells <= width || !isName) return undefined
    return shownNames(new Set(rows.map((row) => textsOf(field, row)[0])), width)
  })
  const shown = (row: Row, above: Row | undefined) =>
    placed.map(({ field, width }, index) => {
      const repeats = above && isRepeated(placed.slice(0, index + 1), row, above, textsOf)
      if (repeats && out.width !== undefined) return ''
      const texts = textsOf(field, row)
      const isSame = above && field.isDitto && textsOf(field, above)[0] === texts[0]
      if (isSame && out.width !== undefined) return DITTO
      const text = texts.find((some) => textWidth(some) <= width) ?? texts[0]
      return out.styled(field.style?.(row), names[index]?.get(text) ?? shownText(text, width))
    })
  function* blocks() {
    let rule = ''
    for (let start = 0; start < rows.length; start += BLOCK) {
      const head =
        start === 0 ? placed.map((column) => out.styled('bold', titleOf(column, placed))) : []
      const block = rows.slice(start, start + BLOCK)
      const cells = block.map((row, index) => shown(row, rows[start + index - 1]))
      const lines = draw(head, cells)
      if (start === 0) rule = lines.find((line) => line.startsWith('─')) ?? ''
      yield isolate(`${lines.join('\n')}\n`)
    }
    if (placed.every(({ field }) => field.total === undefined)) return
    const totals = placed.map(({ field }) => out.printable(totalText(field)))
    yield isolate(`${[rule, ...draw([], [totals])].join('\n')}\n`)
  }
  return { blocks: blocks(), note: noteOf(columns, placed, out.width !== undefined) }
}

export const writeRows: WriteRows = (report, out) => {
  const { rows, fields, caption, nothing, others, now } = report
  if (caption !== undefined) out.lines([caption, ''])
  const drawn = rows.length > 0 ? tableText(fields, rows, out, now) : undefined
  if (drawn) for (const block of drawn.blocks) out.raw(block)
  else out.line(nothing)
  const { lines, gaps } = linesBelow(report)
  const notes = [drawn?.note, others].filter((note) => note !== undefined)
  const below: (string | Line)[] = [...lines, ...gaps.map((line): Line => [{ magenta: line }])]
  if (notes.length > 0) below.unshift([{ dim: notes.join('; ') }])
  if (below.length > 0) out.lines(['', ...below])
}
