import type { UsageRow, VariantCount } from '../usage/rows.ts'
import { safeJson } from './text.ts'

/** Variants as a JSON object. By hand: counts are exact, and a variant may be called `__proto__`. */
export function variantsJson(variants: readonly VariantCount[]): string {
  const entries = variants.map(({ name, count }) => `${JSON.stringify(name)}:${count}`)
  return safeJson(`{${entries.join(',')}}`)
}

/** A row as one JSON object on one line: the normalised form of a usage record. */
export function rowJson(row: UsageRow, readAt?: string): string {
  const { flag = null, application = null, environment = null, timestamp = null } = row
  const names = JSON.stringify({ readAt, flag, application, environment, timestamp })
  const counts = `"enabled":${row.enabled},"disabled":${row.disabled}`
  return safeJson(`${names.slice(0, -1)},${counts},"variants":${variantsJson(row.variants)}}`)
}

/** Rows as JSON Lines. */
export function usageJsonl(rows: readonly UsageRow[], readAt?: string): string {
  return rows.map((row) => `${rowJson(row, readAt)}\n`).join('')
}
