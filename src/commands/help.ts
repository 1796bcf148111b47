import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { OpenContext } from '../old/context.ts'
import { document, ENVIRONMENT } from '../help/documentation.ts'
import { formats } from '../old/output/formats.ts'

/** Registers `help` at the root and, hidden, in each group of commands. */
export function registerHelp(group: CommandUnknownOpts, openContext: OpenContext): void {
  const isRoot = group.parent === null
  for (const command of group.commands) {
    if (command.commands.length > 0) registerHelp(command, openContext)
  }
  document(group.helpCommand(false).command('help', { hidden: !isRoot }), {
    formats: [formats.help],
    examples: ['flagadm help project settings set', `flagadm help ${ENVIRONMENT}`],
  })
    .description(
      "Show the help of a command; 'environment' lists variables and configuration files",
    )
    .argument('[command...]', 'words of the command')
    .action(async (words) => {
      const { showHelp } = await import('../help/show.ts')
      await showHelp(await openContext(), group, words)
    })
}
