import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { FlagadmError } from '../errors.ts'

/** The type of a value, which determines what the shell completes. */
export type ValueType = 'text' | 'integer' | 'duration' | 'path' | 'folder' | 'profile'

const types: Readonly<Record<string, ValueType>> = {
  n: 'integer',
  port: 'integer',
  duration: 'duration',
  path: 'path',
  file: 'path',
  glob: 'path',
  rule: 'path',
  folder: 'folder',
  profile: 'profile',
}

function typeOf(placeholder: string): ValueType {
  return types[placeholder] ?? 'text'
}

/** The name in `--port <port>`; undefined for an option without a value. */
function placeholderOf({ flags }: Option): string | undefined {
  return /[<[]([\w-]+)/.exec(flags)?.[1]
}

/** The type of an option's value, by the placeholder of the value. */
export function optionType(option: Option): ValueType {
  return option.long === '--profile' ? 'profile' : typeOf(placeholderOf(option) ?? '')
}

/** The type of an argument, by its name. */
export function argumentType(argument: Argument): ValueType {
  return typeOf(argument.name())
}

/** How many arguments a command takes at most. */
export function maxArguments({ registeredArguments }: CommandUnknownOpts): number {
  const isVariadic = registeredArguments.at(-1)?.variadic
  return isVariadic ? Number.POSITIVE_INFINITY : registeredArguments.length
}

/** Whether an option has a value, required or optional. */
export function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

/** The options that a command accepts, its own first: global options may follow any command. */
export function acceptedOptions(command: CommandUnknownOpts): Option[] {
  const own = command.createHelp().visibleOptions(command)
  const inherited = command.parent ? acceptedOptions(command.parent) : []
  const names = new Set(own.map(({ long }) => long))
  return [...own, ...inherited.filter(({ long }) => !names.has(long))]
}

/** Collects the values of a repeatable option. A variadic option would swallow the names after it. */
export function collect(value: string, collected: string[] = []): string[] {
  return [...collected, value]
}

/** Whether each further value of an option is added to those before it. */
export function isRepeatable({ parseArg }: Option): boolean {
  return parseArg === collect
}

/** The full name of a command: `flagadm feature usage`. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** Refuses an empty path, because it would be the current folder. */
function refuseEmpty(option: Option, value: string | null): void {
  if (value !== '' || !['path', 'folder'].includes(optionType(option))) return
  throw new FlagadmError('usage', `${option.long} is empty`, {
    hint: 'give a path; a variable in it may be unset',
  })
}

/**
 * Makes the commands below a group refuse values that commander accepts: an empty path, and a second value of an option
 * that is not repeatable, of which it would silently use the last one. Global options belong to the root: there, the last
 * one wins.
 */
export function refuseUnusableValues(group: CommandUnknownOpts): void {
  for (const command of group.commands) {
    for (const option of command.options.filter(takesValue)) {
      let isGiven = false
      command.on(`option:${option.name()}`, (value: string | null) => {
        refuseEmpty(option, value)
        if (isGiven && !isRepeatable(option)) {
          throw new FlagadmError('usage', `${option.long} was given more than once`, {
            hint: `leave out one of them; see ${pathOf(command)} --help`,
          })
        }
        isGiven = true
      })
    }
    refuseUnusableValues(command)
  }
}
