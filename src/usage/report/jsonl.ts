import { countsJson, joinJson } from '../../old/output/json.ts'
import type { Safe, Sanitizer } from '../../old/output/text.ts'
import type { UsageRow } from '../rows.ts'
import type { UsageSource } from '../source.ts'
import { isoTimes } from './hourly.ts'

/** The optional fields of JSON Lines. */
interface JsonlOptions extends Pick<UsageSource, 'projects'> {
  /** When the rows were read, for rows of several readings. */
  readAt?: string
}

function rowJson(row: UsageRow, { projects, readAt }: JsonlOptions): string {
  const project = projects && (row.project ?? null)
  const { flag = null, application = null, environment = null, timestamp = null, hourly } = row
  const names = JSON.stringify({ readAt, project, flag, application, environment, timestamp })
  const variants = countsJson(row.variants.map(({ name, count }) => [name, count]))
  const counts = `{"enabled":${row.enabled},"disabled":${row.disabled},"variants":${variants}}`
  const json = joinJson(names, counts)
  return `${hourly ? joinJson(json, JSON.stringify(isoTimes(hourly))) : json}\n`
}

/** Rows as JSON Lines, the normalised form of usage records. */
export function usageJsonl(
  rows: readonly UsageRow[],
  options: JsonlOptions,
  { jsonText }: Sanitizer,
): Safe {
  return jsonText(rows.map((row) => rowJson(row, options)).join(''))
}
