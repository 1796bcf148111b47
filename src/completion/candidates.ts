import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { CHANGES, documentationOf, ENVIRONMENT } from '../help/documentation.ts'
import { type CursorPosition, positionAfter, writtenOptions } from '../help/position.ts'
import type { ServiceName } from './service-names.ts'
import {
  acceptedOptions,
  argumentType,
  isRepeatable,
  optionType,
  takesValue,
  type ValueType,
} from '../help/options.ts'

/** A possible completion and its description. */
export interface Candidate {
  value: string
  description: string
}

/** The type of a value if files, folders, profiles or names of the service are candidates, too. */
type More = ValueType | 'own profile' | ServiceName

/** The possible values of a word: candidates, and more that only the caller can find. */
interface Values {
  candidates?: readonly Candidate[]
  more?: More
}

/** The possible completions of a word. */
export interface Completion extends Values {
  /** The part of the word before the value: `--color=` of `--color=au`. */
  prefix: string
  position: CursorPosition
}

/** Candidates without a description. */
export function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: '' }))
}

/** The formats of the command that has been reached, with the options given so far. */
function formatsAt({ command, given }: CursorPosition): Candidate[] {
  const { formats } = documentationOf(command)
  const isGiven = (long: string) =>
    acceptedOptions(command).some((one) => one.long === long && given.has(one.attributeName()))
  const choice =
    formats.find(({ option }) => option !== undefined && isGiven(option)) ??
    formats.find(({ option }) => option === undefined)
  return plain(choice?.formats ?? [])
}

function isAboutFlags(command: CommandUnknownOpts): boolean {
  return command.parent?.name() === 'feature'
}

function valuesOf(option: Option, position: CursorPosition): Values {
  if (option.long === '--output') return { candidates: formatsAt(position) }
  if (option.long === '--project') return { more: 'project' }
  if (option.long === '--name' && isAboutFlags(position.command)) return { more: 'flag' }
  return { candidates: plain(option.argChoices ?? []), more: optionType(option) }
}

/** The type of an argument's value, with the names that only the service has. */
function typeOf(argument: Argument, command: CommandUnknownOpts): More {
  if (argument.name() === 'project-id') return 'project'
  if (argument.name() === 'name' && isAboutFlags(command)) return 'flag'
  const type = argumentType(argument)
  // Only the user's own profiles can be changed.
  return type === 'profile' && command.helpGroup() === CHANGES ? 'own profile' : type
}

/** Options that are not given yet, or may be repeated. */
function optionsAt({ command, given }: CursorPosition, word: string): Candidate[] {
  return acceptedOptions(command)
    .filter((option) => isRepeatable(option) || !given.has(option.attributeName()))
    .flatMap(({ long = '', short, description }) => {
      // A short name is offered once it is typed, so that the shell adds a space.
      const names = word === short ? [long, short] : [long]
      return names.map((value) => ({ value, description }))
    })
}

function commandsIn(group: CommandUnknownOpts): Candidate[] {
  return group
    .createHelp()
    .visibleCommands(group)
    .map((command) => ({ value: command.name(), description: command.description() }))
}

/** The commands after `help` and the words that follow it. */
function helpTopics(group: CommandUnknownOpts, words: readonly string[]): Candidate[] {
  const { command, operands } = positionAfter(group, words)
  if (operands.length > 0) return []
  const isRoot = command.parent === null
  return [...commandsIn(command), ...(isRoot ? plain([ENVIRONMENT]) : [])]
}

function operandsAt({ command, operands }: CursorPosition): Values {
  if (command.name() === 'help' && command.parent) {
    return { candidates: helpTopics(command.parent, operands) }
  }
  if (command.commands.length > 0) {
    return operands.length === 0 ? { candidates: commandsIn(command) } : {}
  }
  const known: readonly Argument[] = command.registeredArguments
  const argument = known[operands.length] ?? known.find(({ variadic }) => variadic)
  if (!argument) return {}
  return { candidates: plain(argument.argChoices ?? []), more: typeOf(argument, command) }
}

/**
 * The possible completions of the last word of a command line.
 * @param words the words after the program, without quotation marks
 */
export function completionOf(program: CommandUnknownOpts, words: readonly string[]): Completion {
  const word = words.at(-1) ?? ''
  const position = positionAfter(program, words.slice(0, -1))
  const { command, pending, ended } = position
  const whole = (values: Values): Completion => ({ ...values, prefix: '', position })
  if (pending) return whole(valuesOf(pending, position))
  if (ended || !word.startsWith('-')) return whole(operandsAt(position))
  const last = writtenOptions(word, acceptedOptions(command)).at(-1)
  if (last?.value === undefined) return whole({ candidates: optionsAt(position, word) })
  if (!takesValue(last.option)) return whole({})
  const prefix = word.slice(0, word.length - last.value.length)
  return { ...valuesOf(last.option, position), prefix, position }
}
