import { createContext } from '../../src/command/context.ts'
import { createProgram } from '../../src/cli/commands.ts'
import { valueProblem } from '../../src/cli/command-line.ts'
import { commandWords } from '../../src/input/words.ts'
import { hostOfNothing } from './program.ts'

/** What is wrong with a command to copy, by the program's own parser; undefined if it can be run. */
async function commandProblem(words: readonly string[]): Promise<string | undefined> {
  const [program, ...argv] = words
  if (program !== 'flagadm') return `${program} is not flagadm`
  const context = createContext(argv, hostOfNothing(), (self) =>
    createProgram(self, (root) => root.exitOverride().configureOutput({ outputError: () => {} })),
  )
  const problem = await valueProblem(argv, context.program)
  if (problem) return problem.message
  const command = await context.program.find(argv.filter((word) => !word.startsWith('-')))
  if (argv.includes('--help') || argv.includes('--version')) return undefined
  command.action(() => {})
  try {
    await context.program.root.parseAsync(argv, { from: 'user' })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The commands that errors and notes have for the user to copy. */
function commandsIn(stderr: string): string[] {
  const lines = stderr.split('\n')
  return lines.flatMap((line) => {
    if (line.startsWith('{')) return []
    const [, inline] = /^hint: (?:use|see) (flagadm .*[^:])$/.exec(line) ?? []
    const [, below] = /^ {2}(flagadm .+)$/.exec(line) ?? []
    return inline ?? below ?? []
  })
}

/** @throws an error for a command in messages that the program would refuse */
export async function checkHints(stderr: string): Promise<void> {
  for (const command of commandsIn(stderr)) {
    // A quotation mark within a word is more than this parser of words knows.
    if (command.includes(`'\\''`)) continue
    const problem = await commandProblem(commandWords(command, 'hint'))
    if (problem !== undefined) throw new Error(`the hint '${command}' is refused: ${problem}`)
  }
}
