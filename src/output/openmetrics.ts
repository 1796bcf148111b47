import type { UsageRow } from '../usage/rows.ts'
import { BLOCK_ROWS, type Blocks, inBlocks } from './blocks.ts'
import { isoText } from './dates.ts'
import { safeText } from './text.ts'

const families = {
  lastHour: ['feature_flag_last_hour_evaluations', 'feature_flag_last_hour_variant_evaluations'],
  hourly: ['feature_flag_evaluations', 'feature_flag_variant_evaluations'],
} as const

type Sample = [labels: string, count: bigint]

function label(name: string, value: string | undefined): string {
  if (value === undefined) return ''
  return `${name}="${safeText(value).replace(/[\\"]/g, '\\$&')}",`
}

/** The labels that all samples of a row share. */
function rowLabels({ flag, application, environment, history }: UsageRow): string {
  const names =
    label('flag', flag) + label('application', application) + label('environment', environment)
  // A label, since the textfile collector rejects timestamps of samples.
  return history?.bucket === undefined ? names : names + label('hour', isoText(history.bucket))
}

function evaluations(row: UsageRow): Sample[] {
  if (row.variant !== undefined) return []
  const labels = rowLabels(row)
  return [
    [`${labels}result="enabled"`, row.enabled],
    [`${labels}result="disabled"`, row.disabled],
  ]
}

function selections(row: UsageRow): Sample[] {
  const labels = rowLabels(row)
  return row.variants.map(({ name, count }) => [
    labels + label('variant', name).slice(0, -1),
    count,
  ])
}

/** Whether a name is written with escapes, so that it may coincide with another one. */
function isEscaped(row: UsageRow): boolean {
  const { flag, application, environment, variants } = row
  const names = [flag, application, environment, ...variants.map(({ name }) => name)]
  return names.some((name) => name !== undefined && /[^\x20-\x5b\x5d-\x7e]/.test(name))
}

function* family(
  name: string,
  help: string,
  rows: readonly UsageRow[],
  samplesOf: (row: UsageRow) => Sample[],
): Blocks {
  yield `# TYPE ${name} gauge\n# HELP ${name} ${help}\n`
  const print = (samples: readonly Sample[]) =>
    samples.map(([labels, count]) => `${name}{${labels}} ${count}\n`).join('')
  if (!rows.some(isEscaped)) {
    yield* inBlocks(rows, (block) => print(block.flatMap(samplesOf)))
    return
  }
  // Samples with the same labels are added up, since an exposition may have only one.
  const sums = new Map<string, bigint>()
  for (const [index, row] of rows.entries()) {
    if (index % BLOCK_ROWS === BLOCK_ROWS - 1) yield ''
    for (const [labels, count] of samplesOf(row)) sums.set(labels, (sums.get(labels) ?? 0n) + count)
  }
  yield* inBlocks([...sums], print)
}

/**
 * Rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus.
 * @param window when the rows were counted, such as `since 15:00 UTC`
 */
export function* usageOpenMetrics(
  rows: readonly UsageRow[],
  window: string,
  { isHourly }: { isHourly: boolean },
): Blocks {
  const [total, variants] = families[isHourly ? 'hourly' : 'lastHour']
  yield* family(total, `Evaluations of a feature flag ${window}.`, rows, evaluations)
  yield* family(variants, `Selections of a variant ${window}.`, rows, selections)
  yield '# EOF\n'
}
