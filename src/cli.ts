import { CommanderError } from '@commander-js/extra-typings'
import { type Context, createContext, errorReport } from './context.ts'
import { endings, FlagadmError } from './errors.ts'
import type { Host } from './host.ts'
import { createRedactor, type Redact } from './output/redact.ts'
import { safeLines } from './output/text.ts'
import { ClosedOutput, createWriter } from './output/writer.ts'
import { createProgram } from './program.ts'

export { hostOf } from './host.ts'

const HELP_WIDTH = 100

/** Commander writes at once and cannot wait: its text is kept here and written by us. */
function keepOutput(columns = HELP_WIDTH) {
  const kept = { out: '', err: '' }
  const width = () => Math.min(columns, HELP_WIDTH)
  const output = {
    writeOut: (text: string) => {
      kept.out += text
    },
    writeErr: (text: string) => {
      kept.err += text
    },
    // A wrong command line is reported with all other errors.
    outputError: () => {},
    getOutHelpWidth: width,
    getErrHelpWidth: width,
  }
  return { kept, output }
}

function usageError(error: CommanderError, redact: Redact): FlagadmError {
  // Masked before it is cut: a part of a key would not be found.
  const message = redact(error.message)
  const [, line = message, guess] =
    /^error: (.*?)(?:\n\(Did you mean (.*)\))?$/s.exec(message) ?? []
  // Drop the value of an unknown option: it may be an API key.
  const [problem = line] = /^unknown option '[^=]*(?==)/.exec(line) ?? []
  const what = problem === line ? line : `${problem}'`
  if (/^unknown option '--api-?key'?/.test(what)) {
    return new FlagadmError('usage', what, {
      hint: 'every process can read command lines: set FLAGADM_API_KEY or use --api-key-file',
    })
  }
  return new FlagadmError('usage', what, { hint: guess ? `did you mean ${guess}` : 'see --help' })
}

/** Has a signal told that came while work kept the event loop from turning. */
async function hearSignals(): Promise<void> {
  const turn = () => new Promise(setImmediate)
  // The loop may stand behind the place where it hears signals: the second turn is a full one.
  await turn()
  await turn()
}

function bugReport(thrown: unknown, redact: Redact): string {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  return safeLines(redact(`error: this is a bug in flagadm, please report it\n${stack}`))
}

/**
 * Runs a command line: the whole of flagadm, with the world that it works in handed over.
 * @returns the exit code; never throws
 */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const redactor = createRedactor()
  redactor.add(host.env.FLAGADM_API_KEY ?? '')
  const stdout = createWriter(host.stdout, redactor)
  const stderr = createWriter(host.stderr, redactor)
  const { kept, output } = keepOutput(host.stdout.columns)
  let context: Context | undefined
  const program = createProgram(() => {
    context = createContext(host, program.opts(), redactor)
    return context
  }, output)

  async function perform(): Promise<number> {
    try {
      await program.parseAsync(argv, { from: 'user' })
      return 0
    } catch (thrown) {
      if (!(thrown instanceof CommanderError)) throw thrown
      if (kept.out + kept.err === '') throw usageError(thrown, redactor.redact)
      // Help or the version: asked for on stdout, shown for an incomplete command on stderr.
      await stdout(kept.out)
      await stderr(kept.err)
      return thrown.exitCode === 0 ? 0 : endings.usage[0]
    } finally {
      if (context) await hearSignals()
      await context?.close()
    }
  }

  try {
    const code = await perform()
    return host.signal.aborted ? endings.interrupted[0] : code
  } catch (thrown) {
    if (thrown instanceof ClosedOutput || host.signal.aborted) {
      return host.signal.aborted ? endings.interrupted[0] : 0
    }
    const known = thrown instanceof FlagadmError
    const report = known
      ? errorReport(thrown, program.opts(), redactor)
      : bugReport(thrown, redactor.redact)
    await stderr(`${report}\n`).catch(() => {})
    return known ? thrown.exitCode : endings.unexpected[0]
  }
}
