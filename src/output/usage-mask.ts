import type { FeatureUsage } from '../service/schema.ts'
import type { UsageRow } from '../usage/rows.ts'
import type { Redact } from './redact.ts'

// A terminal's table shortens names: the writer, which masks all text, would not find a part of a key.

function masked(text: string | undefined, redact: Redact): string | undefined {
  return text === undefined ? undefined : redact(text)
}

/** Rows with secrets masked, to be shown in a terminal's columns. */
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

/** The same for what a usage document says of the flag itself. */
export function maskUsage(usage: FeatureUsage, redact: Redact): FeatureUsage {
  const { featureName, seenApplications } = usage
  return {
    ...usage,
    featureName: featureName == null ? featureName : redact(featureName),
    seenApplications: seenApplications?.map(redact),
  }
}
