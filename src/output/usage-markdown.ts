import { type Counts, enabledShare, type UsageRow, usageTotals } from '../usage/rows.ts'
import { groupDigits, percent } from './numbers.ts'
import { safeText } from './text.ts'

/** A code span in a table cell: its text is neither formatted nor taken for a mention. */
export function code(text: string | undefined): string {
  if (text === undefined) return ''
  const safe = safeText(text).replaceAll('|', '\\|')
  const longest = Math.max(0, ...(safe.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 || safe.trim() !== safe
    ? `${fence} ${safe} ${fence}`
    : `${fence}${safe}${fence}`
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
  return row.variants.map(({ name, count }) => `${code(name)} ${groupDigits(count)}`).join(', ')
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
  return line(head) + line(marks) + body.join('') + total
}
