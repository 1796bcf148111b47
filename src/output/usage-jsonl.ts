import type { UsageRow, VariantCount } from '../usage/rows.ts'
import { safeJson } from './text.ts'

/** Variants as a JSON object. By hand: counts are exact, and a variant may be called `__proto__`. */
export function variantsJson(variants: readonly VariantCount[]): string {
  const entries = variants.map(({ name, count }) => `${JSON.stringify(name)}:${count}`)
  return `{${entries.join(',')}}`
}

function rowJson(row: UsageRow, readAt: string | undefined): string {
  const { flag = null, application = null, environment = null, timestamp = null } = row
  const names = JSON.stringify({ readAt, flag, application, environment, timestamp })
  const counts = `"enabled":${row.enabled},"disabled":${row.disabled}`
  return `${names.slice(0, -1)},${counts},"variants":${variantsJson(row.variants)}}\n`
}

/**
 * Rows as JSON Lines, the normalised form of usage records.
 * @param readAt when they were read, for rows of several readings
 */
export function usageJsonl(rows: readonly UsageRow[], readAt?: string): string {
  return safeJson(rows.map((row) => rowJson(row, readAt)).join(''))
}
