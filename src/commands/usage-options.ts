import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import { FlagadmError } from '../errors.ts'
import {
  DEFAULT_CONCURRENCY,
  DEFAULT_INTERVAL,
  duration,
  MAX_CONCURRENCY,
  timeSpan,
} from '../input/values.ts'
import { collect } from '../help/options.ts'
import { addProjectOptions, addScanOptions, outputFile, parseWhole } from './options.ts'
import { bucketSizes, expectations, groupings, layouts, sortKeys } from '../usage/view.ts'

const MIN_INTERVAL_MS = 1000

/** The interval of `--watch`, in milliseconds. */
export function parseInterval(option: string, text: string): number {
  const milliseconds = /^0+[smhd]?$/.test(text) ? 0 : duration(option, text)
  if (milliseconds >= MIN_INTERVAL_MS) return milliseconds
  throw new FlagadmError('usage', `the interval '${text}' is shorter than 1s`, {
    hint: 'use --interval 1s or longer',
    correction: new Map([[text, ['1s']]]),
  })
}

/** Adds the options of `feature usage`. */
export function addUsageOptions(usage: Command<[string[]]>) {
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
    'with --scan: names that the code no longer uses since it left this git revision',
  )
  return addConcurrencyOption(scanned)
}

/** Adds the option of commands that read several flags at once. */
export function addConcurrencyOption<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .optionsGroup('Connection:')
    .addOption(
      new Option('--concurrency <n>', 'concurrent requests')
        .argParser(parseWhole('--concurrency', MAX_CONCURRENCY))
        .default(undefined, `${DEFAULT_CONCURRENCY}`),
    )
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
        .argParser((text) => parseInterval('--interval', text))
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
