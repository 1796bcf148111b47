import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { commandWords } from '../input/words.ts'
import type { Line, Writer } from '../output/text.ts'
import { EXAMPLES } from './options.ts'

export function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** The words of the first example in the help of a command. */
export function firstExample(command: CommandUnknownOpts): readonly string[] | undefined {
  const [, example] = /^ +(flagadm .+)$/m.exec(command.description()) ?? []
  return example === undefined ? undefined : commandWords(example, 'example')
}

/** The words that print the help of a command. */
export function helpCommand(command: CommandUnknownOpts): readonly string[] {
  return [...pathOf(command).split(' '), '--help']
}

// The first screen answers the first questions.
const questions: readonly (readonly [question: string, command: string])[] = [
  ['Who uses a flag?', 'flagadm feature usage checkout-new-basket -p sandbox'],
  ['Which flags can go?', 'flagadm feature review --all-projects -p sandbox'],
  ['Is a rule right?', "flagadm naming lint --pattern 'checkout-[a-z-]+'"],
  ['How do I connect?', 'flagadm profile add'],
]

const SANDBOX = 'With -p sandbox, a command uses an embedded service with example data.'

/** A description with what is known about the values. */
function descriptionOf(one: Option | Argument): string {
  const { description, argChoices, parseArg } = one
  const value = one.defaultValueDescription ?? one.defaultValue
  const isNegated = 'negate' in one && one.negate
  const valueNotes = [
    parseArg && 'isRepeatable' in parseArg && 'repeatable',
    argChoices && `choices: ${argChoices.join(', ')}`,
    !isNegated && ['string', 'number'].includes(typeof value) && `default: ${value}`,
  ].filter(Boolean)
  return valueNotes.length > 0 ? `${description} (${valueNotes.join('; ')})` : description
}

/** What help says first about the program. */
function introduction(): Line[] {
  return [
    ['Administer the feature flags of Unleash: usage, naming rules, project settings.'],
    [],
    ...questions.flatMap(([question, command]): Line[] => [[question], ['  ', { copy: command }]]),
  ]
}

/** The description of a command, in which lines that begin with a blank are to be copied. */
function descriptionLines(description: string): Line[] {
  const lines = description.split('\n')
  return lines.map((line) => {
    if (line.startsWith(' ')) return [{ copy: line }]
    return line === EXAMPLES ? [{ bold: line }] : [line]
  })
}

/** What a command is about, its examples and its notes. */
function aboutLines(command: CommandUnknownOpts): Line[] {
  if (command.parent === null) return introduction()
  const description = command.description()
  const usesSandbox = description.includes('-p sandbox')
  return [...descriptionLines(description), ...(usesSandbox ? [[], [SANDBOX]] : [])]
}

/** The arguments, commands and options of a command, below their headings. */
function termSections(command: CommandUnknownOpts): Line[][] {
  const helper = command.createHelp()
  const width = helper.padWidth(command, helper)
  const sections = new Map<string, Line[]>()
  const add = (heading: string, term: string, text: string) => {
    const lines = sections.get(heading) ?? [[{ bold: heading }]]
    sections.set(heading, [...lines, [`  ${term.padEnd(width)}  ${text}`]])
  }
  for (const argument of helper.visibleArguments(command)) {
    add('Arguments:', helper.argumentTerm(argument), descriptionOf(argument))
  }
  for (const subcommand of helper.visibleCommands(command)) {
    add(subcommand.helpGroup() || 'Commands:', subcommand.name(), subcommand.summary())
  }
  for (const option of helper.visibleOptions(command)) {
    if (command.parent === null || option.long !== '--help') {
      add(option.helpGroupHeading ?? 'Options:', helper.optionTerm(option), descriptionOf(option))
    }
  }
  return [...sections.values()]
}

/** The lines of `--help`: examples first, and commands before options. */
function helpLines(command: CommandUnknownOpts, formats: readonly string[]): Line[] {
  const isRoot = command.parent === null
  const isGroup = command.commands.length > 0
  const usage = `${pathOf(command)} ${isGroup ? '<command> [options]' : command.usage()}`
  const [byDefault, ...others] = formats
  const blocks: Line[][] = [
    [[{ bold: 'Usage:' }, ` ${usage}`]],
    aboutLines(command),
    ...termSections(command),
  ]
  if (byDefault !== undefined) {
    const all = [`${byDefault} (default)`, ...others].join(', ')
    blocks.push([[{ bold: 'Output formats:' }, ` ${all}`]])
  }
  const more = isRoot ? 'Exit codes and variables' : 'Global options'
  const where = isRoot ? 'flagadm help variables' : 'flagadm --help'
  blocks.push([[{ bold: `${more}:` }, ` ${where}`]])
  return blocks.flatMap((lines, index) => (index > 0 ? [[], ...lines] : lines))
}

const DEFAULT_WIDTH = 80
const MAX_WIDTH = 100

/** Prints the help of a command. Elsewhere than on a terminal, it is as wide as on a common one. */
export function printHelp(
  command: CommandUnknownOpts,
  formats: readonly string[],
  out: Writer,
): void {
  const width = Math.min(out.width ?? DEFAULT_WIDTH, MAX_WIDTH)
  out.lines(helpLines(command, formats), width)
}
