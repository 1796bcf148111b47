import type { Command } from '@commander-js/extra-typings'
import type { OpenContext } from '../old/context.ts'
import { document } from '../help/documentation.ts'
import { collect } from '../help/options.ts'
import { formats } from '../old/output/formats.ts'
import { projectSortKeys } from '../projects/options.ts'
import { addListOptions } from './options.ts'
import { registerSettings } from './settings.ts'

/** `flagadm project …` */
export function registerProject(project: Command, openContext: OpenContext): void {
  document(project, {
    examples: [
      'flagadm project list -p sandbox',
      'flagadm project settings get checkout -p sandbox',
      'flagadm project settings set checkout --mode open --dry-run -p sandbox',
    ],
  }).description('Administer projects')
  const list = document(project.command('list'), {
    formats: [formats.projects],
    examples: [
      'flagadm project list -p sandbox',
      'flagadm project list --sort flags --limit 10 -p sandbox',
      "flagadm project list --project 'm*' -p sandbox",
      'flagadm project list -o names -p sandbox',
    ],
  })
    .description('List the projects: mode, number of flags, last reported usage')
    .option('--project <id>', "this project; '*': any text", collect)
  addListOptions(list, 'projects', projectSortKeys).action(async (options) => {
    const { listProjects } = await import('../projects/list.ts')
    await listProjects(await openContext(), options)
  })
  registerSettings(project.command('settings'), openContext)
}
