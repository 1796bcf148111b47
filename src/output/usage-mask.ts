import type { FeatureUsage } from '../service/schema.ts'
import type { UsageRow } from '../usage/rows.ts'
import type { Redact } from './redact.ts'

function masked(text: string | undefined, redact: Redact): string | undefined {
  return text === undefined ? undefined : redact(text)
}

/** Rows with secrets masked, before a format escapes or shortens their names. */
export function maskRows(rows: readonly UsageRow[], redact: Redact): UsageRow[] {
  return rows.map((row) => ({
    ...row,
    flag: masked(row.flag, redact),
    application: masked(row.application, redact),
    environment: masked(row.environment, redact),
    variant: masked(row.variant, redact),
    timestamp: masked(row.timestamp, redact),
    variants: row.variants.map(({ name, count }) => ({ name: redact(name), count })),
  }))
}

/** The same for the fields of a usage document that describe the flag itself. */
export function maskUsage(usage: FeatureUsage, redact: Redact): FeatureUsage {
  const { featureName, maturity, seenApplications } = usage
  return {
    ...usage,
    featureName: featureName == null ? featureName : redact(featureName),
    maturity: maturity == null ? maturity : redact(maturity),
    seenApplications: seenApplications?.map(redact),
  }
}
