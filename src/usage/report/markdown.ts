import { selectionsOf } from '../arrange.ts'
import { type Counts, enabledShare, type UsageRow, usageTotals } from '../rows.ts'
import type { UsageView } from '../view.ts'
import type { Blocks } from '../../output/blocks.ts'
import { bucketText, bucketTitles, lastUsedText } from './hourly.ts'
import {
  codeSpan,
  markdownBlocks,
  type MarkdownColumn,
  markdownRow,
} from '../../output/markdown.ts'
import { names } from './table.ts'
import { groupDigits } from '../../output/phrases.ts'
import { percent } from '../../output/numbers.ts'
import { joined, type Safe, safe, type Sanitizer } from '../../output/text.ts'

/** The counts of a row, with its share of something else if that is given. */
function counts({ enabled, disabled }: Counts, shared: Counts = { enabled, disabled }): Safe[] {
  const share = enabledShare(shared)
  return [
    groupDigits(enabled),
    groupDigits(disabled),
    groupDigits(enabled + disabled),
    share === undefined ? safe`—` : percent(share, 1),
  ]
}

function variants(row: UsageRow, { text }: Sanitizer): Safe {
  const words = row.variants.map(
    ({ name, count }) => safe`${codeSpan(text(name))} ${groupDigits(count)}`,
  )
  return joined(words, ', ')
}

/**
 * Rows as a Markdown table, for a comment on a pull request.
 * @param hasTotal whether to show a total below the rows
 */
export function* usageMarkdown(
  rows: readonly UsageRow[],
  { by, hasTotal }: Pick<UsageView, 'by'> & { hasTotal: boolean },
  sanitizer: Sanitizer,
): Blocks {
  const code = (value: string | undefined) =>
    value === undefined ? safe`` : codeSpan(sanitizer.text(value))
  const shown = names.filter(({ part }) => rows.some((row) => row[part] !== undefined))
  const isDated = by === undefined && rows.some(({ hourly }) => hourly)
  const columns: MarkdownColumn[] = [
    ...shown.map(({ title }) => ({ title })),
    ...(by ? [{ title: bucketTitles[by] }] : []),
    { title: safe`Enabled`, align: 'right' },
    { title: safe`Disabled`, align: 'right' },
    { title: safe`Total`, align: 'right' },
    { title: safe`Share`, align: 'right' },
    { title: safe`Variants` },
    ...(isDated ? [{ title: safe`Last used` }] : []),
  ]
  const selections = selectionsOf(rows)
  const cells = (row: UsageRow, index: number) => [
    ...shown.map(({ part }) => code(row[part])),
    ...(by ? [bucketText(row, by)] : []),
    ...counts(row, row.variant === undefined ? row : selections?.[index]),
    variants(row, sanitizer),
    ...(isDated ? [lastUsedText(row) ?? safe`—`] : []),
  ]
  yield* markdownBlocks(columns, rows, cells)
  if (!hasTotal) return
  const labels = shown.map((_, index) => (index === 0 ? safe`**Total**` : safe``))
  const total = [...labels, ...(by ? [safe``] : []), ...counts(usageTotals(rows)), safe``]
  yield markdownRow(isDated ? [...total, safe``] : total)
}
