import { constants } from 'node:os'
import { CommanderError } from '@commander-js/extra-typings'
import { Declined, exitCodes, FlagadmError } from '../errors.ts'
import type { ProcessHost } from '../host.ts'
import { readCommandLine, valueProblem } from './command-line.ts'
import { createProgram } from './commands.ts'
import { usageError } from './usage-error.ts'
import { createContext, type OpenContext, type Program } from '../command/context.ts'
import { helpCommand, printHelp } from '../command/help-text.ts'

// For bin/flagadm.js, which only loads this bundle.
export { hostOf } from '../host.ts'

// Commander's codes for what is not an error.
const VERSION_PRINTED = 'commander.version'
const HELP_WANTED = 'commander.helpDisplayed'
const COMMAND_MISSING = 'commander.help'

/** Prints what ended a run. @returns the exit code */
function reportError(thrown: unknown, { messages, err }: OpenContext): number {
  if (thrown instanceof Declined) {
    messages.note(thrown.message)
    return thrown.exitCode
  }
  if (thrown instanceof FlagadmError) {
    messages.fail(thrown)
    return thrown.exitCode
  }
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  err.line({ red: 'error:' }, ' this is a bug in flagadm, please report it')
  err.lines(stack.split('\n'))
  return exitCodes.unexpected.code
}

/** The exit code after a signal that came while a write was under way. */
function interruptedCode({ host, isCommitted }: OpenContext): number {
  if (isCommitted) return exitCodes.done.code
  const { reason }: { reason: unknown } = host.interruption
  const name = reason === 'SIGTERM' || reason === 'SIGHUP' ? reason : 'SIGINT'
  return 128 + constants.signals[name]
}

/** Sets the options that say whether errors are JSON, also behind the mistake for which a command line is refused. */
async function readOutputOptions({ argv, program }: OpenContext): Promise<void> {
  const { switches, values } = await readCommandLine(argv, program)
  const output = values.findLast(({ option }) => option.long === '--output')?.value
  if (switches.includes('--json')) program.root.setOptionValue('json', true)
  if (output !== undefined) program.root.setOptionValue('output', output)
}

async function perform(context: OpenContext): Promise<number> {
  const { argv, program } = context
  const problem = await valueProblem(argv, program)
  await readOutputOptions(context)
  if (problem) throw problem
  try {
    await program.root.parseAsync(argv, { from: 'user' })
    return exitCodes.done.code
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    if (thrown.code === VERSION_PRINTED) return exitCodes.done.code
    const isWanted = thrown.code === HELP_WANTED
    if (!isWanted && thrown.code !== COMMAND_MISSING) throw await usageError(thrown, context)
    return showHelp(context, isWanted)
  }
}

/** Prints the help of the command of a run: because it is wanted, or because a group was given without a command. */
async function showHelp(context: OpenContext, isWanted: boolean): Promise<number> {
  const { err, out, options, program } = context
  const command = program.current()
  const isJson = options.json || options.output === 'json'
  if (!isWanted && isJson) {
    throw new FlagadmError('usage', 'no command given', {
      hint: 'see',
      command: helpCommand(command),
    })
  }
  await context.useColors()
  // The bare program is asked for help; a group without a command is a mistake.
  const isAsked = isWanted || command === program.root
  printHelp(command, context.formatsOf(command), isAsked ? out : err)
  return isAsked ? exitCodes.done.code : exitCodes.usage.code
}

/**
 * Runs a command line on a host.
 * @returns the exit code; never throws
 */
export async function run(argv: readonly string[], host: ProcessHost): Promise<number> {
  const context = createContext(argv, host, programOf)
  let code: number
  try {
    code = await perform(context)
    if (host.interruption.aborted) code = interruptedCode(context)
  } catch (thrown) {
    await context.useColors()
    // The command has reported what the user needs to know; any other error may only be a result of the signal.
    code = host.interruption.aborted ? interruptedCode(context) : reportError(thrown, context)
  }
  try {
    await context.close()
    await context.out.flush()
  } catch (thrown) {
    code = reportError(thrown, context)
  }
  await context.err.flush().catch(() => {})
  return code
}

/** Builds the program of a run, which prints and ends as the context says, and not as commander would. */
function programOf(context: OpenContext): Program {
  return createProgram(context, (root) => {
    root
      .exitOverride()
      // `showHelp` prints help, once it is known whether it has colours.
      .configureHelp({ formatHelp: () => '' })
      .configureOutput({
        outputError: () => {},
        writeOut: (text) => {
          if (text !== '') context.out.line(text.trimEnd())
        },
        writeErr: () => {},
      })
      .hook('preAction', async (_, command) => {
        await context.useColors()
        // Before anything is read or sent.
        context.checkFormat(command)
      })
  })
}
