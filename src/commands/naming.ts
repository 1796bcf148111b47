import { type Command, Option } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'

const ruleFile = () =>
  new Option(
    '--rule <file>',
    "YAML or JSON file with featureNaming ('-': standard input)",
  ).conflicts(['pattern', 'example', 'description'])

function registerLint(naming: Command, start: Start): void {
  naming
    .command('lint')
    .description('Prove a naming rule: what is wrong with it, and what it means')
    .addOption(ruleFile())
    .option('--pattern <regex>', 'pattern of the rule, instead of a file')
    .option('--example <name>', 'example of the rule')
    .option('--description <text>', 'description of the rule')
    .addOption(
      new Option('--fail-on <severity>', 'exit with 9 from this severity on')
        .choices(['error', 'warning'] as const)
        .default('error' as const),
    )
    .addHelpText(
      'after',
      '\nWithout a rule here, naming of the project configuration is proven.' +
        '\n\nOutput formats: text (default), json, github, gitlab, sarif',
    )
    .action(async (options) => {
      const context = start()
      const { lintNaming } = await import('./naming-lint.ts')
      await lintNaming(context, options)
    })
}

function registerCheck(naming: Command, start: Start): void {
  naming
    .command('check')
    .description('Check flag names against a naming rule')
    .argument('[name...]', 'names to check')
    .option('--names-from <path>', "read names from a file, one per line ('-': standard input)")
    .option('--scan <glob...>', 'find names in source code')
    .option('--match <regex...>', 'with --scan: own pattern with a group named flag')
    .addOption(ruleFile())
    .option('--pattern <regex>', 'pattern of the rule, instead of a file')
    .option('--example <name>', 'example of the rule')
    .option('--description <text>', 'description of the rule')
    .option('--allow <file>', 'names that are let pass, one per line')
    .option('--allow-empty', 'no names at all are no error')
    .option(
      '--fail-on-unresolved',
      'with --scan: exit with 9 when a call names its flag by an expression',
    )
    .addHelpText(
      'after',
      '\nWithout a rule here, naming of the project configuration is used.' +
        '\n\nOutput formats: text (default), json, jsonl, github, gitlab, junit, sarif',
    )
    .action(async (names, options) => {
      const context = start()
      const { checkNaming } = await import('./naming-check.ts')
      await checkNaming(context, names, options)
    })
}

function registerDiff(naming: Command, start: Start): void {
  naming
    .command('diff')
    .description('Show what changes when one naming rule replaces another')
    .requiredOption('--from <rule>', "old rule: a rule file, or 'pattern:<regex>'")
    .requiredOption('--to <rule>', "new rule: a rule file, or 'pattern:<regex>'")
    .option('--names-from <path>', "existing names, one per line ('-': standard input)")
    .option('--scan <glob...>', 'existing names in source code')
    .option('--match <regex...>', 'with --scan: own pattern with a group named flag')
    .addOption(
      new Option(
        '--fail-on <change>',
        'exit with 9 when names become rejected or accepted; with existing names given: when some of them do',
      ).choices(['rejected', 'accepted', 'any'] as const),
    )
    .addHelpText('after', '\nOutput formats: text (default), json')
    .action(async (options) => {
      const context = start()
      const { diffNaming } = await import('./naming-diff.ts')
      await diffNaming(context, options)
    })
}

/** `flagadm naming …` */
export function registerNaming(naming: Command, start: Start): void {
  registerLint(naming, start)
  registerCheck(naming, start)
  registerDiff(naming, start)
}
