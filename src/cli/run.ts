import { constants } from 'node:os'
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { Declined, exitCodes, FlagadmError } from '../errors.ts'
import type { ProcessHost } from '../host.ts'
import { closest, lowerFirst } from '../input/spelling.ts'
import { valueProblem } from './command-line.ts'
import { createProgram, triedWords } from './commands.ts'
import { createContext, type OpenContext, type Program } from '../command/context.ts'
import { firstExample, pathOf, printHelp } from '../command/help-text.ts'

// For bin/flagadm.js, which only loads this bundle.
export { hostOf } from '../host.ts'

// Commander's codes for what is not an error.
const VERSION_PRINTED = 'commander.version'
const HELP_WANTED = 'commander.helpDisplayed'
const COMMAND_MISSING = 'commander.help'

const EXCESS_ARGUMENTS = 'commander.excessArguments'

// The second line of a message of commander.
const SUGGESTION = /\n\((Did you mean .*\?)\)$/s

/** Commander's codes for what a command line lacks, where an example helps. */
const lacking = new Set(['commander.missingArgument', 'commander.missingMandatoryOptionValue'])

/** The error for an argument that a command does not take: mostly the id of a project. */
function excessError(command: CommandUnknownOpts): FlagadmError {
  const takesProject = command.options.some(({ long }) => long === '--project')
  if (takesProject) {
    const argument = command.args[command.registeredArguments.length] ?? ''
    const hint = 'use --project <id> for a project'
    return new FlagadmError('usage', `unexpected argument '${argument}'`, { hint })
  }
  // Without the argument, which may be an API key: of profile add, for example.
  return new FlagadmError('usage', 'too many arguments', { hint: `see ${pathOf(command)} --help` })
}

/** The error for a command line that commander rejects. */
function usageError({ code, message }: CommanderError, { program }: OpenContext): FlagadmError {
  const suggestion = SUGGESTION.exec(message)?.[1]
  const what = message
    .replace(SUGGESTION, '')
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    // Drop the value of an unknown option: it may be an API key.
    .replace(/^(unknown option '[^=']*)=.*/s, "$1'")
    .replace(/(?<!unknown )option '(?:-\w, )?(--[\w-]+)[^']*'/g, '$1')
    .replace(/^required (--\S+) not specified$/, '$1 is required')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'/s, 'invalid $2 $1')
  const command = program.current()
  const word = /^unknown (?:option|command) '([^']*)'/.exec(what)?.[1] ?? ''
  const example = lacking.has(code) ? firstExample(command) : undefined
  if (example !== undefined) {
    return new FlagadmError('usage', what, { hint: 'for example:', command: example })
  }
  if (code === EXCESS_ARGUMENTS) return excessError(command)
  const inGroup = `${pathOf(command)} ${word}`.replace(/^flagadm /, '')
  const known = Object.keys(triedWords)
  const tried = [inGroup, word].find((one) => known.includes(one))
  const meant = closest(word, known)
  const hints = [
    tried === undefined ? undefined : triedWords[tried],
    suggestion === undefined ? undefined : lowerFirst(suggestion),
    meant === undefined ? undefined : triedWords[meant],
    `see ${pathOf(command)} --help`,
  ]
  return new FlagadmError('usage', what, { hint: hints.find((hint) => hint !== undefined) })
}

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

/** Sets the global options of a command line that is refused: they say whether errors are JSON. */
function readGlobalOptions({ argv, program }: OpenContext): void {
  try {
    program.root.parseOptions([...argv])
  } catch {
    // The options before the invalid one are set.
  }
}

/** Parses the command line and runs the command. */
async function perform(context: OpenContext): Promise<number> {
  const { argv, program } = context
  const problem = await valueProblem(argv, program)
  if (problem) {
    readGlobalOptions(context)
    throw problem
  }
  try {
    await program.root.parseAsync(argv, { from: 'user' })
    return exitCodes.done.code
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    if (thrown.code === VERSION_PRINTED) return exitCodes.done.code
    const isWanted = thrown.code === HELP_WANTED
    if (!isWanted && thrown.code !== COMMAND_MISSING) throw usageError(thrown, context)
    return showHelp(context, isWanted)
  }
}

/** Prints the help of the command of a run: because it is wanted, or because a group was given without a command. */
async function showHelp(context: OpenContext, isWanted: boolean): Promise<number> {
  const { err, out, options, program } = context
  const command = program.current()
  const isJson = options.json || options.output === 'json'
  if (!isWanted && isJson) {
    throw new FlagadmError('usage', 'no command given', { hint: `see ${pathOf(command)} --help` })
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
