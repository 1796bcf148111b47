import { stringify } from 'csv-stringify/sync'
import type { UsageRow } from '../usage/rows.ts'
import { safeJson, safeText } from './text.ts'
import { variantsJson } from './usage-jsonl.ts'

const columns = [
  'flag',
  'application',
  'environment',
  'timestamp',
  'enabled',
  'disabled',
  'variants',
]

function cell(text = ''): string {
  return safeText(text)
}

/** Rows as CSV (RFC 4180) with a header; a cell that a spreadsheet would run begins with `'`. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const records = rows.map((row) => [
    cell(row.flag),
    cell(row.application),
    cell(row.environment),
    cell(row.timestamp),
    row.enabled,
    row.disabled,
    safeJson(variantsJson(row.variants)),
  ])
  return stringify(records, {
    header: true,
    columns,
    escape_formulas: true,
    record_delimiter: 'windows',
  })
}
