import type { Command } from '@commander-js/extra-typings'
import { Option } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { formatHelp, formats } from '../formats.ts'
import { CHANGES, examples } from '../options.ts'

/** `flagadm project …` */
export function registerProject(project: Command, start: Start): void {
  const settings = project
    .command('settings')
    .description("Change a project's settings")
    .addHelpText(
      'after',
      examples(
        'flagadm project settings set checkout --mode protected -p sandbox',
        'flagadm project settings set checkout --from-file naming.yaml --dry-run -p sandbox',
      ),
    )
  settings
    .command('set')
    .helpGroup(CHANGES)
    .description(
      "Set a project's mode and its feature naming rule; what is not given stays as it is",
    )
    .argument('<project-id>', 'project to change')
    .option('--mode <mode>', 'open, protected or private')
    .option('--naming-pattern <regex>', 'regular expression that the names of new flags must match')
    .option('--naming-example <name>', 'name that matches the pattern')
    .option('--naming-description <text>', 'what the rule means, for people')
    .addOption(
      new Option(
        '--naming-description-file <path>',
        "read the description from a file ('-': standard input)",
      ).conflicts('namingDescription'),
    )
    .addOption(
      new Option('--clear-naming', 'remove the naming rule').conflicts([
        'namingPattern',
        'namingExample',
        'namingDescription',
        'namingDescriptionFile',
      ]),
    )
    .option('--from-file <path>', "read settings from a YAML or JSON file ('-': standard input)")
    .option('--no-verify', 'send without checking mode and naming rule first')
    .option('--dry-run', 'show the request, send nothing')
    .addHelpText('after', formatHelp(formats.settings))
    .addHelpText(
      'after',
      "\nA server that has link templates removes a project's when its settings are set.",
    )
    .addHelpText(
      'after',
      examples(
        'flagadm project settings set checkout --mode protected -p sandbox',
        "flagadm project settings set checkout --naming-pattern 'checkout-[a-z-]+' -p sandbox",
        'flagadm project settings set checkout --from-file naming.yaml --dry-run -p sandbox',
        'flagadm project settings set checkout --clear-naming -p sandbox',
      ),
    )
    .action(async (projectId, options) => {
      const context = start()
      const { setProjectSettings } = await import('./project-settings.ts')
      await setProjectSettings(context, projectId, options)
    })
}
