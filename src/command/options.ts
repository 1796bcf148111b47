// Options that several commands share, and parsers of their values.
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { unknownValue } from '../input/spelling.ts'
import { timeSpan, wholeNumber } from '../input/values.ts'

/** Marks the parser of a repeatable option, for the help. Few options are variadic, because those swallow the names after them. */
function repeatable<Parse extends object>(parse: Parse): Parse & { isRepeatable: true } {
  return Object.assign(parse, { isRepeatable: true } as const)
}

export const collect = repeatable((value: string, collected: string[] = []) => [
  ...collected,
  value,
])

/** The same for values that may also be separated by commas. */
export const collectWords = repeatable((text: string, collected: string[] = []) => [
  ...collected,
  ...text.split(',').filter((word) => word !== ''),
])

/** A parser of whole numbers from 1. */
export function count(option: string, most = 999_999_999): (text: string) => number {
  return (text) => wholeNumber(option, text, 1, most)
}

const nameIn = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags

/** An option with a length of time, such as `48h`. */
export function spanOption<Flags extends string>(flags: Flags, description: string) {
  return new Option(flags, description).argParser((text) => timeSpan(nameIn(flags), text))
}

/** The value of an option with one of several values. */
function oneOf<Value extends string>(flags: string, text: string, values: readonly Value[]): Value {
  const value = values.find((one) => one === text)
  if (value !== undefined) return value
  throw unknownValue(nameIn(flags), text, values)
}

/**
 * An option with one of several values.
 * @param shorter a shorter word for one of them
 */
export function choice<Flags extends string, const Values extends readonly string[]>(
  flags: Flags,
  description: string,
  values: Values,
  shorter?: { word: string; value: Values[number] },
) {
  const option = new Option(flags, description).argParser((text): Values[number] =>
    text === shorter?.word ? shorter.value : oneOf(flags, text, values),
  )
  option.argChoices = [...values]
  return option
}

/** A repeatable option with several values; also accepts them separated by commas. */
export function choices<Flags extends string, const Values extends readonly string[]>(
  flags: Flags,
  description: string,
  values: Values,
) {
  const parse = (text: string, collected: Values[number][] = []): Values[number][] => [
    ...collected,
    ...text.split(',').map((word) => oneOf(flags, word, values)),
  ]
  const option = new Option(flags, description).argParser(repeatable(parse))
  option.argChoices = [...values]
  return option
}

/** The option with which a check passes that had nothing to check. */
export function allowEmptyOption() {
  return new Option('--allow-empty', 'succeed if there is nothing to check')
}

/** Why a check has nothing to check, and what to do about it. */
export interface Emptiness {
  why: string
  remedy?: string
  /** Whether the user gave nothing to check; otherwise the service has nothing. */
  isInput?: boolean
}

/**
 * Ends a check that has nothing to check: it does not pass, unless the user accepts that.
 * @throws a usage error or, for data of the service, `checkFailed`
 */
export function refuseEmpty(
  messages: { note(message: string): void },
  { allowEmpty }: { allowEmpty?: true | undefined },
  { why, remedy, isInput = false }: Emptiness,
): void {
  const what = `nothing to check: ${why}`
  if (allowEmpty) {
    messages.note(what)
    return
  }
  const hint = [remedy, '--allow-empty accepts that'].filter(Boolean).join('; ')
  throw new FlagadmError(isInput ? 'usage' : 'checkFailed', isInput ? why : what, { hint })
}

/** What rows can be sorted by; the first key is the default. */
export function sortOption<Key extends string>(orders: Readonly<Record<Key, unknown>>) {
  const keys = Object.keys(orders) as Key[]
  return choice('--sort <key>', 'what to sort by', keys).default(keys[0] as Key)
}

/**
 * Refuses JSON, the document of the service, with options that select or arrange rows.
 * @param others the options that do not
 * @throws a usage error
 */
export function refuseWithJson(
  format: string,
  command: CommandUnknownOpts,
  others: readonly string[] = [],
): void {
  const names = command.options.map((option) => option.attributeName())
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  if (format !== 'json' || !names.some((name) => isGiven(name) && !others.includes(name))) return
  refuseUsage("json is the service's own document", 'use -o jsonl to select, sort or limit rows')
}

export const EXAMPLES = 'Examples:'

/** Describes a command by its summary, with examples and notes below it: they come first in its help. */
export function withExamples<Described extends Pick<CommandUnknownOpts, 'summary' | 'description'>>(
  command: Described,
  examples: readonly string[],
  notes?: string,
): Described {
  const lines = [`${command.summary()}.`, '', EXAMPLES, ...examples.map((one) => `  ${one}`)]
  command.description([...lines, ...(notes === undefined ? [] : ['', notes])].join('\n'))
  return command
}
