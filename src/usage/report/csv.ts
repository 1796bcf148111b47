import type { UsageRow } from '../rows.ts'
import { csv, csvCell, FORMULA } from '../../output/csv.ts'
import { isoText } from '../../output/dates.ts'
import { countsJson } from '../../output/json.ts'
import { jsonEscape, safeJson } from '../../output/escapes.ts'

const columns = [
  'flag',
  'application',
  'environment',
  'timestamp',
  'enabled',
  'disabled',
  'variants',
]

// In JSON, an escape neutralises a formula without changing the name of the variant.
function variantsCell({ variants }: UsageRow): string {
  const json = safeJson(countsJson(variants.map(({ name, count }) => [name, count])))
  return json.replace(FORMULA, (_, start: string, sign: string) => start + jsonEscape(sign))
}

const hourlyColumns = ['bucket', 'lastUsed', 'from', 'to']

/** The header as CSV (RFC 4180). */
export function csvHeader(isHourly: boolean): string {
  return csv([isHourly ? [...columns, ...hourlyColumns] : columns])
}

function historyCells({ history }: UsageRow): string[] {
  if (!history) return []
  const { bucket, lastUsed, from, to } = history
  return [bucket, lastUsed, from, to].map((time) => (time === undefined ? '' : isoText(time)))
}

/** Rows as CSV; a formula that a spreadsheet would run gets a `'` in front. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const records = rows.map((row) => [
    csvCell(row.flag),
    csvCell(row.application),
    csvCell(row.environment),
    csvCell(row.timestamp),
    row.enabled,
    row.disabled,
    variantsCell(row),
    ...historyCells(row),
  ])
  return csv(records)
}
