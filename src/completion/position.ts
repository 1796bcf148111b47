import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { acceptedOptions, takesValue } from '../help/options.ts'

/** The state of a command line before the word at the cursor. */
export interface Position {
  command: CommandUnknownOpts
  /** The arguments of the command so far. */
  operands: readonly string[]
  /** The values of the options given so far, by the name of their attribute; true without a value. */
  given: ReadonlyMap<string, string | true>
  /** The option whose value is next. */
  pending: Option | undefined
  /** Whether only arguments may follow, because of `--`. */
  ended: boolean
}

/** An option as it is written in a word, and its value if that word contains it. */
interface WrittenOption {
  option: Option
  value: string | undefined
}

/** The options in a word such as `--color`, `--color=auto`, `-q`, `-qv` or `-ojson`. */
export function writtenOptions(word: string, known: readonly Option[]): WrittenOption[] {
  const [, name = '', , joined] = /^(--[^=]+)(=([^]*))?$/.exec(word) ?? []
  if (name) {
    const option = known.find(({ long }) => long === name)
    return option ? [{ option, value: joined }] : []
  }
  const [, letters = ''] = /^-([^-][^]*)$/.exec(word) ?? []
  const option = known.find(({ short }) => short === `-${letters[0]}`)
  if (!option) return []
  const rest = letters.slice(1)
  if (takesValue(option)) return [{ option, value: rest || undefined }]
  return [{ option, value: undefined }, ...writtenOptions(rest && `-${rest}`, known)]
}

/** Follows the words that precede the one being typed. */
export function positionAfter(program: CommandUnknownOpts, words: readonly string[]): Position {
  let command = program
  let operands: string[] = []
  let pending: Option | undefined
  let ended = false
  const given = new Map<string, string | true>()
  for (const word of words) {
    if (pending) {
      given.set(pending.attributeName(), word)
      pending = undefined
    } else if (!ended && word === '--') {
      ended = true
    } else if (!ended && /^-./s.test(word)) {
      for (const { option, value } of writtenOptions(word, acceptedOptions(command))) {
        given.set(option.attributeName(), value ?? true)
        if (takesValue(option) && value === undefined) pending = option
      }
    } else {
      const next = command.commands.find((one) => one.name() === word)
      if (next && operands.length === 0) command = next
      else operands = [...operands, word]
    }
  }
  return { command, operands, given, pending, ended }
}
