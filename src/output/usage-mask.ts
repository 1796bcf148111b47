import type { FeatureUsage } from '../service/schema.ts'
import type { UsageRow } from '../usage/rows.ts'
import type { Redact, Redactor } from '../redact.ts'

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

/**
 * The rows of an answer with secrets masked. A document without any is searched as a whole, which is
 * faster than masking each name.
 * @param flag the name that was asked for
 * @param json the document
 */
export function maskAnswer(
  flag: string,
  json: string,
  rows: readonly UsageRow[],
  { redact, redactJson }: Redactor,
): readonly UsageRow[] {
  const clean = redact(flag) === flag && redactJson(json) === json
  return clean ? rows : maskRows(rows, redact)
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
