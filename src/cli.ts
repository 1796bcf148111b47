import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { CommanderError } from '@commander-js/extra-typings'
import { helpWidth } from './help/text.ts'
import type { Context } from './context.ts'
import { exitCodes, FlagadmError } from './errors.ts'
import type { ProcessHost } from './host.ts'
import { createRedactor } from './redact.ts'
import { createSink, type Sink } from './output/stream.ts'
import { createSanitizer, joined } from './output/text.ts'
import { createProgram } from './commands/program.ts'

export { hostOf } from './host.ts'

/** Collects the text that commander writes, because commander does not wait until it is written. */
function keepOutput(stdout: Sink, stderr: Sink) {
  const kept = { out: '', err: '' }
  const output = {
    writeOut: (text: string) => {
      kept.out += text
    },
    writeErr: (text: string) => {
      kept.err += text
    },
    // An invalid command line is reported like all other errors.
    outputError: () => {},
    getOutHelpWidth: () => helpWidth(stdout),
    getErrHelpWidth: () => helpWidth(stderr),
  }
  return { kept, output }
}

/** Waits until Node.js has delivered the signals that arrived while the event loop was blocked. */
async function deliverSignals(): Promise<void> {
  const turn = () => new Promise(setImmediate)
  // The first turn may start after the phase that delivers signals, so wait for a second one.
  await turn()
  await turn()
}

const INTERRUPT_MS = 300

/**
 * Resolves shortly after the user interrupts, so that work that cannot be stopped, such as opening a
 * pipe without a writer, does not delay the exit.
 * @param finished waits for work that must end first
 * @param ended aborts when the run ends
 */
async function interruption(
  signal: AbortSignal,
  finished: () => Promise<void> | undefined,
  ended: AbortSignal,
): Promise<void> {
  await once(signal, 'abort', { signal: ended })
  await finished()
  await delay(INTERRUPT_MS, undefined, { signal: ended })
}

/**
 * Runs a command line on a host.
 * @returns the exit code; never throws
 */
export async function run(argv: readonly string[], host: ProcessHost): Promise<number> {
  const redactor = createRedactor()
  redactor.add(host.env.FLAGADM_API_KEY ?? '')
  const sanitizer = createSanitizer(redactor)
  const stdout = createSink(host.stdout)
  const stderr = createSink(host.stderr)
  const { kept, output } = keepOutput(stdout, stderr)
  let context: Context | undefined
  const start = async () => {
    const { createContext } = await import('./context.ts')
    context = createContext(host, argv, program.opts(), redactor)
    return context
  }
  const program = createProgram(start, output)

  async function perform(): Promise<number> {
    try {
      await program.parseAsync(argv, { from: 'user' })
      return 0
    } catch (thrown) {
      if (!(thrown instanceof CommanderError)) throw thrown
      if (argv.join(' ') === '-v') {
        throw new FlagadmError('usage', 'no command given', {
          hint: 'did you mean flagadm --version?',
        })
      }
      if (kept.out + kept.err === '') {
        // Mask the message before it is cut, because part of a key would not be recognised.
        const { usageError } = await import('./help/usage-error.ts')
        throw usageError(redactor.redact(thrown.message), program, argv, host.platform)
      }
      // Help and version go to stdout, the help for an incomplete command to stderr.
      await stdout.write(joined(sanitizer.lines(kept.out), '\n'))
      await stderr.write(joined(sanitizer.lines(kept.err), '\n'))
      return thrown.exitCode === 0 ? 0 : exitCodes.usage[0]
    } finally {
      if (context) await deliverSignals()
      await context?.close()
    }
  }

  /** The exit code after an interrupt, which may come too late to prevent a change. */
  const interruptedCode = async () =>
    exitCodes[(await context?.isCommitted()) ? 'done' : 'interrupted'][0]
  const ended = new AbortController()
  const passed = interruption(host.signal, () => context?.finished(), ended.signal)
  try {
    const code = await Promise.race([perform(), passed.then(interruptedCode)])
    return host.signal.aborted ? await interruptedCode() : code
  } catch (thrown) {
    if (host.signal.aborted) return interruptedCode()
    const known = thrown instanceof FlagadmError
    const { errorReport, bugReport } = await import('./messages.ts')
    const { withCorrection } = await import('./shell.ts')
    const { printerOf } = await import('./output/printer.ts')
    const options = program.opts()
    const printer = printerOf(stderr, options.color, host.env, redactor)
    const report = known
      ? errorReport(withCorrection(thrown, argv, host.platform), options, printer)
      : bugReport(thrown, printer)
    await stderr.write(report).catch(() => {})
    return known ? thrown.exitCode : exitCodes.unexpected[0]
  } finally {
    ended.abort()
  }
}
