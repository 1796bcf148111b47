import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { collect } from '../../options.ts'
import { DEFAULT_INTERVAL, timeSpan } from '../../input/values.ts'
import { formats } from '../output/formats.ts'
import { expandWatch, interval } from '../../usage/interval.ts'
import { bucketSizes, expectations, groupings, layouts, sortKeys } from '../../usage/view.ts'
import {
  addConcurrencyOption,
  addProjectOptions,
  addScanOptions,
  outputFile,
  parseWhole,
} from './options.ts'

/** Adds the options of `feature usage`. */
function addUsageOptions(usage: Command<[string[]]>) {
  const named = addProjectOptions(usage.optionsGroup('Names:'))
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
    .optionsGroup('Time:')
    .addOption(
      new Option('--since <duration>', 'hourly usage over a span such as 24h or 2d')
        .argParser((text) => timeSpan('--since', text))
        .conflicts(['watch', 'for', 'interval', 'failFast']),
    )
    .addOption(
      new Option('--by <size>', 'with --since: a row for each hour or day')
        .choices(bucketSizes)
        .conflicts('expect'),
    )
    .optionsGroup('Filters:')
    .option('--app <name>', "only this application; '*': any text", collect)
    .option('-e, --environment <name>', "only this environment; '*': any text", collect)
    .addOption(new Option('--used', 'only flags in use').conflicts(['expect', 'unused']))
    .addOption(new Option('--unused', 'only flags without usage').conflicts('expect'))
  const scanned = addScanOptions(addGateOptions(addWatchOptions(addViewOptions(named)))).option(
    '--removed-since <revision>',
    'with --scan: names that the code has stopped using since this git revision',
  )
  return addConcurrencyOption(scanned)
}

function addViewOptions<Options extends OptionValues>(usage: Command<[string[]], Options>) {
  return usage
    .optionsGroup('View:')
    .addOption(
      new Option('--group-by <part>', 'add up the counts by this part')
        .choices(groupings)
        .conflicts('expect'),
    )
    .addOption(new Option('--sort <key>', 'what to sort by').choices(sortKeys).conflicts('expect'))
    .addOption(new Option('--reverse', 'reverse the order').conflicts('expect'))
    .addOption(
      new Option('--limit <n>', 'show at most n rows')
        .argParser(parseWhole('--limit'))
        .conflicts('expect'),
    )
    .addOption(
      new Option('--layout <layout>', 'with -o table: how to arrange several flags')
        .choices(layouts)
        .conflicts(['expect', 'watch']),
    )
    .addOption(outputFile().conflicts(['expect', 'watch']))
}

function addWatchOptions<Options extends OptionValues>(usage: Command<[string[]], Options>) {
  return usage
    .optionsGroup('Watch:')
    .addOption(
      new Option(
        '--watch',
        'read repeatedly; --watch=5 is short for --watch --interval=5',
      ).conflicts('expect'),
    )
    .addOption(
      new Option('--interval <duration>', 'pause between readings, also with --for')
        .argParser((text) => interval('--interval', text))
        .default(undefined, DEFAULT_INTERVAL),
    )
    .addOption(
      new Option('--count <n>', 'with --watch: stop after n readings')
        .argParser(parseWhole('--count'))
        .conflicts('expect'),
    )
}

function addGateOptions<Options extends OptionValues>(usage: Command<[string[]], Options>) {
  return usage
    .optionsGroup('Gate:')
    .addOption(
      new Option(
        '--expect <usage>',
        'exit with 9 unless all flags are used, or all are unused',
      ).choices(expectations),
    )
    .option(
      '--for <duration>',
      'with --expect: how long to keep reading, such as 90s, 65m or 2h; 0: one reading',
      (text) => (text.trim() === '0' ? 0 : timeSpan('--for', text)),
    )
    .option('--fail-fast', 'with --expect: stop as soon as one flag fails')
    .option('--allow-unseen', 'with --expect: accept flags that no application has ever reported')
    .option(
      '--allow-unknown-filter',
      'with --expect: accept values of --app and --environment that the service does not know',
    )
}

/** `flagadm feature usage` */
export const defineUsage: Define = (command, context) => {
  const documented = document(command, context, {
    formats: [formats.usage, formats.gate, formats.watch],
    notes: [
      'With names, --project and --all-projects check that flags with these names exist there.',
      `Layout: a section for each of up to three flags; one table with a row for each flag,
application and environment for more flags or with --group-by. --layout forces either.

With --expect, the exit code is 0 if all flags are as expected, 9 if one is not or the evidence is
inconclusive. If flags could not be read, it is the code of their error, or 10 if the others are as
expected.`,
    ],
    examples: [
      'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
      'flagadm feature usage checkout-coupon-banner --since 2d --by day -p sandbox',
      'flagadm feature usage --project checkout --since 48h --unused -p sandbox',
      "flagadm feature usage dark-mode --environment 'prod*' --sort total -p sandbox",
      'flagadm feature usage dark-mode --watch=5 --count 2 -p sandbox',
      'flagadm feature usage --scan src -o markdown --output-file usage.md -p sandbox',
      'flagadm feature usage legacy-invoice-export --project default --expect unused --since 48h -p sandbox',
    ],
  })
  const parseOptions = documented.parseOptions.bind(documented)
  documented.parseOptions = (args) => parseOptions(expandWatch(args))
  const usage = documented.argument('[name...]', 'names of the flags')
  addUsageOptions(usage).action(async (names, options) => {
    const { featureUsage } = await import('../../usage/usage.ts')
    await featureUsage(openOld(context), names, options)
  })
}
