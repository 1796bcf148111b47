import { Option } from '@commander-js/extra-typings'
import type { Define } from '../../context.ts'
import { openOld } from '../context.ts'
import { document } from './document.ts'
import { collect } from '../../options.ts'
import { formats } from '../output/formats.ts'
import { referenceProblems, referenceSortKeys } from '../../flags/options.ts'
import { addListOptions, addProjectOptions, addScanOptions, suggest } from './options.ts'

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
