import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { acceptedOptions, takesValue } from './options.ts'

/** The state of a command line before the word at the cursor. */
export interface CursorPosition {
  command: CommandUnknownOpts
  /** The arguments of the command so far, and their indexes among the words. */
  operands: readonly string[]
  places: readonly number[]
  /** The values of the options given so far, by the name of their attribute; true without a value. */
  given: ReadonlyMap<string, string | true>
  /** Whether the command has all options given so far. */
  isKnown: boolean
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
  const [, name, joined] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? []
  if (name !== undefined) {
    const option = known.find(({ long }) => long === name)
    return option ? [{ option, value: joined }] : []
  }
  const [, letters = ''] = /^-([^-].*)$/s.exec(word) ?? []
  const option = known.find(({ short }) => short === `-${letters[0]}`)
  if (!option) return []
  const rest = letters.slice(1)
  if (takesValue(option)) return [{ option, value: rest || undefined }]
  return [{ option, value: undefined }, ...writtenOptions(rest && `-${rest}`, known)]
}

/** Follows the words that precede the one being typed. */
export function positionAfter(
  program: CommandUnknownOpts,
  words: readonly string[],
): CursorPosition {
  let command = program
  const places: number[] = []
  let isKnown = true
  let pending: Option | undefined
  let ended = false
  const given = new Map<string, string | true>()
  for (const [place, word] of words.entries()) {
    if (pending) {
      given.set(pending.attributeName(), word)
      pending = undefined
    } else if (!ended && word === '--') {
      ended = true
    } else if (!ended && /^-./s.test(word)) {
      const options = writtenOptions(word, acceptedOptions(command))
      isKnown &&= options.length > 0
      for (const { option, value } of options) {
        given.set(option.attributeName(), value ?? true)
        if (takesValue(option) && value === undefined) pending = option
      }
    } else {
      const next = command.commands.find((one) => one.name() === word)
      if (next && places.length === 0) command = next
      else places.push(place)
    }
  }
  const operands = places.map((place) => words[place] ?? '')
  return { command, operands, places, given, isKnown, pending, ended }
}
