import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import { DocumentedCommand } from '../help/documentation.ts'
import { collect } from '../help/options.ts'
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT, wholeNumber } from '../input/values.ts'

/** Gives an option values to show and complete; unlike with `choices`, it accepts others, too. */
export function suggest<Suggested extends Option>(
  option: Suggested,
  values: readonly string[],
): Suggested {
  option.argChoices = [...values]
  return option
}

/**
 * Adds the options of commands that find flag names in source code.
 * @param description of `--scan`
 */
export function addScanOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  description = 'find names in source code: a file, folder or glob',
) {
  return command
    .optionsGroup('Source code:')
    .option('--scan <glob>', description, collect)
    .option(
      '--call <function>',
      'function that takes a flag name; isOn:2 or isOn:key for another argument',
      collect,
    )
    .option('--definitions <type>', 'enum, class or object whose members are flags', collect)
    .option('--match <regex>', 'custom pattern with a group named flag or constant', collect)
    .option('--no-wrappers', 'do not follow functions that pass on the name of a flag')
}

/** Adds the options that select projects. `--all` is the same as `--all-projects`. */
export function addProjectOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  description = "flags of this project; '*': any text",
  all = 'the flags of all projects that the service lists',
) {
  return command
    .addOption(
      new Option('--project <id>', description).argParser(collect).conflicts('allProjects'),
    )
    .option('--all-projects', all)
    .addOption(new Option('--all').hideHelp().implies({ allProjects: true }))
}

/**
 * Adds the options of lists.
 * @param what the list consists of
 * @param sortKeys the first one is the default
 */
export function addListOptions<
  Args extends unknown[],
  Options extends OptionValues,
  const Keys extends readonly [string, ...string[]],
>(command: Command<Args, Options>, what: string, sortKeys: Keys) {
  return command
    .optionsGroup('View:')
    .addOption(
      new Option('--sort <key>', 'what to sort by')
        .choices(sortKeys)
        .default(undefined, sortKeys[0]),
    )
    .option('--reverse', 'reverse the order')
    .addOption(new Option('--limit <n>', `show at most n ${what}`).argParser(parseWhole('--limit')))
    .addOption(outputFile())
}

const MAX_NUMBER = 999_999_999

/** A parser of whole numbers from 1. */
export function parseWhole(option: string, most = MAX_NUMBER): (text: string) => number {
  return (text) => wholeNumber(option, text, 1, most)
}

export function outputFile() {
  return new Option(
    '--output-file <path>',
    'replace a file with the output instead of writing to stdout',
  )
}

/** The root command with the global options, accepted before or after the subcommand. */
export function createRoot() {
  return new DocumentedCommand('flagadm')
    .optionsGroup('Connection:')
    .option(
      '-p, --profile <name>',
      "profile to use; 'sandbox' is an embedded service for one command",
    )
    .option('--base-url <url>', 'address of the service')
    .option('--api-key-file <path>', "file containing the API key, '-' for standard input")
    .option('--config <file>', 'read this configuration file instead of searching for one')
    .option('--allow-http', 'allow plain http to other machines')
    .addOption(
      new Option(
        '--timeout <duration>',
        'deadline of one request, retries included: 10, 10s, 5m or 2h',
      ).default(undefined, DEFAULT_TIMEOUT),
    )
    .addOption(
      new Option('--retries <n>', 'further attempts after a failed one').default(
        undefined,
        DEFAULT_RETRIES,
      ),
    )
    .optionsGroup('Output:')
    .option('-o, --output <format>', 'output format; the help of each command lists its formats')
    .option('--json', 'short for --output json; errors become JSON as well')
    .addOption(
      new Option('--color <when>', 'when to use colour')
        .choices(['auto', 'always', 'never'] as const)
        .default('auto' as const),
    )
    .option('--no-color', 'short for --color never')
    .option('-q, --quiet', 'print no warnings or notes on stderr')
    .option('-v, --verbose', 'log each request on stderr')
    .optionsGroup('Other:')
}
