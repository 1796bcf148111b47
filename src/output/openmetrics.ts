import type { UsageRow } from '../usage/rows.ts'
import { safeText } from './text.ts'

const EVALUATIONS = 'feature_flag_last_hour_evaluations'
const VARIANTS = 'feature_flag_last_hour_variant_evaluations'

function label(name: string, value: string | undefined): string[] {
  if (value === undefined) return []
  return [`${name}="${safeText(value).replace(/[\\"]/g, '\\$&')}"`]
}

function labels(row: UsageRow, name: string, value: string): string {
  const { flag, application, environment } = row
  const all = [
    ...label('flag', flag),
    ...label('application', application),
    ...label('environment', environment),
    ...label(name, value),
  ]
  return `{${all.join(',')}}`
}

/** Samples by their labels: two that became the same text are one, or the exposition would be invalid. */
function samples(entries: Iterable<readonly [string, bigint]>): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const [key, count] of entries) sums.set(key, (sums.get(key) ?? 0n) + count)
  return sums
}

function* evaluations(rows: readonly UsageRow[]): Generator<[string, bigint]> {
  for (const row of rows) {
    if (row.variant !== undefined) continue
    yield [labels(row, 'result', 'enabled'), row.enabled]
    yield [labels(row, 'result', 'disabled'), row.disabled]
  }
}

function* selections(rows: readonly UsageRow[]): Generator<[string, bigint]> {
  for (const row of rows) {
    for (const { name, count } of row.variants) yield [labels(row, 'variant', name), count]
  }
}

function family(name: string, help: string, entries: Map<string, bigint>): string {
  const lines = [...entries].map(([key, count]) => `${name}${key} ${count}\n`)
  return `# TYPE ${name} gauge\n# HELP ${name} ${help}\n${lines.join('')}`
}

/** Rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus. */
export function usageOpenMetrics(rows: readonly UsageRow[]): string {
  return [
    family(
      EVALUATIONS,
      'Evaluations of a feature flag in the last hour.',
      samples(evaluations(rows)),
    ),
    family(VARIANTS, 'Selections of a variant in the last hour.', samples(selections(rows))),
    '# EOF\n',
  ].join('')
}
