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

function counts(row: Counts): string[] {
  const { enabled, disabled } = row
  const share = enabledShare(row)
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
  const body = rows.map((row) =>
    line([...shown.map(([part]) => code(row[part])), ...counts(row), variants(row)]),
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
