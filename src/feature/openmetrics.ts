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
  const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(',')
  const head = (name: string, help: string) =>
    out.raw(`# TYPE ${name} gauge\n# HELP ${name} ${out.printable(help)}\n`)
  const namesOf = ({ project, flag, application, environment, bucket }: UsageRow) => {
    // A label, because the textfile collector rejects timestamps of samples.
    const hour = isoText(bucket)
    return { project, flag, application, environment, hour }
  }
  // Different names may be printed alike, and an exposition may have only one sample for the same labels.
  const series = [...addUp(rows, (row) => labels(namesOf(row)))]
  type Sample = [label: string, count: number]
  const printEach = (name: string, help: string, samplesOf: (row: UsageRow) => Sample[]) => {
    head(name, help)
    for (const block of blocksOf(series)) {
      const lines = block.flatMap(([names, row]) =>
        samplesOf(row).map(([label, count]) => `${name}{${joined(names, label)}} ${count}\n`),
      )
      out.raw(lines.join(''))
    }
  }
  printEach(`${prefix}_evaluations`, `Evaluations of a feature flag ${when}.`, (row) => {
    const counts = row.variant === undefined ? Object.entries(totalOf([row])) : []
    return counts.map(([result, count]) => [`result="${result}"`, count])
  })
  printEach(`${prefix}_variant_evaluations`, `Selections of a variant ${when}.`, ({ variants }) => {
    const printed = variants.map(({ name, count }) => ({ name: out.printable(name), count }))
    return sumVariants(printed).map(({ name: variant, count }) => [labels({ variant }), count])
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
