import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings'

/** The type of a value, which determines what the shell completes; `help --json` reports it. */
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
export function placeholderOf({ flags }: Option): string | undefined {
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
