import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { FlagadmError, withParts } from '../errors.ts'
import { closest, correctionOf, unknownValue } from '../input/spelling.ts'
import { tokenKind } from '../service/token.ts'
import { commandLine } from '../shell.ts'
import { wantsJson } from '../old/messages.ts'
import { acceptedOptions, maxArguments, pathOf } from './options.ts'
import { type CursorPosition, positionAfter } from './position.ts'
import { meantCommand, meantLine } from './suggestion.ts'

function hintFor(command: CommandUnknownOpts, guess?: string): string {
  return guess === undefined ? `see ${pathOf(command)} --help` : `did you mean ${guess}?`
}

/**
 * The error for an unknown command.
 * @param topics set for `flagadm help`: other words that are valid in this place
 */
export function unknownCommand(
  group: CommandUnknownOpts,
  word: string,
  topics?: readonly string[],
): FlagadmError {
  const meant = meantCommand(group, word, topics)
  const path = topics ? pathOf(group).replace('flagadm', 'flagadm help') : pathOf(group)
  const hint = hintFor(group, meant && [path, ...meant].join(' '))
  return new FlagadmError('usage', `unknown command '${word}'`, { hint })
}

function unknownOption(command: CommandUnknownOpts, text: string): FlagadmError {
  // Drop the option's value: it may be an API key.
  const [option = text] = text.split('=', 1)
  if (/^--api-?key$/.test(option)) {
    return new FlagadmError('usage', `unknown option '${option}'`, {
      hint: 'every process can read command lines: set FLAGADM_API_KEY or use --api-key-file',
    })
  }
  const known = acceptedOptions(command)
    .flatMap(({ long }) => long ?? [])
    .filter((long) => option.startsWith('--no-') || !long.startsWith('--no-'))
  return new FlagadmError('usage', `unknown option '${option}'`, {
    hint: hintFor(command, closest(option, known)),
    correction: correctionOf(option, known),
  })
}

// Commander describes an option as `-o, --output <format>`.
const option = String.raw`option '(?:-\w, )?(--[\w-]+)[^']*'`

/** Commander's messages, our wording, and our hint if `see … --help` is not enough. */
const rewordings: readonly [RegExp, message: string, hint?: string][] = [
  [/^missing required argument '(.*)'$/s, 'missing argument <$1>'],
  [new RegExp(`^required ${option} not specified$`, 's'), '$1 is required'],
  [new RegExp(`^${option} argument missing$`, 's'), '$1 requires a value'],
  [
    new RegExp(`^${option} cannot be used with ${option}$`, 's'),
    '$1 cannot be combined with $2',
    'leave out $1 or $2',
  ],
]

const choices = String.raw`Allowed choices are (?<choices>.*)\.$`

const invalidChoices = [
  new RegExp(
    String.raw`^option '(?:-\w, )?(?<name>--[\w-]+)[^']*' argument '(?<value>.*)' is invalid\. ${choices}`,
    's',
  ),
  new RegExp(
    String.raw`^command-argument value '(?<value>.*)' is invalid for argument '(?<name>.*)'\. ${choices}`,
    's',
  ),
]

/** The error for a value that is not among the choices of an option or an argument; undefined for another message. */
function invalidChoice(text: string): FlagadmError | undefined {
  const matches = invalidChoices.map((pattern) => pattern.exec(text)?.groups)
  const found = matches.find((groups) => groups !== undefined)
  if (!found) return undefined
  const { name = '', value = '', choices = '' } = found
  return unknownValue(name.startsWith('-') ? name : `<${name}>`, value, choices.split(', '))
}

/** The error for arguments that a command does not take; undefined if there are none. */
function unexpectedArguments({ command, operands }: CursorPosition): FlagadmError | undefined {
  const excess = operands.slice(maxArguments(command))
  if (excess.length === 0) return undefined
  const shown = excess.map((word) => (tokenKind(word) ? 'an API key' : `'${word}'`))
  const noun = excess.length === 1 ? 'argument' : 'arguments'
  return new FlagadmError('usage', `unexpected ${noun}: ${shown.join(', ')}`, {
    hint: hintFor(command),
  })
}

function errorFor(
  text: string,
  program: CommandUnknownOpts,
  { command, operands }: CursorPosition,
): FlagadmError {
  const [word] = operands
  // Commander reports an unknown option first, but only because it looked in the wrong command.
  if (command.commands.length > 0 && word !== undefined) return unknownCommand(command, word)
  const [, option] = /^unknown option '(.*)'$/s.exec(text) ?? []
  if (option !== undefined) return unknownOption(command, option)
  const choice = invalidChoice(text)
  if (choice) return choice
  const isOwn = command.options.some(({ flags }) => text.includes(`'${flags}'`))
  // Global options are in the help of the program.
  const seeHelp = hintFor(isOwn || !text.includes("option '") ? command : program)
  const rewording = rewordings.find(([pattern]) => pattern.test(text))
  if (!rewording) return new FlagadmError('usage', text, { hint: seeHelp })
  const [pattern, message, hint] = rewording
  return new FlagadmError('usage', text.replace(pattern, message), {
    hint: hint === undefined ? seeHelp : text.replace(pattern, hint),
  })
}

/**
 * The error for a command line that commander rejects. Its hint has the command line that was probably meant.
 * @param rejection commander's error, with its message masked
 * @returns undefined for a command line that is answered with the help, because the command is missing, and errors
 *   are not JSON
 */
export function usageError(
  { code, message }: { code: string; message: string },
  program: CommandUnknownOpts,
  argv: readonly string[],
  platform: NodeJS.Platform,
): FlagadmError | undefined {
  const position = positionAfter(program, argv)
  if (code === 'commander.help') {
    const isVersion = argv.join(' ') === '-v'
    // A program that expects JSON cannot read help.
    if (!isVersion && !wantsJson(program.opts())) return undefined
    return new FlagadmError('usage', 'no command given', {
      hint: hintFor(position.command, isVersion ? 'flagadm --version' : undefined),
    })
  }
  const text = message.replace(/^error: /, '')
  const isIncomplete = /^(required|missing required|too many) /.test(text)
  const isUnknown = position.command.commands.length > 0
  const unexpected = isIncomplete ? unexpectedArguments(position) : undefined
  const error = unexpected ?? errorFor(text, program, position)
  const meant = isIncomplete || isUnknown ? meantLine(program, argv) : undefined
  if (!meant) return error
  return withParts(error, { hint: `did you mean ${commandLine(['flagadm', ...meant], platform)}?` })
}
