import { refuseUsage } from '../errors.ts'
import { memoized } from '../memoized.ts'
import { blocksOf } from '../output/rows.ts'
import type { Writer } from '../output/text.ts'
import { isoText } from '../output/time.ts'
import { addUp, type UsageRow } from './rows.ts'

/** A label of every series, as it was given. */
export interface Label {
  name: string
  value: string
}

// Those that series have anyway.
const reserved = [
  ...['project', 'flag', 'application', 'environment', 'variant', 'result'],
  ...['span', 'hour', 'day', 'kind'],
]

/** Collects a label: `service=main`. @throws a usage error for a name that Prometheus does not accept, or that series have anyway */
export function collectLabel(text: string, labels: readonly Label[] = []): Label[] {
  const [, name, value] = /^([a-z_]\w*)=(.+)$/i.exec(text) ?? []
  if (name === undefined || value === undefined || name.startsWith('__')) {
    return refuseUsage(
      `--label: invalid label '${text}'`,
      'use a name of letters and a value: --label service=main',
    )
  }
  if (reserved.includes(name) || labels.some((label) => label.name === name)) {
    return refuseUsage(`--label: every series has at most one ${name}`, 'use another name')
  }
  return [...labels, { name, value }]
}

/** A function that makes a label, such as `flag="dark-mode"`; the same one, which many samples have, only once. */
function createLabel(name: string, out: Writer): (value: string) => string {
  return memoized((value) => `${name}="${out.printable(value).replace(/[\\"]/g, '\\$&')}"`)
}

/** What figures are about: a project, or a flag whose project is not known; neither for names that no flag has. */
export interface Subject {
  project?: string
  flag?: string
  /** How many flags could not be read, whether the project could not be, and how many flags have more applications than the service lists. */
  unread: Readonly<Partial<Record<'flag' | 'project' | 'application', number>>>
}

/** The project of a run, and the names by which usage is filtered. */
interface Scope {
  project: string | undefined
  application: string | undefined
  environment: string | undefined
}

export interface Exposition {
  prefix: string
  rows: readonly UsageRow[]
  subjects: readonly Subject[]
  /** The length that was asked for: `48h`. */
  span: string
  /** What the time of a row is the start of. */
  step: 'hour' | 'day'
  /** What all rows are of, if they do not say so themselves. */
  scope: Scope
  /** What the figures begin with, in milliseconds since the epoch. */
  from: number | undefined
  labels: readonly Label[]
}

/** A function that makes the labels of a row, without those that it does not have. */
function createLabels(exposition: Exposition, out: Writer): (row: Partial<UsageRow>) => string {
  const { step, scope, span, labels: given } = exposition
  const project = createLabel('project', out)
  const flag = createLabel('flag', out)
  const application = createLabel('application', out)
  const environment = createLabel('environment', out)
  // A label, because the textfile collector rejects timestamps of samples.
  const start = createLabel(step, out)
  const common = [{ name: 'span', value: span }, ...given]
    .map(({ name, value }) => createLabel(name, out)(value))
    .join(',')
  return (row) => {
    const time = isoText(row.bucket)
    const projectId = row.project ?? scope.project
    const app = row.application ?? scope.application
    const place = row.environment ?? scope.environment
    let labels = ''
    if (projectId !== undefined) labels += `${project(projectId)},`
    if (row.flag !== undefined) labels += `${flag(row.flag)},`
    if (app !== undefined) labels += `${application(app)},`
    if (place !== undefined) labels += `${environment(place)},`
    if (time !== undefined) labels += `${start(step === 'day' ? time.slice(0, 10) : time)},`
    return labels + common
  }
}

function evaluationLines(metric: string, labels: string, row: UsageRow): string {
  // Rows of variants have selections instead.
  if (row.variant !== undefined) return ''
  const start = `${metric}{${labels},`
  return `${start}result="enabled"} ${row.enabled}\n${start}result="disabled"} ${row.disabled}\n`
}

/**
 * Prints rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus. Several such files are read into
 * one place: so each text of HELP is always the same, and every series says what it is about.
 */
export function printMetrics(exposition: Exposition, out: Writer): void {
  const { prefix, rows, subjects, from } = exposition
  const head = (name: string, help: string) =>
    out.raw(`# TYPE ${name} gauge\n# HELP ${name} ${help}\n`)
  const labelsOf = createLabels(exposition, out)
  // Different names may be printed alike, and an exposition may have only one sample for the same labels.
  const series = [...addUp(rows, labelsOf)]
  const evaluations = `${prefix}_evaluations`
  head(evaluations, 'Evaluations of a feature flag in the span that ends now.')
  for (const block of blocksOf(series)) {
    out.raw(block.map(([labels, row]) => evaluationLines(evaluations, labels, row)).join(''))
  }
  const selections = `${prefix}_variant_evaluations`
  head(selections, 'Selections of a variant of a feature flag in the span that ends now.')
  const variantLabel = createLabel('variant', out)
  const selectionLines = (labels: string, { variants }: UsageRow) => {
    const sums = new Map<string, number>()
    for (const { name, count } of variants) {
      const label = variantLabel(name)
      sums.set(label, (sums.get(label) ?? 0) + count)
    }
    let lines = ''
    for (const [label, count] of sums) lines += `${selections}{${labels},${label}} ${count}\n`
    return lines
  }
  for (const block of blocksOf(series)) {
    out.raw(block.map(([labels, row]) => selectionLines(labels, row)).join(''))
  }
  const since = 'feature_flag_usage_since_timestamp_seconds'
  head(since, 'When the usage of feature flags in the span begins.')
  for (const subject of subjects) {
    const isNamed = (subject.project ?? subject.flag) !== undefined
    if (isNamed && from !== undefined) out.raw(`${since}{${labelsOf(subject)}} ${from / 1000}\n`)
  }
  const unread = 'feature_flag_usage_unread'
  head(
    unread,
    'Flags and projects that could not be read, and flags whose applications are too many to list.',
  )
  for (const subject of subjects) {
    for (const [kind, count] of Object.entries(subject.unread)) {
      out.raw(`${unread}{${labelsOf(subject)},kind="${kind}"} ${count}\n`)
    }
  }
  out.raw('# EOF\n')
}
