import { stringify } from 'csv-stringify/sync'
import type { UsageRow } from '../usage/rows.ts'
import { countsJson } from './json.ts'
import { jsonEscape, safeJson, safeText } from './text.ts'

const columns = [
  'flag',
  'application',
  'environment',
  'timestamp',
  'enabled',
  'disabled',
  'variants',
]

// Where a locale separates cells by semicolons, a semicolon inside a cell begins another one.
const FORMULA = /((?:^|;)[\s"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g

function cell(text = ''): string {
  return safeText(text).replace(FORMULA, "$1'$2")
}

// In JSON an escape disarms a formula and keeps the name of the variant.
function variantsCell({ variants }: UsageRow): string {
  const json = safeJson(countsJson(variants.map(({ name, count }) => [name, count])))
  return json.replace(FORMULA, (_, start: string, sign: string) => start + jsonEscape(sign))
}

/** The header as CSV (RFC 4180). */
export function csvHeader(): string {
  return stringify([columns], { record_delimiter: 'windows' })
}

/** Rows as CSV; a formula that a spreadsheet would run gets a `'` in front. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const records = rows.map((row) => [
    cell(row.flag),
    cell(row.application),
    cell(row.environment),
    cell(row.timestamp),
    row.enabled,
    row.disabled,
    variantsCell(row),
  ])
  return stringify(records, { record_delimiter: 'windows' })
}
