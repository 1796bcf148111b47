import { type Command, Option } from '@commander-js/extra-typings'
import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { collect } from '../../options.ts'
import { timeSpan } from '../../input/values.ts'
import { formats } from '../output/formats.ts'
import {
  flagSortKeys,
  flagTypes,
  referenceProblems,
  referenceSortKeys,
} from '../../flags/options.ts'
import { addListOptions, addProjectOptions, addScanOptions, suggest } from './options.ts'

/** Adds the options of `feature list`. */
function addFilterOptions(list: Command) {
  return addProjectOptions(list.optionsGroup('Names:'))
    .addOption(
      new Option('--unknown', 'names that SDKs ask for but no flag has').conflicts([
        'project',
        'allProjects',
        'all',
        'type',
        'stale',
        'neverSeen',
        'notSeenFor',
        'breaksRule',
      ]),
    )
    .optionsGroup('Filters:')
    .option('--name <name>', "only this name; '*': any text", collect)
    .addOption(
      suggest(new Option('--type <type>', "only this type; '*': any text"), flagTypes).argParser(
        collect,
      ),
    )
    .option('-e, --environment <name>', "only this environment; '*': any text", collect)
    .option('--stale', 'only flags that are marked as stale')
    .option('--never-seen', 'only flags that no SDK has ever asked for')
    .option(
      '--not-seen-for <duration>',
      'only flags that no SDK has asked for in this time, including those never seen',
      (text) => timeSpan('--not-seen-for', text),
    )
    .option('--breaks-rule', "only flags whose names break their project's naming rule")
}

export const defineList: Define = (command, context) => {
  const list = document(command, context, {
    formats: [formats.list],
    notes: [
      "The open-source build of Unleash lists only the project 'default': use --project for others.",
    ],
    examples: [
      'flagadm feature list --project checkout -p sandbox',
      'flagadm feature list --all-projects --not-seen-for 24h --sort last-seen -p sandbox',
      "flagadm feature list --project checkout --name '*-banner' -o names -p sandbox",
      'flagadm feature list --unknown -p sandbox',
    ],
  })
  addListOptions(addFilterOptions(list), 'flags', flagSortKeys).action(async (options) => {
    const { listFeatures } = await import('../../flags/list.ts')
    await listFeatures(openOld(context), options)
  })
}

export const defineReferences: Define = (command, context) => {
  const references = document(command, context, {
    formats: [formats.references],
    notes: [
      `Without names, shows all names that lookups use. A call contains the name itself, a constant is
resolved elsewhere, and a mention is any other quoted text that equals a known name: one given as an
argument, with --names-from, or a flag of the projects.`,
      `--unknown reads all projects that the service lists, unless --project is given; so does
--unreferenced without names. Nothing else needs a service.`,
    ],
    examples: [
      'flagadm feature references --scan src',
      'flagadm feature references checkout-new-basket --scan . -o json',
      'flagadm feature references --scan src --unreferenced --project checkout -p sandbox',
      'flagadm feature references --scan src --unknown --fail-on unresolved,unknown -o github -p sandbox',
    ],
  })
    .argument('[name...]', 'names of the flags')
    .optionsGroup('Names:')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
  const filtered = addScanOptions(
    addProjectOptions(references),
    'source code: a file, folder or glob',
  )
    .optionsGroup('Filters:')
    .addOption(
      new Option('--unreferenced', 'only known names that the code does not contain').conflicts(
        'unknown',
      ),
    )
    .option('--unknown', 'only names in the code that are not flags of the projects')
    .optionsGroup('Gate:')
    .addOption(
      suggest(
        new Option('--fail-on <problem>', 'exit with 9 if there are any of these'),
        referenceProblems,
      ).argParser(collect),
    )
  addListOptions(filtered, 'names', referenceSortKeys).action(async (names, options) => {
    const { featureReferences } = await import('../../flags/references.ts')
    await featureReferences(openOld(context), names, options)
  })
}
