import type { ChalkInstance } from 'chalk'
import type { UsageRow } from '../usage/rows.ts'
import type { Column, Form, Widths } from './layout.ts'
import { groupDigits } from './numbers.ts'
import { safeText } from './text.ts'
import { heading } from './usage-heading.ts'
import { usageTable } from './usage-table.ts'
import { wrapText } from './width.ts'

// How many changes fit into a column.
const TREND_LENGTH = 12

/** How the evaluations of rows change from one reading to the next. */
export interface Trend {
  /** Adds the next reading. */
  add(rows: readonly UsageRow[]): void
  /** The last changes of a row, the newest last. */
  changes(row: UsageRow): readonly bigint[]
}

function keyOf({ flag, application, environment, variant }: UsageRow): string {
  return JSON.stringify([flag, application, environment, variant])
}

/** A trend over as many readings as a column can show. */
export function createTrend(): Trend {
  const known = new Map<string, { total: bigint; changes: bigint[] }>()
  return {
    add(rows) {
      for (const row of rows) {
        const key = keyOf(row)
        const total = row.enabled + row.disabled
        const before = known.get(key)
        // After a lower count, the service has started a new hour, so all of the count is new.
        const change = before && total >= before.total ? total - before.total : total
        const changes = before ? [...before.changes, change].slice(-TREND_LENGTH) : []
        known.set(key, { total, changes })
      }
    },
    changes: (row) => known.get(keyOf(row))?.changes ?? [],
  }
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Numbers as a line of small bars, the largest one as a full bar. */
function sparkline(numbers: readonly bigint[]): string {
  let largest = 1n
  for (const number of numbers) if (number > largest) largest = number
  const top = BigInt(levels.length - 1)
  return numbers
    .map((number) => levels[Number((number * top + largest - 1n) / largest)] ?? levels[0])
    .join('')
}

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
