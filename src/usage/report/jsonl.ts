import { isoText } from '../../output/dates.ts'
import { countsJson } from '../../output/json.ts'
import type { Safe, Sanitizer } from '../../output/text.ts'
import type { UsageRow } from '../rows.ts'

function rowJson(row: UsageRow, readAt: string | undefined): string {
  const { flag = null, application = null, environment = null, timestamp = null } = row
  const names = JSON.stringify({ readAt, flag, application, environment, timestamp })
  const variants = countsJson(row.variants.map(({ name, count }) => [name, count]))
  return `${names.slice(0, -1)},"enabled":${row.enabled},"disabled":${row.disabled},"variants":${variants}${hourlyFields(row)}}\n`
}

function hourlyFields({ hourly }: UsageRow): string {
  if (!hourly) return ''
  const iso = (time: number | undefined) => (time === undefined ? null : isoText(time))
  const { bucket, lastUsed, from, to } = hourly
  const times = { bucket: iso(bucket), lastUsed: iso(lastUsed), from: iso(from), to: iso(to) }
  return `,${JSON.stringify(times).slice(1, -1)}`
}

/**
 * Rows as JSON Lines, the normalised form of usage records.
 * @param readAt when they were read, for rows of several readings
 */
export function usageJsonl(
  rows: readonly UsageRow[],
  { jsonText }: Sanitizer,
  readAt?: string,
): Safe {
  return jsonText(rows.map((row) => rowJson(row, readAt)).join(''))
}
