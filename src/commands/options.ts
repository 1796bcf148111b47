import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import { collect, DocumentedCommand } from '../help/documentation.ts'

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
  description = 'find names in source code (repeatable)',
) {
  return command
    .option('--scan <glob>', description, collect)
    .option(
      '--call <function>',
      'function that takes a flag name; isOn:2 or isOn:key for another argument (repeatable)',
      collect,
    )
    .option(
      '--definitions <type>',
      'enum, class or object whose members are flags (repeatable)',
      collect,
    )
    .option(
      '--match <regex>',
      'custom pattern with a group named flag or constant (repeatable)',
      collect,
    )
    .option('--no-wrappers', 'do not follow functions that pass on the name of a flag')
}

/** Adds the options that select projects. `--all` is the same as `--all-projects`. */
export function addProjectOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  description = "the flags of this project, '*' matches any text (repeatable)",
) {
  return command
    .addOption(
      new Option('--project <id>', description).argParser(collect).conflicts('allProjects'),
    )
    .option('--all-projects', 'the flags of all projects that the service lists')
    .addOption(new Option('--all').hideHelp().implies({ allProjects: true }))
}

/** The root command with the global options, accepted before or after the subcommand. */
export function createRoot() {
  return new DocumentedCommand('flagadm')
    .option(
      '-p, --profile <name>',
      "profile to use; 'sandbox' is an embedded service for one command",
    )
    .option('--base-url <url>', 'address of the service')
    .option('--api-key-file <path>', "file containing the API key, '-' for standard input")
    .option('--config <file>', 'read this configuration file instead of searching for one')
    .option('--allow-http', 'allow plain http to other machines')
    .option(
      '--timeout <duration>',
      'deadline of one request, retries included: 10, 10s, 5m or 2h (default: 10s)',
    )
    .option('--retries <n>', 'further attempts after a failed one (default: 2)')
    .option('-o, --output <format>', 'output format; the help of each command lists its formats')
    .addOption(
      new Option('--json', 'short for --output json; errors become JSON as well').conflicts(
        'output',
      ),
    )
    .addOption(
      new Option('--color <when>', 'when to use colour')
        .choices(['auto', 'always', 'never'] as const)
        .default('auto' as const),
    )
    .option('--no-color', 'short for --color never')
    .option('-q, --quiet', 'print no warnings or notes on stderr')
    .option('-v, --verbose', 'log each request on stderr')
}
