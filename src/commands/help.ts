import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { unknownCommand } from '../help/usage-error.ts'
import type { Context, Start } from '../context.ts'
import { document, ENVIRONMENT } from '../help/documentation.ts'
import { formats } from '../output/formats.ts'
import { jsonReport } from '../output/json.ts'
import { joined } from '../output/text.ts'

function findCommand(group: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
  const [word, ...rest] = words
  if (word === undefined) return group
  const next = group.commands.find((one) => one.name() === word)
  if (next) return findCommand(next, rest)
  throw unknownCommand(group, word, group.parent === null ? [ENVIRONMENT] : [])
}

/** Creates the complete command tree, since start-up loads only the groups that the command line needs. */
type CreateTree = () => Promise<CommandUnknownOpts>

async function writeJson(
  context: Context,
  createTree: CreateTree,
  words: readonly string[],
): Promise<void> {
  const { helpDocument } = await import('../help/json.ts')
  const help = helpDocument(findCommand(await createTree(), words))
  await context.write(jsonReport(help, context.printer))
}

async function showHelp(
  group: CommandUnknownOpts,
  words: readonly string[],
  start: Start,
  createTree: CreateTree,
): Promise<void> {
  const context = start()
  if (group.parent === null && words.length === 1 && words[0] === ENVIRONMENT) {
    context.format(formats.environment)
    const { environmentHelp } = await import('../help/environment.ts')
    await context.write(joined(context.printer.lines(environmentHelp()), '\n'))
  } else if (context.format(formats.help) === 'json') {
    await writeJson(context, createTree, [...wordsOf(group), ...words])
  } else {
    findCommand(group, words).help()
  }
}

/** The words that select a group. */
function wordsOf(group: CommandUnknownOpts): string[] {
  return group.parent ? [...wordsOf(group.parent), group.name()] : []
}

/** Registers `help` at the root and, hidden, in each group of commands. */
export function registerHelp(
  group: CommandUnknownOpts,
  start: Start,
  createTree: CreateTree,
): void {
  const isRoot = group.parent === null
  for (const command of group.commands) {
    if (command.commands.length > 0) registerHelp(command, start, createTree)
  }
  document(group.helpCommand(false).command('help', { hidden: !isRoot }), {
    formats: [formats.help],
    notes: [
      'With --json, prints the help as JSON; schemas/help.schema.json in the package describes it.',
    ],
    examples: [
      'flagadm help project settings set',
      `flagadm help ${ENVIRONMENT}`,
      'flagadm help --json feature usage',
    ],
  })
    .description(
      "Show the help of a command; 'environment' lists variables and configuration files",
    )
    .argument('[command...]', 'words of the command')
    .action((words) => showHelp(group, words, start, createTree))
}
