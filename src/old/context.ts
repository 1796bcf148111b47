import { setMaxListeners } from 'node:events'
import type { Context as NewContext } from '../context.ts'
import { interrupted } from '../errors.ts'
import { createMessages, type Messages } from './messages.ts'
import { chooseFormat, type FormatChoice } from './output/formats.ts'
import { type Printer, printerOf } from './output/printer.ts'
import { createSink, type Sink, type Write } from './output/stream.ts'

/** The context of a command that is not moved yet. */
export interface Context extends NewContext {
  stdout: Sink
  stderr: Sink
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
   * Makes the change for which the command is run. An interrupt prevents it, or comes too late and does
   * not change the exit code.
   */
  commit(change: () => Promise<void>): Promise<void>
  /**
   * Lets work finish before an interrupt aborts the signal and the run.
   * @param milliseconds how long an interrupt waits at most
   */
  letFinish<Result>(work: Promise<Result>, milliseconds: number): Promise<Result>
}

/** Makes the context of a command that is not moved yet. */
export function openOld(context: NewContext): Context {
  const { host, options, redactor } = context
  const stdout = createSink(host.stdout, host.env.TERM)
  const stderr = createSink(host.stderr, host.env.TERM)
  const pending = new Map<Promise<unknown>, number>()
  const ended = new AbortController()
  // Every request under way adds a listener, and Node.js warns of a leak at the eleventh.
  setMaxListeners(0, ended.signal)
  const end = () => ended.abort()
  const interrupt = async () => {
    if (pending.size > 0) {
      const { promise, resolve } = withTimeout(Math.max(...pending.values()))
      await Promise.race([Promise.allSettled(pending.keys()), promise])
      resolve()
    }
    end()
  }
  host.signal.addEventListener('abort', interrupt)
  context.signal.addEventListener('abort', end)
  const hold = async <Result>(work: Promise<Result>): Promise<Result> => {
    const release = host.holdSignals()
    return work.finally(release)
  }
  return {
    ...context,
    options,
    signal: ended.signal,
    stdout,
    stderr,
    messages: createMessages(stderr, options, printerOf(stderr, options.color, host.env, redactor)),
    printer: printerOf(stdout, options.color, host.env, redactor),
    write: (text) =>
      stdout.write(text).catch((error: unknown) => {
        end()
        throw error
      }),
    async commit(change) {
      if (host.signal.aborted) throw interrupted()
      await hold(change())
      context.isCommitted = true
    },
    letFinish(work, milliseconds) {
      pending.set(work, milliseconds)
      return hold(work).finally(() => pending.delete(work))
    },
    format: (choice) => chooseFormat(options, choice),
  }
}

function withTimeout(milliseconds: number) {
  let resolve = () => {}
  const promise = new Promise<void>((fulfil) => {
    const timer = setTimeout(fulfil, milliseconds)
    resolve = () => clearTimeout(timer)
  })
  return { promise, resolve }
}
