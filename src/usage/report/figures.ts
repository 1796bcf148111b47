import { selectionsOf } from '../arrange.ts'
import { type Counts, enabledShare, evaluations, type UsageRow, usageTotals } from '../rows.ts'
import { type Column, formOf } from '../../old/output/layout.ts'
import { percent, shortCount } from '../../old/output/numbers.ts'
import { groupDigits, NOTHING } from '../../old/output/phrases.ts'
import type { Style } from '../../old/output/style.ts'
import { padStart, repeated, replaced, type Safe, safe } from '../../old/output/text.ts'

// `100.0%` and `100%`.
const WIDEST = [4, 6] as const

function shareText(counts: Counts, bar: number, decimals: 0 | 1): Safe {
  const share = enabledShare(counts)
  if (share === undefined) return NOTHING
  const text = padStart(percent(share, decimals), WIDEST[decimals])
  if (bar === 0) return text
  const { part, whole } = share
  const full = Number((2n * BigInt(bar) * part + whole) / (2n * whole))
  return safe`${repeated(safe`█`, full)}${repeated(safe`░`, bar - full)} ${text}`
}

/** A column of counts; the terse ones have the unit of their row's total. */
function countColumn(
  title: Safe,
  rows: readonly Counts[],
  totals: readonly Counts[],
  countOf: (counts: Counts) => bigint,
  wholeOf = evaluations,
): Column {
  const form = (show: (counts: Counts) => Safe) => formOf(title, rows, show, totals.map(show))
  return {
    align: 'right',
    together: true,
    forms: [form((counts) => groupDigits(countOf(counts)))],
    terse: form((counts) => shortCount(countOf(counts), wholeOf(counts))),
  }
}

function shareColumn(rows: readonly Counts[], totals: readonly Counts[], style: Style): Column {
  const form = (bar: number, decimals: 0 | 1) => {
    const show = (counts: Counts) => shareText(counts, bar, decimals)
    return formOf(safe`Share`, rows, show, totals.map(show))
  }
  return {
    align: 'right',
    forms: [form(10, 1), form(5, 1), form(0, 1)],
    terse: form(0, 0),
    paint: (text) => replaced(replaced(text, /█+/, style.green), /░+/, style.dim),
  }
}

/**
 * Columns of how often flags were evaluated or, by variant, how often each variant was selected and its
 * share of its flag's selections.
 */
export function countColumns(groups: readonly (readonly UsageRow[])[], style: Style): Column[] {
  if (groups.some(selectionsOf)) {
    const none = { enabled: 0n, disabled: 0n }
    const selections = groups.map((rows) => selectionsOf(rows) ?? rows.map(() => none))
    const rows = selections.flat()
    const totals = selections.map((group) => ({ ...usageTotals(group), disabled: 0n }))
    const selected = ({ enabled }: Counts) => enabled
    return [
      countColumn(safe`Selected`, rows, totals, selected, selected),
      shareColumn(rows, totals, style),
    ]
  }
  const rows = groups.flat()
  const totals = groups.map(usageTotals)
  return [
    countColumn(safe`Enabled`, rows, totals, ({ enabled }) => enabled),
    countColumn(safe`Disabled`, rows, totals, ({ disabled }) => disabled),
    countColumn(safe`Total`, rows, totals, evaluations),
    shareColumn(rows, totals, style),
  ]
}
