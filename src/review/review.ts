import type { Context, Define } from '../command/context.ts'
import { throwFailures } from '../requests/each.ts'
import { failureOf } from '../errors.ts'
import { givenNames } from '../input/names.ts'
import {
  allowEmptyOption,
  choice,
  choices,
  collect,
  count,
  refuseEmpty,
  sortOption,
  withExamples,
} from '../command/options.ts'
import { connect } from '../profile/connect.ts'
import { projectOption, requireNamesOrProjects } from '../project/selection.ts'
import { lastingName } from '../service/connection.ts'
import { unreadRefusal } from './code-evidence.ts'
import { verdicts } from './verdicts.ts'
import { typeOption } from '../flags/types.ts'
import { selectCandidates } from './candidates.ts'
import { reviewFlags } from './flags.ts'
import { codeOptions, selectionOf, usageOptions } from './options.ts'
import { type ListedRow, readEarlier } from './comparison.ts'
import {
  checkOptions,
  emptinessOf,
  expectations,
  readsAllUsage,
  refusalOf,
  type ReviewOptions,
  tellsFinished,
} from './check.ts'
import { reviewOrders } from './order.ts'
import { withOwners } from './owners.ts'
import { printReview, reviewFormats, type ReviewFormat, showsOwners, summaryOf } from './report.ts'

/** Says that flags in use are not all that is used, where only those are asked for. */
function noteFinished(
  { messages }: Context,
  rows: readonly ListedRow[],
  { verdict = [], failOn = [] }: ReviewOptions,
): void {
  const asked = [...verdict, ...failOn]
  const finished = rows.filter((row) => row.verdict === 'finished').length
  if (finished === 0 || !asked.includes('in-use') || asked.includes('finished')) return
  const verb = finished === 1 ? 'is' : 'are'
  messages.note(`${finished} more ${verb} finished (--verdict finished shows them)`)
}

/** Reviews flags, prints that, and fails if the check does or something could not be read. */
async function review(
  context: Context,
  format: ReviewFormat,
  given: readonly string[],
  options: ReviewOptions,
): Promise<void> {
  checkOptions(options)
  const { removedSince, namesFrom, allowEmpty = false } = options
  const names = await givenNames(context, given, namesFrom, allowEmpty)
  if (names.length === 0 && namesFrom === undefined && removedSince === undefined) {
    requireNamesOrProjects(options, context)
  }
  const connection = await connect(context)
  const { compare } = options
  const isWhole = compare !== undefined
  // A comparison has all flags, whatever is shown of them.
  const view = isWhole ? { verdict: undefined, limit: undefined } : {}
  const about = selectionOf(names, { ...options, ...view })
  const earlier = isWhole
    ? await readEarlier(context, compare, lastingName(connection), about)
    : undefined
  const candidates = await selectCandidates(context, connection, names, options)
  const { selection, inCode } = candidates
  const reviewed = await reviewFlags(context, connection, candidates, options, {
    readsAllUsage: readsAllUsage(format, options),
    tellsFinished: tellsFinished(format, options),
    tellsUnused: options.expect === 'unused',
  })
  const { rows, failures } = reviewed
  if (rows.length === 0 && removedSince !== undefined) {
    context.messages.note(`no flag was removed from the code since ${removedSince}`)
  }
  const summary = summaryOf(
    context,
    connection,
    format,
    reviewed,
    { selection: about, earlier },
    options,
  )
  if (showsOwners(format)) {
    const owned = await withOwners(context, connection, summary.rows, inCode)
    summary.rows = owned.rows
    summary.incomplete.push(...owned.incomplete)
  }
  noteFinished(context, summary.all, options)
  const empty = emptinessOf(names, selection, options)
  await printReview(context, format, summary, options, allowEmpty ? undefined : empty?.why)
  const refusal =
    refusalOf(summary.all, reviewed.tellsFinished, options) ??
    unreadRefusal(inCode, options, rows.length === 0)
  try {
    throwFailures(context, selection, { failures, requested: rows.length })
  } catch (error) {
    if (!refusal) throw error
    context.messages.fail(failureOf(error))
  }
  if (refusal) throw refusal
  if (empty) refuseEmpty(context.messages, options, empty)
}

export const define: Define = (command, context) => {
  const format = context.formats(command, reviewFormats)
  const failOnText = 'exit with 9 if a flag is this, or for code that could not be read'
  const described = withExamples(
    command,
    [
      'flagadm feature review --all-projects -p sandbox',
      'flagadm feature review --project checkout -o markdown -p sandbox',
      'flagadm feature review --all-projects --scan src --not-seen-for 30d -p sandbox',
      'flagadm feature review legacy-invoice-export --expect unused -p sandbox',
    ],
    'Changes nothing.',
  )
    .argument('[name...]', "names of flags; '*' matches any text")
    .optionsGroup('Flags:')
    .addOption(projectOption())
    .option('--all-projects', 'flags of all projects that the service lists')
    .addOption(choices('--verdict <verdict>', 'show only this verdict', verdicts))
    .addOption(typeOption())
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .option('--removed-since <revision>', 'with --scan: only flags removed from the code since')
  return codeOptions(usageOptions(described))
    .optionsGroup('Usage that counts:')
    .option('--app, --application <name>', "only this application; '*' matches any text", collect)
    .option('-e, --environment <name>', "only this environment; '*' matches any text", collect)
    .optionsGroup('Check:')
    .addOption(choice('--expect <state>', 'exit with 9 unless every flag is this', expectations))
    .addOption(choices('--fail-on <problem>', failOnText, [...verdicts, 'unread']))
    .addOption(allowEmptyOption())
    .optionsGroup('View:')
    .option('--compare <file>', 'show what has changed since the JSON of an earlier review')
    .addOption(sortOption(reviewOrders))
    .option('--reverse', 'reverse the order')
    .option('--limit <n>', 'show at most n flags', count('--limit'))
    .action((given, options) => review(context, format(), given, options))
}
