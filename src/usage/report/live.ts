import { errorLines, type FlagadmError } from '../../errors.ts'
import { isComplete, type Missing } from '../../projects/missing.ts'
import { evaluations, type UsageRow } from '../rows.ts'
import type { UsageSource } from '../source.ts'
import { type Trend, TREND_LENGTH } from '../trend.ts'
import type { UsageView } from '../view.ts'
import { wholeText } from '../../old/output/blocks.ts'
import { type Column, formOf, type Widths } from '../../old/output/layout.ts'
import { groupDigits } from '../../old/output/phrases.ts'
import { missingLine } from '../../projects/report/missing.ts'
import { sparkline } from './sparkline.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, padStart, type Safe, safe, splitLines } from '../../old/output/text.ts'
import { nothingToShow } from './report.ts'
import { heading } from './section.ts'
import { usageTable } from './table.ts'
import { fitText, wrapText } from '../../old/output/width.ts'

// More failures, or longer ones, would leave no room for the table.
const MAX_ERRORS = 3
const MAX_LINES = 3

interface LiveView extends Pick<UsageSource, 'target'> {
  /** The name of the flag if there is only one. */
  flag: string | undefined
  /** When the rows were counted, such as `since 15:00 UTC`; undefined if nothing could be read. */
  window: string | undefined
  rows: readonly UsageRow[]
  trend: Trend
  /** The parts that could not be read. */
  missing: Missing
}

/** Makes the text of a terminal of this width. */
interface TerminalPrinter extends Printer {
  width: number
}

function changeColumn(rows: readonly UsageRow[], trend: Trend): Column {
  const last = (changes: readonly bigint[]) => safe`+${groupDigits(changes.at(-1) ?? 0n)}`
  const form = (show: (changes: readonly bigint[]) => Safe) =>
    formOf(safe`Change`, rows, (row) => {
      const changes = trend.changes(row)
      return changes.length === 0 ? safe`` : show(changes)
    })
  const drawn = form(
    (changes) => safe`${padStart(sparkline(changes.map(Number)), TREND_LENGTH)} ${last(changes)}`,
  )
  // Room from the first frame on for a change as large as a count.
  const totals = rows.map((row) => groupDigits(evaluations(row)).length)
  const room = 1 + totals.reduce((widest, width) => Math.max(widest, width), 0)
  const full = { ...drawn, minWidth: TREND_LENGTH + 1 + room }
  // Listed twice, so that other columns drop their bars and years before this one drops its sparkline.
  return { forms: [full, full, { ...form(last), minWidth: room }] }
}

function titleLines({ flag, target, window }: LiveView, printer: TerminalPrinter): Safe[] {
  const { text, width } = printer
  const facts = [text(target), ...(window === undefined ? [] : [text(window)])]
  if (flag === undefined) return wrapText(safe`Usage on ${joined(facts, ', ')}`, width)
  return heading(text(flag), facts, printer)
}

/** The lines of the table, and those of its total, which are always visible. */
function tableLines(
  { flag, rows, trend, missing }: LiveView,
  printer: TerminalPrinter,
  widths: Widths,
): LiveLines {
  const shown =
    flag === undefined ? rows : rows.map((row) => ({ ...row, flag: undefined, project: undefined }))
  const extra = [changeColumn(rows, trend)]
  const hasTotal = isComplete(missing)
  const blocks = [...usageTable(shown, { hasTotal, extra, widths }, printer)]
  const total = hasTotal ? blocks.splice(-1) : []
  return { lines: splitLines(wholeText(blocks)), pinned: total.flatMap(splitLines) }
}

/** The lines of a live view, and those below them that are visible even if the others do not fit. */
export interface LiveLines {
  lines: Safe[]
  pinned: Safe[]
}

/**
 * The lines of a live view: a title and the table, or a sentence if there is nothing to show.
 * @param widths keeps the columns where they are from one frame to the next
 * @param height room for lines; variants are left out if not all lines fit
 */
export function liveLines(
  live: LiveView,
  view: UsageView,
  printer: TerminalPrinter,
  widths: Widths,
  height: number,
): LiveLines {
  const { flag, window, rows, missing } = live
  const title = [...titleLines(live, printer), safe``]
  if (window === undefined) {
    const one = safe`The flag could not be read.`
    const sentence = flag === undefined ? safe`None of the flags could be read.` : one
    return { lines: [...title, sentence], pinned: [safe``] }
  }
  const complete = isComplete(missing)
  const hasGap = flag === undefined && !complete
  const below = [...(hasGap ? splitLines(missingLine(missing, printer)) : []), safe``]
  if (rows.length === 0) return { lines: [...title, nothingToShow(view, complete)], pinned: below }
  const full = tableLines(live, printer, widths)
  const room = height - title.length - below.length
  const isTall = full.lines.length + full.pinned.length > room
  const plain = { ...live, rows: rows.map((row) => ({ ...row, variants: [] })) }
  const table = isTall ? tableLines(plain, printer, widths) : full
  return { lines: [...title, ...table.lines], pinned: [...table.pinned, ...below] }
}

/**
 * The lines with the time of the last reading.
 * @param readAt in milliseconds since the epoch
 * @param intervalMs until the next one; undefined if there is none
 */
export function statusLines(
  readAt: number,
  intervalMs: number | undefined,
  { text, width, style }: TerminalPrinter,
): Safe[] {
  const time = new Date(readAt).toISOString().slice(11, 19)
  const more = intervalMs === undefined ? '' : `, every ${intervalMs / 1000} s, Ctrl-C to stop`
  const status = `Read at ${time}Z${more}`
  return fitText(text(status), width, MAX_LINES).map(style.dim)
}

/** The first errors of a reading, wrapped. */
export function failureLines(
  errors: readonly FlagadmError[],
  { text, width, style }: TerminalPrinter,
): Safe[] {
  const lines = errors
    .slice(0, MAX_ERRORS)
    .flatMap(errorLines)
    .flatMap((line) => fitText(text(line), width, MAX_LINES))
  const more = errors.length - MAX_ERRORS
  if (more > 0) lines.push(safe`… ${more} more failures`)
  return lines.map(style.red)
}
