import { Command, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings'
import type { FormatChoice } from '../output/formats.ts'

/** The topic of `flagadm help` that is not a command. */
export const ENVIRONMENT = 'environment'

/** The parts of a command's help beyond its arguments and options. */
export interface Documentation {
  formats: readonly FormatChoice[]
  /** Paragraphs, wrapped for the terminal. */
  notes: readonly string[]
  /** Command lines. */
  examples: readonly string[]
}

/** The part of a command's help that lists its output formats. */
function formatHelp(choices: readonly FormatChoice[]): string {
  const lines = choices.map(({ formats: [first, ...others], option, defaultOn }) => {
    const label = option === undefined ? 'Output formats:' : `With ${option}:`
    const byDefault = `${first} (default${defaultOn === undefined ? '' : ` on ${defaultOn}`})`
    return `${choices.length > 1 ? label.padEnd(15) : label} ${[byDefault, ...others].join(', ')}`
  })
  return `\n${lines.join('\n')}`
}

function documentationHelp({ formats, notes, examples }: Documentation): string {
  const sections = notes.map((note) => `\n${note}`)
  if (formats.length > 0) sections.unshift(formatHelp(formats))
  if (examples.length > 0) {
    sections.push(`\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
  }
  return sections.join('\n')
}

/** A command that keeps its documentation as data, for help, completion, man pages and reference. */
export class DocumentedCommand extends Command {
  documentation: Documentation = { formats: [], notes: [], examples: [] }

  constructor(name?: string) {
    super(name)
    this.addHelpText('after', () => documentationHelp(this.documentation))
  }

  override createCommand(name?: string): Command {
    return new DocumentedCommand(name)
  }
}

/** Adds to the documentation of a command, and returns the command. */
export function document<Documented extends CommandUnknownOpts>(
  command: Documented,
  added: Partial<Documentation>,
): Documented {
  if (!(command instanceof DocumentedCommand))
    throw new Error(`${command.name()} has no documentation`)
  command.documentation = { ...command.documentation, ...added }
  return command
}

/** The documentation of a command of the tree. */
export function documentationOf(command: CommandUnknownOpts): Documentation {
  if (command instanceof DocumentedCommand) return command.documentation
  throw new Error(`${command.name()} has no documentation`)
}

/** The heading of commands that change something. They are never suggested for a misspelt word. */
export const CHANGES = 'Commands that change something:'

/** Collects the values of a repeatable option. A variadic option would swallow the names after it. */
export function collect(value: string, collected: string[] = []): string[] {
  return [...collected, value]
}

/** Whether each further value of an option is added to those before it. */
export function isRepeatable({ parseArg }: Option): boolean {
  return parseArg === collect
}
