import type { Redactor } from '../redact.ts'
import type { UsageRow } from '../usage/rows.ts'
import { isoText } from './dates.ts'
import { safeJson } from './escapes.ts'

/** A document as one line of JSON, safe to print; absent fields are left out. */
export function jsonReport(document: object): string {
  return `${safeJson(JSON.stringify(document))}\n`
}

/** Documents as JSON Lines, one per line. */
export function jsonLinesReport(documents: readonly object[]): string {
  return safeJson(documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
}

/** JSON text on one line. Valid JSON has raw line breaks only between tokens. */
export function compactJson(json: string): string {
  return json.trim().replace(/[\r\n]\s*/g, '')
}

/**
 * The service's own document, unchanged except for masked secrets and escaped unsafe characters.
 * @param oneLine whether to remove line breaks, so that several documents are JSON Lines
 */
export function serviceDocument(
  json: string,
  oneLine: boolean,
  { redactJson }: Pick<Redactor, 'redactJson'>,
): string {
  return `${safeJson(redactJson(oneLine ? compactJson(json) : json.trimEnd()))}\n`
}

/**
 * Counts as a JSON object. JSON.stringify rejects bigints, and an object literal would lose a variant
 * that is called `__proto__`.
 */
export function countsJson(counts: readonly (readonly [name: string, count: bigint])[]): string {
  return `{${counts.map(([name, count]) => `${JSON.stringify(name)}:${count}`).join(',')}}`
}

/** The fields of two JSON objects, neither of them empty, as one object. */
export function joinJson(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`
}

function rowJson(row: UsageRow, readAt: string | undefined): string {
  const { flag = null, application = null, environment = null, timestamp = null } = row
  const names = JSON.stringify({ readAt, flag, application, environment, timestamp })
  const variants = countsJson(row.variants.map(({ name, count }) => [name, count]))
  return `${names.slice(0, -1)},"enabled":${row.enabled},"disabled":${row.disabled},"variants":${variants}${historyFields(row)}}\n`
}

function historyFields({ history }: UsageRow): string {
  if (!history) return ''
  const iso = (time: number | undefined) => (time === undefined ? null : isoText(time))
  const { bucket, lastUsed, from, to } = history
  const times = { bucket: iso(bucket), lastUsed: iso(lastUsed), from: iso(from), to: iso(to) }
  return `,${JSON.stringify(times).slice(1, -1)}`
}

/**
 * Rows as JSON Lines, the normalised form of usage records.
 * @param readAt when they were read, for rows of several readings
 */
export function usageJsonl(rows: readonly UsageRow[], readAt?: string): string {
  return safeJson(rows.map((row) => rowJson(row, readAt)).join(''))
}
