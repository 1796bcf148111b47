import type { ChalkInstance } from 'chalk'
import type { UsageRow } from '../usage/rows.ts'
import { TREND_LENGTH, type Trend } from '../usage/trend.ts'
import type { Column, Form, Widths } from './layout.ts'
import { groupDigits } from './numbers.ts'
import { sparkline } from './sparkline.ts'
import { safeText } from './text.ts'
import { heading } from './usage-heading.ts'
import { usageTable } from './usage-table.ts'

/** What a live view shows. */
export interface LiveView {
  /** The name of the flag if there is only one. */
  flag: string | undefined
  rows: readonly UsageRow[]
  /** When the rows were counted, such as `since 15:00 UTC`. */
  window: string
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

/** The lines of a live view: a title and the table. */
export function liveLines(view: LiveView, { width, style, widths }: LiveMedium): string[] {
  const { flag, rows, window, trend } = view
  const title =
    flag === undefined ? `Usage ${window}` : heading(safeText(flag), [window], width, style)
  const shown = flag === undefined ? rows : rows.map((row) => ({ ...row, flag: undefined }))
  const extra = [changeColumn(rows, trend)]
  const table = usageTable(shown, { width, style, extra, widths })
  return `${title}\n\n${table}\n`.split('\n')
}
