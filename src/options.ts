// Options that several commands share, and parsers of their values.
import { Option } from '@commander-js/extra-typings'
import { FlagadmError } from './errors.ts'
import { wholeNumber } from './input/values.ts'
import { unknownValue } from './input/spelling.ts'

/** Collects the values of a repeatable option. A variadic option would swallow the names after it. */
export function collect(value: string, collected: string[] = []): string[] {
  return [...collected, value]
}

/** The same for paths. An empty one would be the current folder. */
export function collectPaths(value: string, collected: string[] = []): string[] {
  if (value === '') {
    throw new FlagadmError('usage', 'a path is empty', {
      hint: 'a variable in the command line may be unset',
    })
  }
  return [...collected, value]
}

/** A parser of whole numbers from 1. */
export function count(option: string, most = 999_999_999): (text: string) => number {
  return (text) => wholeNumber(option, text, 1, most)
}

/** An option with one of several values. */
export function choice<Flags extends string, const Values extends readonly string[]>(
  flags: Flags,
  description: string,
  values: Values,
) {
  const name = /--[\w-]+/.exec(flags)?.[0] ?? flags
  const option = new Option(flags, description).argParser((text): Values[number] => {
    const value = values.find((one) => one === text)
    if (value === undefined) throw unknownValue(name, text, values)
    return value
  })
  option.argChoices = [...values]
  return option
}

/** A repeatable option with several values; also accepts them separated by commas. */
export function choices<Flags extends string, const Values extends readonly string[]>(
  flags: Flags,
  description: string,
  values: Values,
) {
  const name = /--[\w-]+/.exec(flags)?.[0] ?? flags
  const option = new Option(flags, `${description} (repeatable)`).argParser(
    (text, collected: Values[number][] = []): Values[number][] => {
      const parsed = text.split(',').map((word) => {
        const value = values.find((one) => one === word)
        if (value === undefined) throw unknownValue(name, word, values)
        return value
      })
      return [...collected, ...parsed]
    },
  )
  option.argChoices = [...values]
  return option
}

/** The order of a list, by these keys; the first one is the default. */
export function sortOption<const Keys extends readonly [string, ...string[]]>(keys: Keys) {
  return choice('--sort <key>', 'what to sort by', keys).default(keys[0] as Keys[number])
}

/** @throws a usage error for JSON, the document of the service, with options that select or arrange rows */
export function refuseWithJson(format: string, options: readonly unknown[], what: string): void {
  if (format !== 'json' || options.every((value) => value === undefined)) return
  throw new FlagadmError('usage', "json is the service's own document", {
    hint: `use -o jsonl to select, sort or limit ${what}`,
  })
}

/** A summary with examples below it, as the description of a command: they come first in its help. */
export function withExamples(summary: string, ...examples: readonly string[]): string {
  return [`${summary}.`, '', 'Examples:', ...examples.map((line) => `  ${line}`)].join('\n')
}
