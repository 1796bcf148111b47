import { setMaxListeners } from 'node:events'
import { interrupted } from '../errors.ts'
import type { Host } from '../host.ts'
import { createInputs, type Inputs } from '../input/files.ts'
import { createMessages, type GlobalOptions, type Messages } from './messages.ts'
import { chooseFormat, type FormatChoice } from './output/formats.ts'
import { type Printer, printerOf } from './output/printer.ts'
import type { Sink, Write } from './output/stream.ts'
import type { Redactor } from '../redact.ts'

/** The environment of an action: host, options, streams, messages. */
export interface Context {
  host: Host
  stdout: Sink
  stderr: Sink
  /** The command line, without the program. */
  argv: readonly string[]
  options: GlobalOptions
  inputs: Inputs
  redactor: Redactor
  messages: Messages
  /** Makes the text for stdout. */
  printer: Printer
  /** Writes to stdout; returns false once the reader has closed it. */
  write: Write
  /**
   * The requested output format, or the default.
   * @throws a usage error for a format that is not among the choices
   */
  format<Format extends string>(choice: FormatChoice<Format>): Format
  /**
   * Aborts when the run ends, to stop requests under way. On an interrupt, `host.signal` aborts at once, this signal
   * once the work of `letFinish` has ended.
   */
  signal: AbortSignal
  /**
   * Makes the change for which the command is run. An interrupt prevents it, or comes too late and does
   * not change the exit code.
   */
  commit(change: () => Promise<void>): Promise<void>
  /** Whether the change is made, after waiting for one under way. */
  isCommitted(): Promise<boolean>
  /**
   * Lets work finish before an interrupt aborts the signal and the run.
   * @param milliseconds how long an interrupt waits at most
   */
  letFinish<Result>(work: Promise<Result>, milliseconds: number): Promise<Result>
  /** Waits for the work of `letFinish`. */
  waitForWork(): Promise<void>
  /** Registers a function to call at the end of the run. */
  onClose(close: () => unknown): void
  /** Calls the registered functions, the last one first. */
  close(): Promise<void>
}

/** The parts of a run that exist before the command line has been parsed. */
type RunParts = Pick<Context, 'host' | 'argv' | 'redactor' | 'stdout' | 'stderr'>

/** Makes the context of an action, once the command line has been parsed. */
export type OpenContext = () => Promise<Context>

/** Work that an interrupt has to wait for. */
function createPendingWork() {
  const pending = new Map<Promise<unknown>, number>()
  return {
    letFinish<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
      pending.set(work, milliseconds)
      return work.finally(() => pending.delete(work))
    },
    async waitForWork(): Promise<void> {
      if (pending.size === 0) return
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise((fulfil) => {
        timer = setTimeout(fulfil, Math.max(...pending.values()))
      })
      await Promise.race([Promise.allSettled(pending.keys()), timeout])
      clearTimeout(timer)
    },
  }
}

/** Makes the context of an action from the parts of its run and the global options. */
export function createContext(
  { host, argv, redactor, stdout, stderr }: RunParts,
  options: GlobalOptions,
): Context {
  const printer = printerOf(stdout, options.color, host.env, redactor)
  const closers: (() => unknown)[] = []
  const closing = new AbortController()
  // Every request under way adds a listener, and Node.js warns of a leak at the eleventh.
  setMaxListeners(0, closing.signal)
  const end = () => closing.abort()
  let committed = Promise.resolve(false)
  const pendingWork = createPendingWork()
  const interrupt = () => pendingWork.waitForWork().then(end)
  host.signal.addEventListener('abort', interrupt)
  return {
    signal: closing.signal,
    host,
    stdout,
    stderr,
    argv,
    options,
    inputs: createInputs(host),
    redactor,
    messages: createMessages(stderr, options, printerOf(stderr, options.color, host.env, redactor)),
    printer,
    write: (text) =>
      stdout.write(text).catch((error: unknown) => {
        end()
        throw error
      }),
    async commit(change) {
      if (host.signal.aborted) throw interrupted()
      const made = change()
      committed = made.then(
        () => true,
        () => false,
      )
      await made
    },
    isCommitted: () => committed,
    ...pendingWork,
    format: (choice) => chooseFormat(options, choice),
    onClose: (close) => closers.push(close),
    async close() {
      host.signal.removeEventListener('abort', interrupt)
      end()
      for (const close of closers.reverse()) await close()
    },
  }
}
