import type { Command } from '@commander-js/extra-typings'
import type { Context, NewCommand } from '../../context.ts'
import { withExamples } from '../../options.ts'
import type { FormatChoice } from '../output/formats.ts'

interface Documentation {
  formats: readonly FormatChoice[]
  notes?: readonly string[]
  examples: readonly string[]
}

/** Declares the help of a command that is not moved yet. */
export function document(
  command: NewCommand,
  { formats }: Context,
  { formats: choices, notes = [], examples }: Documentation,
): Command {
  const always = choices.filter(({ option }) => option === undefined)
  const names = always.flatMap((choice) => choice.formats)
  const [first = 'text', ...others] = new Set(names)
  formats(command, [first, ...others])
  const description = withExamples(command.summary(), ...examples)
  const paragraphs = notes.map((note) => note.replaceAll(/(?<!\n)\n(?=\S)/g, ' '))
  command.description([description, ...paragraphs].join('\n\n'))
  return command as unknown as Command
}
