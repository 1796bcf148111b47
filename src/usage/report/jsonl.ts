import { isoText } from '../../output/dates.ts'
import { countsJson } from '../../output/json.ts'
import type { Safe, Sanitizer } from '../../output/text.ts'
import type { UsageRow } from '../rows.ts'
import type { FlagProjects } from '../source.ts'

/** The optional fields of JSON Lines. */
interface JsonlOptions {
  /** Undefined unless projects were read. */
  projects: FlagProjects | undefined
  /** When the rows were read, for rows of several readings. */
  readAt?: string
}

function rowJson(row: UsageRow, { projects, readAt }: JsonlOptions): string {
  const project = projects && (row.project ?? null)
  const { flag = null, application = null, environment = null, timestamp = null } = row
  const names = JSON.stringify({ readAt, project, flag, application, environment, timestamp })
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

/** Rows as JSON Lines, the normalised form of usage records. */
export function usageJsonl(
  rows: readonly UsageRow[],
  options: JsonlOptions,
  { jsonText }: Sanitizer,
): Safe {
  return jsonText(rows.map((row) => rowJson(row, options)).join(''))
}
