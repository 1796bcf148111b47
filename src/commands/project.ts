import type { Command } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { document } from '../help/documentation.ts'
import { formats } from '../output/formats.ts'
import { registerSettings } from './settings.ts'

/** `flagadm project …` */
export function registerProject(project: Command, start: Start): void {
  document(project, {
    examples: [
      'flagadm project list -p sandbox',
      'flagadm project settings get checkout -p sandbox',
      'flagadm project settings set checkout --mode open --dry-run -p sandbox',
    ],
  }).description('Administer projects')
  document(project.command('list'), {
    formats: [formats.projects],
    examples: ['flagadm project list -p sandbox', 'flagadm project list -o names -p sandbox'],
  })
    .description('List the projects: mode, number of flags, last reported usage')
    .action(async () => {
      const { listProjects } = await import('../projects/list.ts')
      await listProjects(await start())
    })
  registerSettings(project.command('settings'), start)
}
