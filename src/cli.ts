import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { CommanderError } from '@commander-js/extra-typings'
import { helpWidth } from './help/text.ts'
import type { Context } from './old/context.ts'
import { exitCodes, FlagadmError } from './errors.ts'
import { deliverEvents, type ProcessHost } from './host.ts'
import { createRedactor, type Redactor } from './redact.ts'
import { createSink, type Sink } from './old/output/stream.ts'
import { createSanitizer, joined } from './old/output/text.ts'
import { createProgram } from './commands/program.ts'

// For bin/flagadm.js, which only loads this bundle.
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

const INTERRUPT_MS = 300

/**
 * Resolves shortly after the user interrupts, so that work that cannot be stopped, such as opening a
 * pipe without a writer, does not delay the exit.
 * @param waitForWork waits for work that must end first
 * @param ended aborts when the run ends
 */
async function interruption(
  signal: AbortSignal,
  waitForWork: () => Promise<void> | undefined,
  ended: AbortSignal,
): Promise<void> {
  await once(signal, 'abort', { signal: ended })
  await waitForWork()
  await delay(INTERRUPT_MS, undefined, { signal: ended })
}

/** A run: the command line, where it runs, and what its steps share. */
interface Run {
  argv: readonly string[]
  host: ProcessHost
  redactor: Redactor
  stdout: Sink
  stderr: Sink
  program: ReturnType<typeof createProgram>
  /** The text that commander has written. */
  kept: { out: string; err: string }
  /** Set once an action has started. */
  context?: Context
}

function createRun(argv: readonly string[], host: ProcessHost): Run {
  const redactor = createRedactor()
  redactor.add(host.env.FLAGADM_API_KEY ?? '')
  const stdout = createSink(host.stdout, host.env.TERM)
  const stderr = createSink(host.stderr, host.env.TERM)
  const { kept, output } = keepOutput(stdout, stderr)
  // Called by each action, when the command line has been parsed.
  const openContext = async () => {
    const { createContext } = await import('./old/context.ts')
    current.context = createContext(current, program.opts())
    return current.context
  }
  const program = createProgram(openContext, output)
  const current: Run = { argv, host, redactor, stdout, stderr, program, kept }
  return current
}

/** Writes the help or the version, or throws the error for a command line that commander rejects. */
async function finishParsing(
  { argv, host, redactor, stdout, stderr, program, kept }: Run,
  { code, message, exitCode }: CommanderError,
): Promise<number> {
  if (exitCode !== 0) {
    const { usageError } = await import('./help/usage-error.ts')
    // Mask the message before it is cut, because part of a key would not be recognised.
    const rejection = { code, message: redactor.redact(message) }
    const error = usageError(rejection, program, argv, host.platform)
    if (error) throw error
  }
  const { lines } = createSanitizer(redactor)
  // Help and version go to stdout, the help for an incomplete command to stderr.
  await stdout.write(joined(lines(kept.out), '\n'))
  await stderr.write(joined(lines(kept.err), '\n'))
  return exitCode === 0 ? 0 : exitCodes.usage[0]
}

/** Parses the command line and performs its action. */
async function perform(current: Run): Promise<number> {
  try {
    await current.program.parseAsync(current.argv, { from: 'user' })
    return 0
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    return await finishParsing(current, thrown)
  } finally {
    // An interrupt may have arrived while the event loop was blocked.
    if (current.context) await deliverEvents()
    await current.context?.close()
  }
}

/** The exit code after an interrupt, which may come too late to prevent a change. */
async function interruptedCode({ context }: Run): Promise<number> {
  return exitCodes[(await context?.isCommitted()) ? 'done' : 'interrupted'][0]
}

/**
 * Runs a command line on a host.
 * @returns the exit code; never throws
 */
export async function run(argv: readonly string[], host: ProcessHost): Promise<number> {
  const current = createRun(argv, host)
  const ended = new AbortController()
  const waitForWork = () => current.context?.waitForWork()
  const interrupted = interruption(host.signal, waitForWork, ended.signal)
  try {
    const stopped = interrupted.then(() => interruptedCode(current))
    const code = await Promise.race([perform(current), stopped])
    // An action may end normally after an interrupt.
    return host.signal.aborted ? await interruptedCode(current) : code
  } catch (thrown) {
    // The action has reported what the user needs to know; any other error may only be a result of the interrupt.
    if (host.signal.aborted) return interruptedCode(current)
    const { failureReport } = await import('./old/messages.ts')
    await current.stderr
      .write(failureReport(thrown, { ...current, options: current.program.opts() }))
      .catch(() => {})
    return thrown instanceof FlagadmError ? thrown.exitCode : exitCodes.unexpected[0]
  } finally {
    ended.abort()
  }
}
