import type { Option } from '@commander-js/extra-typings'
import { optionsOf, readCommandLine } from './command-line.ts'
import type { Context, Define } from '../command/context.ts'

/** A word that a shell may complete, and what it means. */
interface Candidate {
  word: string
  description: string
}

const plain = (words: readonly string[]): Candidate[] =>
  words.map((word) => ({ word, description: '' }))

/** What the shell completes besides the candidates, by the placeholder of a value. */
const directives: Readonly<Record<string, string>> = {
  path: ':files',
  file: ':files',
  glob: ':files',
  'path|glob': ':files',
  rule: ':files',
  folder: ':folders',
}

function placeholderOf({ flags }: Option): string {
  return /<([^>.]+)/.exec(flags)?.[1] ?? ''
}

async function profiles(
  config: string | undefined,
  { host, options }: Context,
): Promise<Candidate[]> {
  const { readConfiguration } = await import('../profile/configuration.ts')
  const profileNames = await readConfiguration({ host, options: { ...options, config } }).then(
    (found) => [...found.profiles.keys()],
    () => [],
  )
  return [...plain(profileNames), { word: 'sandbox', description: 'embedded service' }]
}

/** What may follow the words of a command line: candidates, and whether the shell completes files or folders. */
async function completionAfter(
  words: readonly string[],
  isOption: boolean,
  context: Context,
): Promise<{ candidates: readonly Candidate[]; directive?: string | undefined }> {
  const {
    command,
    pending,
    open,
    operands,
    values: given,
  } = await readCommandLine(words, context.program)
  if (isOption && !pending) {
    const commandOptions = optionsOf(command)
    return {
      candidates: commandOptions.flatMap(({ long, description }) =>
        long ? [{ word: long, description }] : [],
      ),
    }
  }
  const argument =
    command.registeredArguments[operands.length] ??
    command.registeredArguments.find(({ variadic }) => variadic)
  const option = pending ?? open
  const placeholder = option ? placeholderOf(option) : (argument?.name() ?? '')
  if (option?.long === '--output') {
    return { candidates: plain(context.formatsOf(command)) }
  }
  if (placeholder === 'profile' || option?.long === '--profile') {
    const config = given.findLast(({ option }) => option.long === '--config')?.value
    return { candidates: await profiles(config, context) }
  }
  const values = (option ?? argument)?.argChoices
  if (values) return { candidates: plain(values) }
  if (option || argument) return { candidates: [], directive: directives[placeholder] }
  const visible = command.createHelp().visibleCommands(command)
  return {
    candidates: visible.map((one) => ({ word: one.name(), description: one.summary() })),
  }
}

/**
 * Called by the scripts of the shells: `flagadm complete -- <words up to the cursor>`. Prints the candidates for the
 * last word, one per line with a tab before its description, then what else to complete: `:files`, `:folders` or `:`.
 */
export const define: Define = (command, context) =>
  command.argument('[word...]').action(async (given) => {
    // Bash makes a word of the `=` in `--option=value`.
    const whole = given.at(-1) === '=' ? [...given, ''] : given
    const words = whole.filter((word) => word !== '=')
    const last = words.at(-1) ?? ''
    // After `help`, the words of a command follow.
    const before = words.slice(words[0] === 'help' ? 1 : 0, -1)
    const [, option, value] = /^(--[^=]+)=(.*)$/.exec(last) ?? []
    const typed = value ?? last
    const after = option === undefined ? before : [...before, option]
    const isOption = last.startsWith('-') && option === undefined
    const { candidates, directive = ':' } = await completionAfter(after, isOption, context)
    const prefix = option === undefined ? '' : `${option}=`
    const matches = candidates.filter(({ word }) => word.startsWith(typed))
    context.out.tabbed(matches.map(({ word, description }) => [prefix + word, description]))
    context.out.line(directive)
  })
