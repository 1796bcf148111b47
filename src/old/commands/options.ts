import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import { collect, count } from '../../options.ts'

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
    .option('--match <regex>', 'custom pattern with a group named flag or constant', collect)
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
    .addOption(new Option('--limit <n>', `show at most n ${what}`).argParser(count('--limit')))
    .addOption(outputFile())
}

/** The option to write a report to a file. */
export function outputFile() {
  return new Option(
    '--output-file <path>',
    'replace a file with the output instead of writing to stdout',
  )
}
