import type { Missing } from '../../projects/missing.ts'
import type { UsageRow } from '../rows.ts'
import { type Blocks, inBlocks } from '../../output/blocks.ts'
import { isoText } from '../../output/dates.ts'
import { unlistedText } from '../../projects/report/missing.ts'
import { joined, remembered, replaced, type Safe, safe, type Sanitizer } from '../../output/text.ts'

const families = {
  lastHour: [
    safe`feature_flag_last_hour_evaluations`,
    safe`feature_flag_last_hour_variant_evaluations`,
  ],
  hourly: [safe`feature_flag_evaluations`, safe`feature_flag_variant_evaluations`],
} as const

type Sample = [labels: Safe, count: bigint]

// A character that is written with an escape.
const SPECIAL = /[^\x20-\x5b\x5d-\x7e]/

/** Puts the value of a label in quotes. */
type Quote = (value: string) => Safe

function createQuote({ text }: Sanitizer): Quote {
  return remembered((value) => {
    const escaped = replaced(text(value), /[\\"]/g, (character) => safe`\\${character}`)
    return safe`"${escaped}"`
  })
}

/** The labels that all samples of a row share, each with a comma after it. */
function rowLabels(row: UsageRow, quote: Quote): Safe {
  const { project, flag, application, environment, hourly } = row
  // A label, because the textfile collector rejects timestamps of samples.
  const hour = hourly?.bucket
  return joined([
    project === undefined ? safe`` : safe`project=${quote(project)},`,
    flag === undefined ? safe`` : safe`flag=${quote(flag)},`,
    application === undefined ? safe`` : safe`application=${quote(application)},`,
    environment === undefined ? safe`` : safe`environment=${quote(environment)},`,
    hour === undefined ? safe`` : safe`hour="${isoText(hour)}",`,
  ])
}

function evaluations(row: UsageRow, quote: Quote): Sample[] {
  if (row.variant !== undefined) return []
  const labels = rowLabels(row, quote)
  return [
    [safe`${labels}result="enabled"`, row.enabled],
    [safe`${labels}result="disabled"`, row.disabled],
  ]
}

function selections(row: UsageRow, quote: Quote): Sample[] {
  const labels = rowLabels(row, quote)
  return row.variants.map(({ name, count }) => {
    return [safe`${labels}variant=${quote(name)}`, count]
  })
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

function sampleLine(name: Safe, [labels, count]: Sample): Safe {
  return safe`${name}{${labels}} ${count}\n`
}

function* family(
  name: Safe,
  help: Safe,
  rows: readonly UsageRow[],
  samplesOf: (row: UsageRow) => Sample[],
): Blocks {
  yield safe`# TYPE ${name} gauge\n# HELP ${name} ${help}\n`
  if (!rows.some(isEscaped)) {
    yield* inBlocks(rows, (block) =>
      joined(block.flatMap((row) => samplesOf(row).map((sample) => sampleLine(name, sample)))),
    )
    return
  }
  // Samples with the same labels are added up, because an exposition may have only one.
  const sums = new Map<Safe, bigint>()
  for (const row of rows) {
    for (const [labels, count] of samplesOf(row)) sums.set(labels, (sums.get(labels) ?? 0n) + count)
  }
  yield* inBlocks([...sums], (samples) => joined(samples.map((sample) => sampleLine(name, sample))))
}

/** A gauge that shows whether the other figures are complete. */
function unreadFamily(missing: Missing): Safe {
  const { flags, projects, lookups, interruptedAfter, unlistedProjects } = missing
  const name = safe`feature_flag_usage_unread`
  const limit = unlistedProjects ? safe`; ${unlistedText}` : safe``
  const unreadFlags =
    interruptedAfter === undefined ? flags.names.length : flags.of - interruptedAfter
  const unreadLookups = lookups.reduce((sum, { unread }) => sum + unread, 0)
  return joined([
    safe`# TYPE ${name} gauge\n`,
    safe`# HELP ${name} Flags and projects that could not be read${limit}.\n`,
    safe`${name}{kind="flag"} ${unreadFlags}\n`,
    safe`${name}{kind="project"} ${projects.names.length}\n`,
    ...(lookups.length > 0 ? [safe`${name}{kind="lookup"} ${unreadLookups}\n`] : []),
  ])
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
  sanitizer: Sanitizer,
): Blocks {
  const since = sanitizer.text(window)
  const quote = createQuote(sanitizer)
  const [total, variants] = families[isHourly ? 'hourly' : 'lastHour']
  yield* family(total, safe`Evaluations of a feature flag ${since}.`, rows, (row) =>
    evaluations(row, quote),
  )
  yield* family(variants, safe`Selections of a variant ${since}.`, rows, (row) =>
    selections(row, quote),
  )
  yield unreadFamily(missing)
  yield safe`# EOF\n`
}
