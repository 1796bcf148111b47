import type { ChalkInstance } from 'chalk'
import type { UsageRow } from '../usage/rows.ts'
import { TREND_LENGTH, type Trend } from '../usage/trend.ts'
import type { Column, Form, Widths } from './layout.ts'
import { groupDigits } from './numbers.ts'
import { sparkline } from './sparkline.ts'
import { safeText } from './text.ts'
import { heading } from './usage-heading.ts'
import { usageTable } from './usage-table.ts'
import { wrapText } from './width.ts'

/** What a live view shows. */
export interface LiveView {
  /** The name of the flag if there is only one. */
  flag: string | undefined
  rows: readonly UsageRow[]
  trend: Trend
}

/** Where a live view is drawn. */
export interface LiveMedium {
  width: number
  style: ChalkInstance
  /** Keeps the columns where they are from one frame to the next. */
  widths: Widths
}

function changeColumn(rows: readonly UsageRow[], trend: Trend): Column {
  const last = (changes: readonly bigint[]) => `+${groupDigits(changes.at(-1) ?? 0n)}`
  const form = (show: (changes: readonly bigint[]) => string): Form => ({
    title: 'Change',
    cells: () => [
      ...rows.map((row) => {
        const changes = trend.changes(row)
        return changes.length === 0 ? '' : show(changes)
      }),
      '',
    ],
  })
  const drawn = form((changes) => `${sparkline(changes).padStart(TREND_LENGTH)} ${last(changes)}`)
  // Room from the first frame on for a change as large as a count.
  const totals = rows.map(({ enabled, disabled }) => groupDigits(enabled + disabled).length)
  const room = 1 + totals.reduce((widest, width) => Math.max(widest, width), 0)
  const full = { ...drawn, minWidth: TREND_LENGTH + 1 + room }
  // Kept for a second round, as it shows more than a bar or a year.
  return { align: 'left', elastic: false, forms: [full, full, { ...form(last), minWidth: room }] }
}

/**
 * The heading of a live view.
 * @param flag the name of the flag if there is only one
 * @param facts the service, and when the rows were counted if that is known
 */
export function liveHeading(
  flag: string | undefined,
  facts: readonly string[],
  { width, style }: Omit<LiveMedium, 'widths'>,
): string[] {
  if (flag === undefined) return wrapText(`Usage on ${facts.join(', ')}`, width)
  return heading(safeText(flag), facts, width, style).split('\n')
}

/** The lines of the table of a live view. */
export function liveTable(
  { flag, rows, trend }: LiveView,
  { width, style, widths }: LiveMedium,
): string[] {
  const shown = flag === undefined ? rows : rows.map((row) => ({ ...row, flag: undefined }))
  const extra = [changeColumn(rows, trend)]
  return usageTable(shown, { width, style, extra, widths }).split('\n')
}
