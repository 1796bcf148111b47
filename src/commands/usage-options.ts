import { type Command, Option } from '@commander-js/extra-typings'
import { FlagadmError } from '../errors.ts'
import { duration, MAX_CONCURRENCY, timeSpan, wholeNumber } from '../input/values.ts'
import { collect } from '../help/documentation.ts'
import { addProjectOptions, addScanOptions } from './options.ts'
import { bucketSizes, expectations, groupings, layouts, sortKeys } from '../usage/view.ts'

const MAX_NUMBER = 999_999_999
const MIN_INTERVAL_MS = 1000

function parseWhole(option: string, most: number): (text: string) => number {
  return (text) => wholeNumber(option, text, 1, most)
}

function parseInterval(text: string): number {
  const milliseconds = duration('--interval', text)
  if (milliseconds >= MIN_INTERVAL_MS) return milliseconds
  throw new FlagadmError('usage', `--interval: '${text}' is shorter than 1s`, {
    hint: 'use --interval 1s or longer',
  })
}

/** Adds the options of `feature usage`. */
export function addUsageOptions(usage: Command<[string[]]>) {
  const named = usage.option(
    '--names-from <path>',
    "read names from a file, one per line ('-': standard input)",
  )
  const scanned = addScanOptions(named).option(
    '--removed-since <revision>',
    'with --scan: names that the code no longer uses since it left this git revision',
  )
  return addProjectOptions(
    scanned,
    "all flags of this project, '*' matches any text (repeatable); with names, where they should be",
  )
    .option(
      '--concurrency <n>',
      'concurrent requests (default: 4)',
      parseWhole('--concurrency', MAX_CONCURRENCY),
    )
    .option('--app <name>', "only this application, '*' matches any text (repeatable)", collect)
    .option(
      '--environment <name>',
      "only this environment, '*' matches any text (repeatable)",
      collect,
    )
    .addOption(
      new Option(
        '--since <duration>',
        'read hourly usage over a span such as 24h or 2d, the current hour included',
      )
        .argParser((text) => timeSpan('--since', text))
        .conflicts(['watch', 'for', 'interval', 'failFast']),
    )
    .addOption(
      new Option('--by <size>', 'with --since: a row for each hour or day')
        .choices(bucketSizes)
        .conflicts('expect'),
    )
    .addOption(new Option('--used', 'only flags in use').conflicts(['expect', 'unused']))
    .addOption(new Option('--unused', 'only flags without usage').conflicts('expect'))
    .addOption(
      new Option('--group-by <part>', 'add up the counts by this part')
        .choices(groupings)
        .conflicts('expect'),
    )
    .addOption(new Option('--sort <key>', 'what to sort by').choices(sortKeys).conflicts('expect'))
    .addOption(new Option('--reverse', 'reverse the order').conflicts('expect'))
    .addOption(
      new Option('--limit <n>', 'show at most n rows')
        .argParser(parseWhole('--limit', MAX_NUMBER))
        .conflicts('expect'),
    )
    .addOption(
      new Option('--layout <layout>', 'with -o table: how to arrange several flags')
        .choices(layouts)
        .conflicts(['expect', 'watch']),
    )
    .addOption(
      new Option(
        '--output-file <path>',
        'replace a file with the output instead of writing to stdout',
      ).conflicts(['expect', 'watch']),
    )
    .addOption(
      new Option(
        '--watch',
        'read repeatedly; --watch=5 is short for --watch --interval 5',
      ).conflicts('expect'),
    )
    .option('--interval <duration>', 'pause between readings (default: 10s)', parseInterval)
    .addOption(
      new Option('--count <n>', 'with --watch: stop after n readings')
        .argParser(parseWhole('--count', MAX_NUMBER))
        .conflicts('expect'),
    )
    .addOption(
      new Option(
        '--expect <usage>',
        'exit with 9 unless all flags are used, or all are unused',
      ).choices(expectations),
    )
    .option(
      '--for <duration>',
      'with --expect: keep reading for a span such as 90s, 65m or 2h; 0: one reading',
      (text) => (text.trim() === '0' ? 0 : timeSpan('--for', text)),
    )
    .option('--fail-fast', 'with --expect: stop as soon as one flag fails')
    .option('--allow-unseen', 'with --expect: accept flags that no application has ever reported')
    .option(
      '--allow-unknown-filter',
      'with --expect: accept values of --app and --environment that the service does not know',
    )
}
