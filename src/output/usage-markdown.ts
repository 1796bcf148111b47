import { selectionsOf } from '../usage/arrange.ts'
import { type Counts, enabledShare, type UsageRow, usageTotals } from '../usage/rows.ts'
import { codeSpan, type MarkdownColumn, markdownTable } from './markdown.ts'
import { groupDigits, percent } from './numbers.ts'
import { isolate } from './text.ts'

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

/** Rows as a Markdown table with a total, for a comment on a pull request. */
export function usageMarkdown(rows: readonly UsageRow[]): string {
  const shown = names.filter(([part]) => rows.some((row) => row[part] !== undefined))
  const columns: MarkdownColumn[] = [
    ...shown.map(([, title]) => ({ title })),
    { title: 'Enabled', align: 'right' },
    { title: 'Disabled', align: 'right' },
    { title: 'Total', align: 'right' },
    { title: 'Share', align: 'right' },
    { title: 'Variants' },
  ]
  const selections = selectionsOf(rows)
  const body = rows.map((row, index) => [
    ...shown.map(([part]) => code(row[part])),
    ...counts(row, row.variant === undefined ? row : selections?.[index]),
    variants(row),
  ])
  const labels = shown.map((_, index) => (index === 0 ? '**Total**' : ''))
  return isolate(markdownTable(columns, [...body, [...labels, ...counts(usageTotals(rows)), '']]))
}
