import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { formatHelp, formats } from '../formats.ts'
import { examples } from '../options.ts'
import { registerSettings } from './settings.ts'

/** `flagadm project …` */
export function registerProject(project: Command, start: Start): void {
  project
    .command('list')
    .description('List the projects: mode, number of flags, last reported usage')
    .addHelpText('after', formatHelp(formats.projects))
    .addHelpText(
      'after',
      examples('flagadm project list -p sandbox', 'flagadm project list -o names -p sandbox'),
    )
    .action(async () => {
      const context = start()
      const { listProjects } = await import('./project-list.ts')
      await listProjects(context)
    })
  registerSettings(project.command('settings'), start)
}
