import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import {
  acceptedOptions,
  argumentType,
  optionType,
  placeholderOf,
  takesValue,
  isRepeatable,
  pathOf,
} from './options.ts'
import { documentationOf } from './documentation.ts'
import { defaultOf, headingOf } from './text.ts'
import { exitCodes } from '../errors.ts'
import { version } from '../../package.json'
import { settings } from './environment.ts'
import type { HelpArgument, HelpDocument, HelpOption } from './schema.ts'

function optionHelp(option: Option): HelpOption {
  const { long = '', short, description, argChoices, mandatory } = option
  const setting = settings.find(({ options }) => options?.includes(long))
  return {
    name: long,
    short,
    description,
    group: headingOf(option).replace(/:$/, ''),
    type: takesValue(option) ? optionType(option) : 'boolean',
    placeholder: placeholderOf(option),
    required: mandatory,
    repeatable: isRepeatable(option),
    choices: argChoices,
    default: defaultOf(option),
    environment: setting?.variables && [...setting.variables],
  }
}

function argumentHelp(argument: Argument): HelpArgument {
  const { description, required, variadic, argChoices: choices } = argument
  return {
    name: argument.name(),
    description,
    required,
    variadic,
    type: argumentType(argument),
    choices,
  }
}

function commandsBelow(command: CommandUnknownOpts): HelpDocument['commands'] {
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((one) => [{ path: pathOf(one), summary: one.description() }, ...commandsBelow(one)])
}

/** The help of a command as data. */
export function helpDocument(command: CommandUnknownOpts): HelpDocument {
  const help = command.createHelp()
  const own = help.visibleOptions(command)
  const inherited = acceptedOptions(command).filter(
    ({ long }) => long !== '--version' && !own.some((option) => option.long === long),
  )
  const { formats, notes, examples } = documentationOf(command)
  return {
    path: pathOf(command),
    summary: command.description(),
    version,
    usage: help.commandUsage(command),
    arguments: command.registeredArguments.map(argumentHelp),
    options: own.map(optionHelp),
    globalOptions: inherited.map(optionHelp),
    formats: formats.map(({ formats: names, ...when }) => ({ ...when, formats: [...names] })),
    notes: notes.map((note) => note.trim()),
    examples: [...examples],
    exitCodes: Object.values(exitCodes).map(([code, meaning]) => ({ code, meaning })),
    commands: commandsBelow(command),
  }
}
