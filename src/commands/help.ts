import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Start } from '../context.ts'
import { formats } from '../formats.ts'
import { examples } from '../options.ts'

const ENVIRONMENT = 'environment'

async function showHelp(
  group: CommandUnknownOpts,
  words: readonly string[],
  start: Start,
): Promise<void> {
  if (group.parent === null && words.length === 1 && words[0] === ENVIRONMENT) {
    const context = start()
    context.format(formats.environment)
    const { environmentHelp } = await import('./help-environment.ts')
    await context.write(environmentHelp())
    return
  }
  let command = group
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word)
    if (!next) {
      const { unknownCommand } = await import('../command-line.ts')
      throw unknownCommand(command, word, command.parent === null ? [ENVIRONMENT] : [])
    }
    command = next
  }
  command.help()
}

/** Registers `help` at the root and, hidden, in each group of commands. */
export function registerHelp(group: CommandUnknownOpts, start: Start): void {
  const isRoot = group.parent === null
  for (const command of group.commands) {
    if (command.commands.length > 0) registerHelp(command, start)
  }
  group
    .helpCommand(false)
    .command('help', { hidden: !isRoot })
    .description(
      "Show the help of a command; 'environment' lists variables and configuration files",
    )
    .argument('[command...]', 'words of the command')
    .addHelpText(
      'after',
      examples('flagadm help project settings set', `flagadm help ${ENVIRONMENT}`),
    )
    .action((words) => showHelp(group, words, start))
}
