import { type Command, Option } from '@commander-js/extra-typings'
import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { flagTypes } from '../../flags/options.ts'
import { collect } from '../../options.ts'
import { timeSpan } from '../../input/values.ts'
import { formats } from '../output/formats.ts'
import { reviewSortKeys, verdictValues } from '../../review/options.ts'
import {
  addConcurrencyOption,
  addListOptions,
  addProjectOptions,
  addScanOptions,
  suggest,
} from './options.ts'

const DAY_MS = 86_400_000

/** Adds the options of `feature review`. */
function addReviewOptions(review: Command) {
  const filtered = addProjectOptions(review.optionsGroup('Names:'))
    .optionsGroup('Time:')
    .addOption(
      new Option('--since <duration>', 'span of hourly usage')
        .argParser((text) => timeSpan('--since', text))
        .default(2 * DAY_MS, '48h'),
    )
    .addOption(
      new Option(
        '--not-seen-for <duration>',
        'removable only if created and last seen longer ago than this',
      )
        .argParser((text) => timeSpan('--not-seen-for', text))
        .default(7 * DAY_MS, '7d'),
    )
    .optionsGroup('Filters:')
    .addOption(
      suggest(new Option('--verdict <verdict>', 'only this verdict'), verdictValues).argParser(
        collect,
      ),
    )
    .option('--name <name>', "only this name; '*': any text", collect)
    .addOption(
      suggest(new Option('--type <type>', "only this type; '*': any text"), flagTypes).argParser(
        collect,
      ),
    )
    .option(
      '-e, --environment <name>',
      "only flags and evidence of this environment; '*': any text",
      collect,
    )
    .option('--include-permanent', 'review kill-switch and permission flags like others')
    .optionsGroup('Gate:')
    .addOption(
      new Option('--fail-on <verdict>', 'exit with 9 if a flag has this verdict').choices([
        'removable',
      ] as const),
    )
  const listed = addListOptions(filtered, 'flags', reviewSortKeys)
  const description = 'search source code for the flags: a file, folder or glob'
  return addConcurrencyOption(addScanOptions(listed, description))
}

/** `flagadm feature review` */
export const defineReview: Define = (command, context) => {
  const review = document(command, context, {
    formats: [formats.review],
    notes: [
      `removable: no usage in the span in any environment; created and last seen longer ago
than --not-seen-for; no flag depends on it; with --scan, not in the code. in use: used, or last
seen, in the span. permanent: of the type kill-switch or permission. unclear: everything else, and
flags about which something could not be read.`,
      'The review itself changes nothing.',
    ],
    examples: [
      'flagadm feature review --all-projects -p sandbox',
      'flagadm feature review --project checkout --verdict removable -o markdown -p sandbox',
      'flagadm feature review --all-projects --scan src --not-seen-for 30d -p sandbox',
      'flagadm feature review --all-projects --fail-on removable -o github -p sandbox',
    ],
  })
  addReviewOptions(review).action(async (options) => {
    const { reviewFeatures } = await import('../../review/review.ts')
    await reviewFeatures(openOld(context), options)
  })
}
