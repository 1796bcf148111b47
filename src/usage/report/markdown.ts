import { selectionsOf } from '../arrange.ts'
import { type Counts, enabledShare, type UsageRow, usageTotals } from '../rows.ts'
import type { UsageView } from '../view.ts'
import { BLOCK_ROWS, type Blocks } from '../../output/blocks.ts'
import { bucketText, bucketTitles, lastUsedText } from './history.ts'
import { codeSpan, type MarkdownColumn, markdownRow, markdownTable } from '../../output/markdown.ts'
import { groupDigits } from '../../output/phrases.ts'
import { percent } from '../../output/numbers.ts'
import { isolate } from '../../output/escapes.ts'

function code(text: string | undefined): string {
  return text === undefined ? '' : codeSpan(text)
}

const names = [
  ['flag', 'Flag'],
  ['variant', 'Variant'],
  ['application', 'Application'],
  ['environment', 'Environment'],
] as const

/** The counts of a row, with its share of something else if that is given. */
function counts({ enabled, disabled }: Counts, shared: Counts = { enabled, disabled }): string[] {
  const share = enabledShare(shared)
  return [
    groupDigits(enabled),
    groupDigits(disabled),
    groupDigits(enabled + disabled),
    share === undefined ? '—' : percent(share, 1),
  ]
}

function variants(row: UsageRow): string {
  return row.variants.map(({ name, count }) => `${codeSpan(name)} ${groupDigits(count)}`).join(', ')
}

/**
 * Rows as a Markdown table, for a comment on a pull request.
 * @param hasTotal whether to show a total below the rows
 */
export function* usageMarkdown(
  rows: readonly UsageRow[],
  { by, hasTotal }: Pick<UsageView, 'by'> & { hasTotal: boolean },
): Blocks {
  const shown = names.filter(([part]) => rows.some((row) => row[part] !== undefined))
  const isDated = by === undefined && rows.some(({ history }) => history)
  const columns: MarkdownColumn[] = [
    ...shown.map(([, title]) => ({ title })),
    ...(by ? [{ title: bucketTitles[by] }] : []),
    { title: 'Enabled', align: 'right' },
    { title: 'Disabled', align: 'right' },
    { title: 'Total', align: 'right' },
    { title: 'Share', align: 'right' },
    { title: 'Variants' },
    ...(isDated ? [{ title: 'Last used' }] : []),
  ]
  const selections = selectionsOf(rows)
  const cells = (row: UsageRow, index: number) => [
    ...shown.map(([part]) => code(row[part])),
    ...(by ? [bucketText(row, by)] : []),
    ...counts(row, row.variant === undefined ? row : selections?.[index]),
    variants(row),
    ...(isDated ? [lastUsedText(row) ?? '—'] : []),
  ]
  yield markdownTable(columns, [])
  for (let start = 0; start < rows.length; start += BLOCK_ROWS) {
    const block = rows.slice(start, start + BLOCK_ROWS)
    yield isolate(block.map((row, index) => markdownRow(cells(row, start + index))).join(''))
  }
  if (!hasTotal) return
  const labels = shown.map((_, index) => (index === 0 ? '**Total**' : ''))
  const total = [...labels, ...(by ? [''] : []), ...counts(usageTotals(rows)), '']
  yield markdownRow(isDated ? [...total, ''] : total)
}
