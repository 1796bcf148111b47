import { selectionsOf } from '../usage/arrange.ts'
import { type Counts, enabledShare, type UsageRow, usageTotals } from '../usage/rows.ts'
import { codeSpan } from './markdown.ts'
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

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

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

/** Rows as a Markdown table (GFM), for a comment on a pull request. */
export function usageMarkdown(rows: readonly UsageRow[]): string {
  const shown = names.filter(([part]) => rows.some((row) => row[part] !== undefined))
  const head = [
    ...shown.map(([, title]) => title),
    'Enabled',
    'Disabled',
    'Total',
    'Share',
    'Variants',
  ]
  const marks = head.map((title) =>
    /^(Enabled|Disabled|Total|Share)$/.test(title) ? '---:' : '---',
  )
  const selections = selectionsOf(rows)
  const body = rows.map((row, index) =>
    line([
      ...shown.map(([part]) => code(row[part])),
      ...counts(row, row.variant === undefined ? row : selections?.[index]),
      variants(row),
    ]),
  )
  const blanks = shown.slice(1).map(() => '')
  const total = line([
    ...(shown.length > 0 ? ['**Total**'] : []),
    ...blanks,
    ...counts(usageTotals(rows)),
    '',
  ])
  return isolate(line(head) + line(marks) + body.join('') + total)
}
