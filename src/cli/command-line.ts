import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { FlagadmError } from '../errors.ts'
import type { Program } from '../command/context.ts'

/** An option and the text that a command line gives it. */
interface GivenValue {
  option: Option
  value: string
  /** Whether the value is a word of its own, and not after `=` or the letter of the option. */
  isWord: boolean
}

/** The words of a command line, or of the part of one that has been typed. */
export interface CommandLine {
  command: CommandUnknownOpts
  operands: readonly string[]
  values: readonly GivenValue[]
  /** The words that are options without a value, as far as the command has them. */
  switches: readonly string[]
  /** The first word that looks like an option and is none, without its value. */
  unknown: string | undefined
  /** The option whose value is the next word. */
  pending: Option | undefined
  /** The option whose further value is the next word, unless that begins with `-`. */
  open: Option | undefined
}

/** The options that a command accepts: its own, then the global ones. */
export function optionsOf(command: CommandUnknownOpts): Option[] {
  const commandOptions = command.createHelp().visibleOptions(command)
  return command.parent ? [...commandOptions, ...optionsOf(command.parent)] : commandOptions
}

function wordsOf(command: CommandUnknownOpts): string[] {
  return command.parent ? [...wordsOf(command.parent), command.name()] : []
}

/** The option of a word that takes a value, and the value if the word has it: `--limit=3`, `-f-`, `-qp`. */
function readOption(
  word: string,
  options: readonly Option[],
): { option: Option; attached: string | undefined } | undefined {
  const [, long, afterSign] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? []
  if (long !== undefined) {
    const option = options.find((one) => one.long === long || one.short === long)
    return option?.required ? { option, attached: afterSign } : undefined
  }
  // Letters of options without a value may precede the one that has it.
  for (let at = 1; at < word.length; at++) {
    const option = options.find((one) => one.short === `-${word[at]}`)
    if (!option) return undefined
    if (option.required) return { option, attached: word.slice(at + 1) || undefined }
  }
  return undefined
}

/** Reads a command line as commander does, which then parses it. */
export async function readCommandLine(
  words: readonly string[],
  program: Program,
): Promise<CommandLine> {
  let command = await program.find([])
  const operands: string[] = []
  const values: GivenValue[] = []
  const switches: string[] = []
  let unknown: string | undefined
  let pending: Option | undefined
  let open: Option | undefined
  for (const [index, word] of words.entries()) {
    if (pending) {
      values.push({ option: pending, value: word, isWord: true })
      open = pending.variadic ? pending : undefined
      pending = undefined
    } else if (word === '--') {
      operands.push(...words.slice(index + 1))
      open = undefined
      break
    } else if (open && !/^-./s.test(word)) {
      values.push({ option: open, value: word, isWord: true })
    } else if (word.startsWith('-')) {
      open = undefined
      const options = optionsOf(command)
      const { option, attached } = readOption(word, options) ?? {}
      if (option && attached !== undefined) values.push({ option, value: attached, isWord: false })
      else pending = option
      const isSwitch = options.some(({ long, short, required }) => {
        return !required && [long, short].includes(word)
      })
      if (isSwitch) switches.push(word)
      else if (!option && word.startsWith('--')) unknown ??= word.replace(/=.*/s, '')
    } else if (command.commands.some((one) => one.name() === word)) {
      command = await program.find([...wordsOf(command), word])
    } else {
      operands.push(word)
    }
  }
  return { command, operands, values, switches, unknown, pending, open }
}

const UNSET = 'a variable in the command line may be unset'

/** The error for an empty text, with the option that removes what is stored, if the command has it. */
function emptyValue({ long = '' }: Option, command: CommandUnknownOpts): FlagadmError {
  const removing = long === '--pattern' ? '--clear-naming' : long.replace('--', '--clear-')
  const isKnown = command.options.some((option) => option.long === removing)
  const hint = isKnown ? `to remove what is stored: ${removing}; otherwise, ${UNSET}` : UNSET
  return new FlagadmError('usage', `${long}: the value is empty`, { hint })
}

function optionAsValue({ long }: Option, value: string, isKnown: boolean): FlagadmError {
  // The text after the sign may be an API key.
  const shown = value.replace(/=.*/s, '=…')
  const what = `${long} needs a value, and ${shown} ${isKnown ? 'is' : 'looks like'} an option`
  const hint = isKnown
    ? `write a value after ${long}`
    : `write ${long}=${shown} if you mean that text`
  return new FlagadmError('usage', what, { hint })
}

/**
 * Whether a word is one of some options, or letters of options: `-qv`, `-ojson`. Commander takes a word that begins with
 * a global letter as an option wherever it is; with others, a text may begin: `--pattern -foo-.+`.
 */
function isOptionWord(
  word: string,
  command: CommandUnknownOpts,
  root: CommandUnknownOpts,
): boolean {
  const options = optionsOf(command)
  if (options.some(({ long, short }) => word === long || word === short)) return true
  if (!/^-[^-]/.test(word)) return false
  if (optionsOf(root).some(({ short }) => short === word.slice(0, 2))) return true
  const isSwitch = (letter: string) =>
    options.some(({ short, required }) => short === `-${letter}` && !required)
  return [...word.slice(1)].every(isSwitch)
}

/**
 * Finds a value that is a mistake: an option that follows one without its value, as `--description $TEXT --dry-run`
 * with an empty variable, or an empty text. Commander would take both as values.
 */
export async function valueProblem(
  words: readonly string[],
  program: Program,
): Promise<FlagadmError | undefined> {
  const { command, values } = await readCommandLine(words, program)
  for (const { option, value, isWord } of values) {
    // As terraform has it; it would be read as `-o ut`.
    if (!isWord && option.long === '--output' && /^ut(?:=|$)/.test(value)) {
      const hint = 'use --save for a plan, or redirect the output: > <file>'
      return new FlagadmError('usage', "unknown option '-out'", { hint })
    }
    if (value === '') return emptyValue(option, command)
    const isKnown = isOptionWord(value, command, program.root)
    if (isWord && (isKnown || value.startsWith('--'))) return optionAsValue(option, value, isKnown)
  }
  return undefined
}
