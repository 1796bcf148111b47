import type { UsageRow } from '../usage/rows.ts'
import { safeText } from './text.ts'

const EVALUATIONS = 'feature_flag_last_hour_evaluations'
const VARIANTS = 'feature_flag_last_hour_variant_evaluations'

/** Receives the samples of a family one by one, since there may be many. */
type Take = (labels: string, count: bigint) => void

function label(name: string, value: string | undefined): string {
  if (value === undefined) return ''
  return `${name}="${safeText(value).replace(/[\\"]/g, '\\$&')}",`
}

/** The labels that all samples of a row share. */
function rowLabels({ flag, application, environment }: UsageRow): string {
  return label('flag', flag) + label('application', application) + label('environment', environment)
}

function evaluations(rows: readonly UsageRow[], take: Take): void {
  for (const row of rows) {
    if (row.variant !== undefined) continue
    const labels = rowLabels(row)
    take(`${labels}result="enabled"`, row.enabled)
    take(`${labels}result="disabled"`, row.disabled)
  }
}

function selections(rows: readonly UsageRow[], take: Take): void {
  for (const row of rows) {
    const labels = rowLabels(row)
    for (const { name, count } of row.variants)
      take(labels + label('variant', name).slice(0, -1), count)
  }
}

/** Whether a name is written with escapes, so that it may coincide with another one. */
function isEscaped(row: UsageRow): boolean {
  const { flag, application, environment, variants } = row
  const names = [flag, application, environment, ...variants.map(({ name }) => name)]
  return names.some((name) => name !== undefined && /[^\x20-\x5b\x5d-\x7e]/.test(name))
}

// Joining lines in pieces frees them early; otherwise garbage collection takes half of the time.
const LINES = 1000

function createText(head: string) {
  const pieces = [head]
  let lines: string[] = []
  const join = () => {
    pieces.push(lines.join(''))
    lines = []
  }
  return {
    add(line: string) {
      if (lines.push(line) === LINES) join()
    },
    end() {
      join()
      return pieces.join('')
    },
  }
}

function family(
  name: string,
  help: string,
  rows: readonly UsageRow[],
  each: (rows: readonly UsageRow[], take: Take) => void,
): string {
  const text = createText(`# TYPE ${name} gauge\n# HELP ${name} ${help}\n`)
  const print: Take = (labels, count) => text.add(`${name}{${labels}} ${count}\n`)
  if (rows.some(isEscaped)) {
    // Samples with the same labels are added up, since an exposition may have only one.
    const sums = new Map<string, bigint>()
    each(rows, (labels, count) => sums.set(labels, (sums.get(labels) ?? 0n) + count))
    for (const [labels, count] of sums) print(labels, count)
  } else each(rows, print)
  return text.end()
}

/**
 * Rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus.
 * @param window when the rows were counted, such as `since 15:00 UTC`
 */
export function usageOpenMetrics(rows: readonly UsageRow[], window: string): string {
  return [
    family(EVALUATIONS, `Evaluations of a feature flag ${window}.`, rows, evaluations),
    family(VARIANTS, `Selections of a variant ${window}.`, rows, selections),
    '# EOF\n',
  ].join('')
}
