import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../old/context.ts'
import { formats } from '../old/output/formats.ts'
import { wrappedLines } from '../old/output/width.ts'
import { ENVIRONMENT } from './documentation.ts'
import { environmentHelp } from './environment.ts'
import { helpWidth } from './text.ts'
import { unknownCommand } from './usage-error.ts'

function findCommand(group: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
  const [word, ...rest] = words
  if (word === undefined) return group
  const next = group.commands.find((one) => one.name() === word)
  if (next) return findCommand(next, rest)
  throw unknownCommand(group, word, group.parent === null ? [ENVIRONMENT] : [])
}

/**
 * Shows the help of a command, or of the environment.
 * @param group the commands among which the words select one
 */
export async function showHelp(
  context: Context,
  group: CommandUnknownOpts,
  words: readonly string[],
): Promise<void> {
  const { printer } = context
  context.format(formats.help)
  if (group.parent === null && words.length === 1 && words[0] === ENVIRONMENT) {
    const width = helpWidth(context.stdout)
    const lines = environmentHelp(context.host.platform).map(printer.text)
    await context.write(wrappedLines(lines, width))
  } else {
    findCommand(group, words).help()
  }
}
