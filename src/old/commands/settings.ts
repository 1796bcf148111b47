import { type Command, Option } from '@commander-js/extra-typings'
import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { collect } from '../../options.ts'
import { formats } from '../output/formats.ts'
import { settingsSortKeys } from '../../projects/options.ts'
import { addListOptions, suggest } from './options.ts'
import { projectModes } from '../../service/modes.ts'

/** Adds the arguments and the option that select projects. Hidden: the names of these options in other commands. */
function addProjectIds(command: Command, description: string) {
  return command
    .argument('[project-id...]', description)
    .option('--all', 'every project that the service lists')
    .addOption(new Option('--all-projects').hideHelp().implies({ all: true }))
    .addOption(new Option('--project <id>').hideHelp().argParser(collect))
}

export const defineGet: Define = (command, context) => {
  const get = document(command, context, {
    formats: [formats.settingsGet],
    notes: [
      `With one project id, yaml and json are a document for set --from-file; with several or --all, one
for plan and apply.`,
    ],
    examples: [
      'flagadm project settings get checkout -p sandbox',
      'flagadm project settings get checkout -o yaml -p sandbox',
      'flagadm project settings get --all -o table -p sandbox',
    ],
  })
  const list = addProjectIds(get, "projects to show; '*': any text")
  addListOptions(list, 'projects', settingsSortKeys).action(async (projectIds, options) => {
    const { getSettings } = await import('../../settings/get.ts')
    await getSettings(openOld(context), projectIds, options)
  })
}

export const defineSet: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    notes: [
      `Unleash clears what is not sent: link templates and, with a new pattern, the example and the
description. So set reads the stored settings first, sends them as well, and reads the result back.
If the service cannot return them (404), or with --no-read, set sends only the given values and
does not ask.

Otherwise it asks before it makes a project private or sets a rule that existing flags break. Without
a terminal to ask on, such a change needs --yes.`,
    ],
    examples: [
      'flagadm project settings set checkout --mode open -p sandbox',
      "flagadm project settings set checkout --naming-pattern 'checkout-[a-z-]+' -p sandbox",
      'flagadm project settings set checkout --from-file naming.yaml --dry-run -p sandbox',
      'flagadm project settings set checkout --clear-naming -p sandbox',
    ],
  })
    .argument('<project-id>', 'project to change')
    .addOption(suggest(new Option('--mode <mode>', 'who may do what in the project'), projectModes))
    .option('--naming-pattern <regex>', 'regular expression that the names of new flags must match')
    .option('--naming-example <name>', 'name that matches the pattern')
    .option('--naming-description <text>', 'explanation of the rule')
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
    .option('--no-verify', 'do not check the mode and the naming rule first')
    .option('--no-read', 'do not read the stored settings before and after')
    .option('--force', 'send even if nothing changes')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show what would change and the request; send nothing')
    .action(async (projectId, options) => {
      const { setProjectSettings } = await import('../../settings/set.ts')
      await setProjectSettings(openOld(context), projectId, options)
    })
}

const documentHelp = `A document is YAML or JSON: {projects: {<id>: {mode?, featureNaming?, linkTemplates?}}}. What it leaves
out is not changed; null unsets a field. Everything is checked before the first request.`

export const definePlan: Define = (command, context) => {
  document(command, context, {
    formats: [formats.plan],
    notes: [
      documentHelp,
      `The exit code is 10 if a project is missing or could not be read (6, for example, if none exists), and 9
with --strict if the service does not list projects.`,
    ],
    examples: [
      'flagadm project settings plan -f flags.yaml -p sandbox',
      'flagadm project settings plan -f flags.yaml --check-names -p sandbox',
      'flagadm project settings plan -f flags.yaml --strict -o markdown -p sandbox',
    ],
  })
    .requiredOption('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .option('--strict', 'also report what the documents leave out')
    .option('--all', 'also show projects that do not change')
    .option(
      '--check-names',
      'also check the names of existing flags; exit with 9 if any break the rule',
    )
    .option('--fail-on-change', 'exit with 9 if anything would change')
    .option('--no-verify', 'do not check modes and naming rules')
    .action(async (options) => {
      const { planSettings } = await import('../../settings/plan.ts')
      await planSettings(openOld(context), options)
    })
}

export const defineApply: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    notes: [
      `${documentHelp}
Only projects that differ are changed, and each is read back. Ctrl-C waits for the changes under way and reports
what was changed; run apply again to continue.`,
      `Asks before it changes anything. Without a terminal to ask on, it needs --yes.`,
    ],
    examples: [
      'flagadm project settings apply -f flags.yaml -p sandbox',
      'flagadm project settings apply -f flags.yaml --yes --save-before before.yaml -p sandbox',
    ],
  })
    .requiredOption('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--all', 'also show projects that do not change')
    .option('--concurrency <n>', 'projects changed at once', '2')
    .option(
      '--save-before <path>',
      'write the previous settings to a new file, to undo the changes',
    )
    .option('--no-verify', 'do not check modes and naming rules')
    .action(async (options) => {
      const { applySettings } = await import('../../settings/apply.ts')
      await applySettings(openOld(context), options)
    })
}

export const defineExport: Define = (command, context) => {
  document(command, context, {
    formats: [formats.textOrJson],
    notes: [
      `Leaves files that already have the stored settings as they are, with their comments. If any file differs,
writes nothing, lists those files and exits with 2; --force overwrites them. Never writes through a symbolic
link.`,
    ],
    examples: [
      'flagadm project settings export --all --dir flags -p sandbox',
      'flagadm project settings export checkout --dir flags -p sandbox',
      'flagadm project settings export --all --dir flags --defaults -p sandbox',
    ],
  })
  addProjectIds(command, "projects to export; '*': any text")
    .requiredOption('--dir <folder>', 'folder to write <project-id>.yaml to, ids percent-encoded')
    .option('--defaults', 'write one file, settings.yaml, with shared values as defaults')
    .option('--force', 'overwrite files that differ from the stored settings')
    .action(async (projectIds, options) => {
      const { exportSettings } = await import('../../settings/export.ts')
      await exportSettings(openOld(context), projectIds, options)
    })
}
