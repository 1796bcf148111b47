import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { takesValue, isRepeatable } from './options.ts'
import { FlagadmError } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { CHANGES } from './documentation.ts'

/** The full name of a command: `flagadm feature usage`. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function hintFor(command: CommandUnknownOpts, guess: string | undefined): string {
  return guess === undefined ? `see ${pathOf(command)} --help` : `did you mean ${guess}?`
}

/**
 * The error for an unknown command. Never suggests a command that changes something, because the
 * user may have wanted to read (`get`).
 * @param topics other words that are valid in this place
 */
export function unknownCommand(
  group: CommandUnknownOpts,
  word: string,
  topics: readonly string[] = [],
): FlagadmError {
  const names = group
    .createHelp()
    .visibleCommands(group)
    .filter((command) => command.helpGroup() !== CHANGES)
    .map((command) => command.name())
  const hint = hintFor(group, closest(word, [...names, ...topics]))
  return new FlagadmError('usage', `unknown command '${word}'`, { hint })
}

function unknownOption(command: CommandUnknownOpts, text: string): FlagadmError {
  // Drop the option's value: it may be an API key.
  const [word] = text.split('=', 1)
  const option = word ?? text
  if (/^--api-?key$/.test(option)) {
    return new FlagadmError('usage', `unknown option '${option}'`, {
      hint: 'every process can read command lines: set FLAGADM_API_KEY or use --api-key-file',
    })
  }
  const commands: CommandUnknownOpts[] = []
  for (let one: CommandUnknownOpts | null = command; one; one = one.parent) commands.push(one)
  const known = commands
    .flatMap((one) => one.createHelp().visibleOptions(one))
    .flatMap(({ long }) => long ?? [])
    .filter((long) => option.startsWith('--no-') || !long.startsWith('--no-'))
  const hint = hintFor(command, closest(option, known))
  return new FlagadmError('usage', `unknown option '${option}'`, { hint })
}

/** The command that the words of the command line select. */
function reachedCommand(program: CommandUnknownOpts): CommandUnknownOpts {
  const [word] = program.args
  const next = program.commands.find((command) => command.name() === word)
  return next ? reachedCommand(next) : program
}

// Commander describes an option as `-o, --output <format>`.
const option = String.raw`option '(?:-\w, )?(--[\w-]+)[^']*'`

/** Commander's messages, our wording, and a hint where one is better than `see … --help`. */
const rewordings: readonly [RegExp, message: string, hint?: string][] = [
  [/^missing required argument '(.*)'$/s, 'missing argument <$1>'],
  [new RegExp(`^required ${option} not specified$`, 's'), '$1 is required'],
  [new RegExp(`^${option} argument missing$`, 's'), '$1 requires a value'],
  [
    new RegExp(`^${option} argument '(.*)' is invalid. Allowed choices are (.*)\\.$`, 's'),
    "$1: unknown value '$2'",
    'choose one of $3',
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s,
    "<$2>: unknown value '$1'",
    'choose one of $3',
  ],
  [
    new RegExp(`^${option} cannot be used with ${option}$`, 's'),
    '$1 cannot be combined with $2',
    'leave out $1 or $2',
  ],
  [
    /^too many arguments.* Expected (\d+) .* but got (\d+)\.$/s,
    'too many arguments: $2 given, $1 expected',
  ],
]

/**
 * The error for a command line that commander rejects.
 * @param message commander's message, masked
 */
export function usageError(message: string, program: CommandUnknownOpts): FlagadmError {
  const command = reachedCommand(program)
  const text = message.replace(/^error: /, '')
  const [, kind, word = ''] = /^unknown (command|option) '(.*)'$/s.exec(text) ?? []
  if (kind === 'command') return unknownCommand(command, word)
  if (kind === 'option') return unknownOption(command, word)
  const [pattern = /^/, wording = '', hint] = rewordings.find(([known]) => known.test(text)) ?? []
  return new FlagadmError('usage', text.replace(pattern, wording), {
    hint: hint ? text.replace(pattern, hint) : hintFor(command, undefined),
  })
}

/**
 * Makes the commands below a group refuse a second value of an option that is not repeatable, because
 * commander would silently use the last one. Global options belong to the root: there, the last one wins.
 */
export function refuseRepeatedOptions(group: CommandUnknownOpts): void {
  for (const command of group.commands) {
    for (const option of command.options) {
      if (isRepeatable(option) || !takesValue(option)) continue
      let isGiven = false
      command.on(`option:${option.name()}`, () => {
        if (isGiven) {
          throw new FlagadmError('usage', `${option.long} was given more than once`, {
            hint: `leave out one of them; see ${pathOf(command)} --help`,
          })
        }
        isGiven = true
      })
    }
    refuseRepeatedOptions(command)
  }
}
