import type { Missing } from '../../projects/missing.ts'
import { mergeRows, sumVariants, type UsageRow } from '../rows.ts'
import { type Blocks, inBlocks } from '../../old/output/blocks.ts'
import { isoText } from '../../old/output/dates.ts'
import { unlistedText } from '../../projects/report/missing.ts'
import {
  joined,
  remembered,
  replaced,
  type Safe,
  safe,
  type Sanitizer,
  sliced,
} from '../../old/output/text.ts'

const families = {
  lastHour: [
    safe`feature_flag_last_hour_evaluations`,
    safe`feature_flag_last_hour_variant_evaluations`,
  ],
  hourly: [safe`feature_flag_evaluations`, safe`feature_flag_variant_evaluations`],
} as const

// A character that is written with an escape.
const SPECIAL = /[^\x20-\x5b\x5d-\x7e]/

/** A function that writes labels with this name, `name="value",`; an absent value has none. */
function labelWriter(name: Safe, { text }: Sanitizer): (value: string | undefined) => Safe {
  const label = remembered((value) => {
    const escaped = replaced(text(value), /[\\"]/g, (character) => safe`\\${character}`)
    return safe`${name}="${escaped}",`
  })
  return (value) => (value === undefined ? safe`` : label(value))
}

/** A function that writes the labels which all samples of a row share. */
function rowLabels(sanitizer: Sanitizer): (row: UsageRow) => Safe {
  const project = labelWriter(safe`project`, sanitizer)
  const flag = labelWriter(safe`flag`, sanitizer)
  const application = labelWriter(safe`application`, sanitizer)
  const environment = labelWriter(safe`environment`, sanitizer)
  // A label, because the textfile collector rejects timestamps of samples.
  const hour = labelWriter(safe`hour`, sanitizer)
  return (row) => {
    const bucket = row.hourly?.bucket
    return joined([
      project(row.project),
      flag(row.flag),
      application(row.application),
      environment(row.environment),
      hour(bucket === undefined ? undefined : isoText(bucket)),
    ])
  }
}

/** Whether a name is written with escapes, so that it may coincide with another one. */
function isEscaped({ flag, application, environment, variants }: UsageRow): boolean {
  const names = [flag, application, environment, ...variants.map(({ name }) => name)]
  return names.some((name = '') => SPECIAL.test(name))
}

/** A row with its variants as they are printed. Those that have the same name then are added up. */
function printed(row: UsageRow, { text }: Sanitizer): UsageRow {
  const variants = row.variants.map(({ name, count }) => ({ name: text(name), count }))
  return { ...row, variants: sumVariants([{ variants }]) }
}

function familyHead(name: Safe, help: Safe): Safe {
  return safe`# TYPE ${name} gauge\n# HELP ${name} ${help}\n`
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
    familyHead(name, safe`Flags and projects that could not be read${limit}.`),
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
  const [total, variants] = families[isHourly ? 'hourly' : 'lastHour']
  const labelsOf = rowLabels(sanitizer)
  const variant = labelWriter(safe`variant`, sanitizer)
  const evaluations = (row: UsageRow) => {
    if (row.variant !== undefined) return safe``
    const series = safe`${total}{${labelsOf(row)}result=`
    return safe`${series}"enabled"} ${row.enabled}\n${series}"disabled"} ${row.disabled}\n`
  }
  const selections = (row: UsageRow) => {
    const series = safe`${variants}{${labelsOf(row)}`
    const lines = row.variants.map(({ name, count }) => {
      return safe`${series}${sliced(variant(name), 0, -1)}} ${count}\n`
    })
    return joined(lines)
  }
  // Rows with the same labels are added up, because an exposition may have only one of them.
  const distinct = rows.some(isEscaped)
    ? mergeRows(
        rows.map((row) => printed(row, sanitizer)),
        labelsOf,
      )
    : rows
  yield familyHead(total, safe`Evaluations of a feature flag ${since}.`)
  yield* inBlocks(distinct, (block) => joined(block.map(evaluations)))
  yield familyHead(variants, safe`Selections of a variant ${since}.`)
  yield* inBlocks(distinct, (block) => joined(block.map(selections)))
  yield unreadFamily(missing)
  yield safe`# EOF\n`
}
