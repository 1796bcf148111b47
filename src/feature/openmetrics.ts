import { groupBy } from '../groups.ts'
import type { Writer } from '../output/text.ts'
import type { UsageRow } from './figures.ts'
import { sumVariants } from './figures.ts'
import { totalOf } from './records.ts'

/** Labels as `name="value",…`; an absent value has none. The values are printable. */
function labels(values: Record<string, string | undefined>, out: Writer): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value = '']) => `${name}="${out.printable(value).replace(/[\\"]/g, '\\$&')}"`)
    .join(',')
}

function familyHead(name: string, help: string): string {
  return `# TYPE ${name} gauge\n# HELP ${name} ${help}\n`
}

/**
 * Prints rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus.
 * @param when the figures were counted, such as `since 2026-11-18 17:00 UTC`
 * @param unread how many flags, projects, and flags with further applications the figures lack
 */
export function usageMetrics(
  rows: readonly UsageRow[],
  isHourly: boolean,
  when: string,
  unread: Readonly<Record<'flag' | 'project' | 'application', number>>,
  out: Writer,
): void {
  const prefix = isHourly ? 'feature_flag' : 'feature_flag_last_hour'
  const labelsOf = ({ project, flag, application, environment, bucket }: UsageRow) => {
    // A label, because the textfile collector rejects timestamps of samples.
    const hour = bucket === undefined ? undefined : new Date(bucket).toISOString()
    return labels({ project, flag, application, environment, hour }, out)
  }
  // Different names may be printed alike, and an exposition may have only one sample for the same labels.
  const groups = groupBy(rows, labelsOf)
  const separated = (text: string) => (text === '' ? '' : `${text},`)
  const evaluations = Array.from(groups, ([text, own]) => {
    const counted = own.filter(({ variant }) => variant === undefined)
    const { enabled, disabled } = totalOf(counted)
    const series = `${prefix}_evaluations{${separated(text)}result=`
    return counted.length > 0
      ? `${series}"enabled"} ${enabled}\n${series}"disabled"} ${disabled}\n`
      : ''
  })
  const selections = Array.from(groups, ([text, own]) => {
    const printed = own.flatMap(({ variants }) =>
      variants.map(({ name, count }) => ({ name: out.printable(name), count })),
    )
    return sumVariants([printed])
      .map(({ name, count }) => {
        const variant = labels({ variant: name }, out)
        return `${prefix}_variant_evaluations{${separated(text)}${variant}} ${count}\n`
      })
      .join('')
  })
  const gaps = Object.entries(unread).map(
    ([kind, count]) => `feature_flag_usage_unread{kind="${kind}"} ${count}\n`,
  )
  const since = out.printable(when)
  out.raw(
    [
      familyHead(`${prefix}_evaluations`, `Evaluations of a feature flag ${since}.`),
      ...evaluations,
      familyHead(`${prefix}_variant_evaluations`, `Selections of a variant ${since}.`),
      ...selections,
      familyHead(
        'feature_flag_usage_unread',
        'Flags and projects that could not be read, and flags whose applications are too many to list.',
      ),
      ...gaps,
      '# EOF\n',
    ].join(''),
  )
}
