import type { Missing } from '../../projects/missing.ts'
import type { UsageRow } from '../rows.ts'
import { BLOCK_ROWS, type Blocks, inBlocks } from '../../output/blocks.ts'
import { isoText } from '../../output/dates.ts'
import { unlistedText } from '../../projects/report/missing.ts'
import { safeText } from '../../output/escapes.ts'

const families = {
  lastHour: ['feature_flag_last_hour_evaluations', 'feature_flag_last_hour_variant_evaluations'],
  hourly: ['feature_flag_evaluations', 'feature_flag_variant_evaluations'],
} as const

type Sample = [labels: string, count: bigint]

// A character that is written with an escape.
const SPECIAL = /[^\x20-\x5b\x5d-\x7e]/

/** The value of a label, printable and escaped. */
type Escape = (value: string) => string

/** Keeps what it returned, since most names occur in many rows. */
function createEscape(): Escape {
  const known = new Map<string, string>()
  return (value) => {
    let escaped = known.get(value)
    if (escaped === undefined) {
      escaped = safeText(value).replace(/[\\"]/g, '\\$&')
      known.set(value, escaped)
    }
    return escaped
  }
}

function label(name: string, value: string | undefined, escape: Escape): string {
  return value === undefined ? '' : `${name}="${escape(value)}",`
}

/** The labels that all samples of a row share. */
function rowLabels({ flag, application, environment, history }: UsageRow, escape: Escape): string {
  const names =
    label('flag', flag, escape) +
    label('application', application, escape) +
    label('environment', environment, escape)
  // A label, since the textfile collector rejects timestamps of samples.
  if (history?.bucket === undefined) return names
  return names + label('hour', isoText(history.bucket), escape)
}

function evaluations(row: UsageRow, escape: Escape): Sample[] {
  if (row.variant !== undefined) return []
  const labels = rowLabels(row, escape)
  return [
    [`${labels}result="enabled"`, row.enabled],
    [`${labels}result="disabled"`, row.disabled],
  ]
}

function selections(row: UsageRow, escape: Escape): Sample[] {
  const labels = rowLabels(row, escape)
  return row.variants.map(({ name, count }) => [`${labels}variant="${escape(name)}"`, count])
}

/** Whether a name is written with escapes, so that it may coincide with another one. */
function isEscaped({ flag, application, environment, variants }: UsageRow): boolean {
  const isSpecial = (name = '') => SPECIAL.test(name)
  return (
    isSpecial(flag) ||
    isSpecial(application) ||
    isSpecial(environment) ||
    variants.some(({ name }) => isSpecial(name))
  )
}

function sampleLine(name: string, [labels, count]: Sample): string {
  return `${name}{${labels}} ${count}\n`
}

function* family(
  name: string,
  help: string,
  rows: readonly UsageRow[],
  samplesOf: (row: UsageRow) => Sample[],
): Blocks {
  yield `# TYPE ${name} gauge\n# HELP ${name} ${help}\n`
  if (!rows.some(isEscaped)) {
    yield* inBlocks(rows, (block) => {
      let text = ''
      for (const row of block) {
        for (const sample of samplesOf(row)) text += sampleLine(name, sample)
      }
      return text
    })
    return
  }
  // Samples with the same labels are added up, since an exposition may have only one.
  const sums = new Map<string, bigint>()
  for (const [index, row] of rows.entries()) {
    if (index % BLOCK_ROWS === BLOCK_ROWS - 1) yield ''
    for (const [labels, count] of samplesOf(row)) sums.set(labels, (sums.get(labels) ?? 0n) + count)
  }
  yield* inBlocks([...sums], (samples) =>
    samples.map((sample) => sampleLine(name, sample)).join(''),
  )
}

/** A gauge that shows whether the other figures are complete. */
function unreadFamily({ flags, projects, interruptedAfter, unlistedProjects }: Missing): string {
  const name = 'feature_flag_usage_unread'
  const limit = unlistedProjects ? `; ${unlistedText}` : ''
  const unreadFlags =
    interruptedAfter === undefined ? flags.names.length : flags.of - interruptedAfter
  return (
    `# TYPE ${name} gauge\n# HELP ${name} Flags and projects that could not be read${limit}.\n` +
    `${name}{kind="flag"} ${unreadFlags}\n${name}{kind="project"} ${projects.names.length}\n`
  )
}

/**
 * Rows as OpenMetrics text, for the textfile collector or a push gateway of Prometheus.
 * @param window when the rows were counted, such as `since 15:00 UTC`
 */
export function* usageOpenMetrics(
  rows: readonly UsageRow[],
  window: string,
  { isHourly }: { isHourly: boolean },
  missing: Missing,
): Blocks {
  const [total, variants] = families[isHourly ? 'hourly' : 'lastHour']
  const escape = createEscape()
  yield* family(total, `Evaluations of a feature flag ${window}.`, rows, (row) =>
    evaluations(row, escape),
  )
  yield* family(variants, `Selections of a variant ${window}.`, rows, (row) =>
    selections(row, escape),
  )
  yield unreadFamily(missing)
  yield '# EOF\n'
}
