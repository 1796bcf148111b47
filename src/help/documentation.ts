import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Documentation, HelpText } from './text.ts'

/** The topic of `flagadm help` that is not a command. */
export const ENVIRONMENT = 'environment'

/** A command that keeps its documentation as data, for help, completion and reference. */
export class DocumentedCommand extends Command {
  readonly documentation: Documentation = { formats: [], notes: [], examples: [] }

  override createHelp(): HelpText {
    return new HelpText(this.documentation)
  }

  override createCommand(name?: string): Command {
    return new DocumentedCommand(name)
  }
}

/** The documentation of a command of the tree. */
export function documentationOf(command: CommandUnknownOpts): Documentation {
  if (command instanceof DocumentedCommand) return command.documentation
  throw new Error(`${command.name()} has no documentation`)
}

/** Adds to the documentation of a command, and returns the command. */
export function document<Documented extends CommandUnknownOpts>(
  command: Documented,
  added: Partial<Documentation>,
): Documented {
  Object.assign(documentationOf(command), added)
  return command
}

/** The heading of commands that change something. They are never suggested for a misspelt word. */
export const CHANGES = 'Commands that change something:'
