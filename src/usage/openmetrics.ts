import { blocksOf } from '../output/rows.ts'
import type { Writer } from '../output/text.ts'
import { createIsoText } from '../output/time.ts'
import { addUp, type UsageRow } from './rows.ts'

/** A function that makes a label, such as `flag="dark-mode"`; the same one, which many samples have, only once. */
function createLabel(name: string, out: Writer): (value: string) => string {
  const labels = new Map<string, string>()
  return (value) => {
    const before = labels.get(value)
    if (before !== undefined) return before
    const label = `${name}="${out.printable(value).replace(/[\\"]/g, '\\$&')}"`
    labels.set(value, label)
    return label
  }
}

/**
 * A function that makes the labels of a row, without those that it does not have.
 * @param step what the time of a row is the start of
 */
function createLabels(step: 'hour' | 'day', out: Writer): (row: UsageRow) => string {
  const isoText = createIsoText()
  const project = createLabel('project', out)
  const flag = createLabel('flag', out)
  const application = createLabel('application', out)
  const environment = createLabel('environment', out)
  // A label, because the textfile collector rejects timestamps of samples.
  const start = createLabel(step, out)
  return (row) => {
    const time = isoText(row.bucket)
    let labels = ''
    if (row.project !== undefined) labels += `,${project(row.project)}`
    if (row.flag !== undefined) labels += `,${flag(row.flag)}`
    if (row.application !== undefined) labels += `,${application(row.application)}`
    if (row.environment !== undefined) labels += `,${environment(row.environment)}`
    if (time !== undefined) labels += `,${start(step === 'day' ? time.slice(0, 10) : time)}`
    return labels.slice(1)
  }
}

/** The lines of an evaluation metric for a row. */
function evaluationLines(metric: string, labels: string, row: UsageRow): string {
  // Rows of variants have selections instead.
  if (row.variant !== undefined) return ''
  const start = labels === '' ? `${metric}{` : `${metric}{${labels},`
  return `${start}result="enabled"} ${row.enabled}\n${start}result="disabled"} ${row.disabled}\n`
}

/**
 * Prints rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus.
 * @param times when the figures were counted, such as `since 2026-11-18 17:00 UTC`, and what the time of a row is the start of
 * @param unread how many flags, projects, and flags with further applications the figures lack
 */
export function printMetrics(
  rows: readonly UsageRow[],
  prefix: string,
  { when, step }: { when: string; step: 'hour' | 'day' },
  unread: Readonly<Record<'flag' | 'project' | 'application', number>>,
  out: Writer,
): void {
  const head = (name: string, help: string) =>
    out.raw(`# TYPE ${name} gauge\n# HELP ${name} ${out.printable(help)}\n`)
  // Different names may be printed alike, and an exposition may have only one sample for the same labels.
  const series = [...addUp(rows, createLabels(step, out))]
  const evaluations = `${prefix}_evaluations`
  head(evaluations, `Evaluations of a feature flag ${when}.`)
  for (const block of blocksOf(series)) {
    out.raw(block.map(([labels, row]) => evaluationLines(evaluations, labels, row)).join(''))
  }
  const selections = `${prefix}_variant_evaluations`
  head(selections, `Selections of a variant ${when}.`)
  const variantLabel = createLabel('variant', out)
  const selectionLines = (labels: string, { variants }: UsageRow) => {
    const start = labels === '' ? `${selections}{` : `${selections}{${labels},`
    const sums = new Map<string, number>()
    for (const { name, count } of variants) {
      const label = variantLabel(name)
      sums.set(label, (sums.get(label) ?? 0) + count)
    }
    let lines = ''
    for (const [label, count] of sums) lines += `${start}${label}} ${count}\n`
    return lines
  }
  for (const block of blocksOf(series)) {
    out.raw(block.map(([labels, row]) => selectionLines(labels, row)).join(''))
  }
  head(
    'feature_flag_usage_unread',
    'Flags and projects that could not be read, and flags whose applications are too many to list.',
  )
  for (const [kind, count] of Object.entries(unread)) {
    out.raw(`feature_flag_usage_unread{kind="${kind}"} ${count}\n`)
  }
  out.raw('# EOF\n')
}
