import { blocksOf } from '../output/rows.ts'
import type { Writer } from '../output/text.ts'
import { isoText } from '../output/time.ts'
import { addUp, sumVariants, type UsageRow } from './figures.ts'
import { totalOf } from './records.ts'

/**
 * Prints rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus.
 * @param when the figures were counted, such as `since 2026-11-18 17:00 UTC`
 * @param unread how many flags, projects, and flags with further applications the figures lack
 */
export function printMetrics(
  rows: readonly UsageRow[],
  prefix: string,
  when: string,
  unread: Readonly<Record<'flag' | 'project' | 'application', number>>,
  out: Writer,
): void {
  const labels = (values: Record<string, string | undefined>) =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value = '']) => `${name}="${out.printable(value).replace(/[\\"]/g, '\\$&')}"`)
      .join(',')
  const head = (name: string, help: string) =>
    out.raw(`# TYPE ${name} gauge\n# HELP ${name} ${out.printable(help)}\n`)
  const namesOf = ({ project, flag, application, environment, bucket }: UsageRow) => {
    // A label, because the textfile collector rejects timestamps of samples.
    const hour = isoText(bucket)
    return { project, flag, application, environment, hour }
  }
  // Different names may be printed alike, and an exposition may have only one sample for the same labels.
  const series = addUp(rows, (row) => labels(namesOf(row)))
  const printEach = (linesOf: (row: UsageRow) => string[]) => {
    for (const block of blocksOf(series)) out.raw(block.flatMap(linesOf).join(''))
  }
  head(`${prefix}_evaluations`, `Evaluations of a feature flag ${when}.`)
  printEach((row) => {
    const counts = row.variant === undefined ? Object.entries(totalOf([row])) : []
    return counts.map(
      ([result, count]) =>
        `${prefix}_evaluations{${labels({ ...namesOf(row), result })}} ${count}\n`,
    )
  })
  head(`${prefix}_variant_evaluations`, `Selections of a variant ${when}.`)
  printEach((row) => {
    const printed = row.variants.map(({ name, count }) => ({ name: out.printable(name), count }))
    return sumVariants(printed).map(
      ({ name: variant, count }) =>
        `${prefix}_variant_evaluations{${labels({ ...namesOf(row), variant })}} ${count}\n`,
    )
  })
  head(
    'feature_flag_usage_unread',
    'Flags and projects that could not be read, and flags whose applications are too many to list.',
  )
  for (const [kind, count] of Object.entries(unread)) {
    out.raw(`feature_flag_usage_unread{${labels({ kind })}} ${count}\n`)
  }
  out.raw('# EOF\n')
}
