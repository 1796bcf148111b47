import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { formats } from '../output/formats.ts'
import { addProjectOptions, addScanOptions, outputFile } from './options.ts'

/** Adds the options that specify a naming rule. */
function addRuleOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .addOption(
      new Option(
        '--rule <file>',
        "YAML or JSON file with featureNaming ('-': standard input)",
      ).conflicts(['pattern', 'example', 'description']),
    )
    .option('--pattern <regex>', 'pattern of the rule, instead of a file')
    .option('--example <name>', 'example of the rule')
    .option('--description <text>', 'description of the rule')
}

export const defineLint: Define = (command, context) => {
  const lint = document(command, context, {
    formats: [formats.lint],
    notes: [
      'Without --rule, --pattern or --project, checks the rule in the project configuration.',
    ],
    examples: [
      'flagadm naming lint --rule naming.yaml',
      "flagadm naming lint --pattern 'checkout-[a-z-]+' --example checkout-pay --fail-on warning",
      'flagadm naming lint --all-projects -p sandbox',
    ],
  })
  addProjectOptions(
    addRuleOptions(lint),
    "stored rule of this project; '*': any text",
    'stored rules of all projects that the service lists',
  )
    .addOption(
      new Option('--fail-on <severity>', 'exit with 9 for findings of this severity or worse')
        .choices(['error', 'warning'] as const)
        .default('error' as const),
    )
    .addOption(outputFile())
    .action(async (options) => {
      const { lintNaming } = await import('../../naming/lint.ts')
      await lintNaming(openOld(context), options)
    })
}

export const defineCheck: Define = (command, context) => {
  const check = document(command, context, {
    formats: [formats.check],
    notes: ['Without --rule, --pattern or --project, uses the rule in the project configuration.'],
    examples: [
      'flagadm naming check checkout-pay --rule naming.yaml',
      "flagadm naming check --scan src --scan '!src/vendor' --rule naming.yaml -o sarif",
      "flagadm naming check --names-from names.txt --pattern 'checkout-[a-z-]+'",
      'flagadm naming check --all-projects -p sandbox',
      'flagadm naming check checkout-tips --available --project checkout -p sandbox',
    ],
  })
    .argument('[name...]', 'names to check')
    .optionsGroup('Names:')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
  addProjectOptions(
    addRuleOptions(addScanOptions(check).optionsGroup('Rule:')),
    "rule and flags of this project, unless others are given; '*': any text",
    'rules and flags of all projects that the service lists',
  )
    .option('--available', 'with --project: also report names that cannot be used for new flags')
    .optionsGroup('Gate:')
    .option('--allow <file>', 'file of names to ignore, one per line')
    .option('--allow-empty', 'succeed when there are no names')
    .option(
      '--fail-on-unresolved',
      'with --scan: exit with 9 if the flag name of a lookup could not be read',
    )
    .optionsGroup('View:')
    .addOption(outputFile())
    .action(async (names, options) => {
      const { checkNaming } = await import('../../naming/check.ts')
      await checkNaming(openOld(context), names, options)
    })
}

export const defineDiff: Define = (command, context) => {
  const diff = document(command, context, {
    formats: [formats.diff],
    examples: [
      'flagadm naming diff --from old.yaml --to naming.yaml',
      'flagadm naming diff --from pattern:checkout-.+ --to naming.yaml --names-from names.txt',
      'flagadm naming diff --from old.yaml --to naming.yaml --scan src --fail-on rejected -o github',
      'flagadm naming diff --project checkout --to naming.yaml -p sandbox',
      'flagadm naming diff --all-projects --to naming.yaml -p sandbox',
    ],
  })
    .optionsGroup('Rules:')
    .option('--from <rule>', "old rule: a rule file, or 'pattern:<regex>'")
    .requiredOption('--to <rule>', "new rule: a rule file, or 'pattern:<regex>'")
  addProjectOptions(
    diff,
    "old rule and existing names of this project, unless others are given; '*': any text",
    'old rules and existing names of all projects that the service lists',
  )
    .optionsGroup('Names:')
    .option('--names-from <path>', "existing names, one per line ('-': standard input)")
  addScanOptions(diff, 'existing names in source code')
    .optionsGroup('Gate:')
    .addOption(
      new Option(
        '--fail-on <change>',
        'exit with 9 if names become rejected or accepted; existing names, if given',
      ).choices(['rejected', 'accepted', 'any'] as const),
    )
    .optionsGroup('View:')
    .addOption(outputFile())
    .action(async (options) => {
      const { diffNaming } = await import('../../naming/diff.ts')
      await diffNaming(openOld(context), options)
    })
}
