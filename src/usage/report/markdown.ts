import { selectionsOf } from '../arrange.ts'
import { type Counts, enabledShare, evaluations, type UsageRow, usageTotals } from '../rows.ts'
import type { Blocks } from '../../old/output/blocks.ts'
import { bucketText, bucketTitles, lastUsedText } from './hourly.ts'
import {
  asCode,
  markdownBlocks,
  type MarkdownColumn,
  markdownRow,
} from '../../old/output/markdown.ts'
import { names, type TableStyle, variantWords } from './table.ts'
import { groupDigits, NOTHING } from '../../old/output/phrases.ts'
import { percent } from '../../old/output/numbers.ts'
import { joined, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'

/** A column, and its cell in the total if it has one. */
interface UsageColumn extends MarkdownColumn {
  cell(row: UsageRow, index: number): Safe
  total?: Safe
}

function shareText(counts: Counts): Safe {
  const share = enabledShare(counts)
  return share ? percent(share, 1) : NOTHING
}

/** Rows as a Markdown table, for a comment on a pull request. */
export function* usageMarkdown(
  rows: readonly UsageRow[],
  { by, hasTotal }: Pick<TableStyle, 'by' | 'hasTotal'>,
  sanitizer: Sanitizer,
): Blocks {
  const code = asCode(sanitizer).text
  const nameCell = (name: string | undefined) => (name === undefined ? safe`` : code(name))
  const shown = names.filter(({ value }) => rows.some((row) => value(row) !== undefined))
  const isDated = by === undefined && rows.some(({ hourly }) => hourly)
  const totals = usageTotals(rows)
  const selections = selectionsOf(rows)
  const figures = (title: Safe, cell: (counts: Counts) => Safe): UsageColumn => {
    return { title, align: 'right', cell, total: cell(totals) }
  }
  const columns: UsageColumn[] = [
    ...shown.map(({ title, value }, index): UsageColumn => {
      const total = index === 0 ? safe`**Total**` : safe``
      return { title, cell: (row) => nameCell(value(row)), total }
    }),
    ...(by ? [{ title: bucketTitles[by], cell: (row: UsageRow) => bucketText(row, by) }] : []),
    figures(safe`Enabled`, ({ enabled }) => groupDigits(enabled)),
    figures(safe`Disabled`, ({ disabled }) => groupDigits(disabled)),
    figures(safe`Total`, (counts) => groupDigits(evaluations(counts))),
    {
      ...figures(safe`Share`, shareText),
      cell: (row, index) =>
        shareText(row.variant === undefined ? row : (selections?.[index] ?? row)),
    },
    { title: safe`Variants`, cell: (row) => joined(variantWords(row, code), ', ') },
    ...(isDated ? [{ title: safe`Last used`, cell: (row: UsageRow) => lastUsedText(row) }] : []),
  ]
  yield* markdownBlocks(columns, rows, (row, index) => columns.map(({ cell }) => cell(row, index)))
  if (hasTotal) yield markdownRow(columns.map(({ total = safe`` }) => total))
}
