import { setMaxListeners } from 'node:events'
import type { ChalkInstance } from 'chalk'
import { errorJson, errorLines, type FlagadmError, interrupted } from './errors.ts'
import { chooseFormat, type FormatChoice } from './output/formats.ts'
import type { Host } from './host.ts'
import { createInputs, type Inputs } from './input/files.ts'
import type { GlobalOptions } from './commands/options.ts'
import type { Redactor } from './redact.ts'
import { isolate, safeJson, safeText } from './output/escapes.ts'
import { createWriter, terminalSize, type Write } from './output/stream.ts'

/** Messages to the user on stderr, as JSON lines if the output is JSON. */
export interface Messages {
  /** Reports a failure that does not end the run. */
  fail(error: FlagadmError): void
  warn(message: string): void
  note(message: string): void
  debug(message: string): void
}

/** What an action works with. */
export interface Context {
  host: Host
  /** The command line, without the program. */
  argv: readonly string[]
  options: GlobalOptions
  inputs: Inputs
  redactor: Redactor
  messages: Messages
  /** Writes data to stdout; returns false once the reader has closed it. */
  write: Write
  /** Columns of the terminal; undefined if stdout is not a terminal. */
  width: number | undefined
  /** The colours for stdout, loaded on demand. */
  style(): Promise<ChalkInstance>
  /**
   * The requested output format, or the default.
   * @throws a usage error for a format that is not among the choices
   */
  format<Format extends string>(choice: FormatChoice<Format>): Format
  /** Aborts when the user interrupts the run and when it ends, to stop requests under way. */
  signal: AbortSignal
  /**
   * Makes the change for which the command is run. An interrupt prevents it, or comes too late and does
   * not change the exit code.
   */
  commit(change: () => Promise<void>): Promise<void>
  /** Whether the change is made, after waiting for one under way. */
  isCommitted(): Promise<boolean>
  /**
   * Lets work end before an interrupt aborts the signal and the run.
   * @param milliseconds how long an interrupt waits at most
   */
  finish<Result>(work: Promise<Result>, milliseconds: number): Promise<Result>
  /** Waits for the work that an interrupt has to wait for. */
  finished(): Promise<void>
  /** Registers a function to call at the end of the run. */
  onClose(close: () => unknown): void
  /** Calls the registered functions, the last one first. */
  close(): Promise<void>
}

/** Creates the context of an action, after the command line has been parsed. */
export type Start = () => Context

/** Whether to print errors and messages as JSON. */
function wantsJson({ json, output }: GlobalOptions): boolean {
  return output === undefined ? json === true : output === 'json'
}

/** A line of text from outside, masked and printable. */
export function shownLine(line: string, { redact }: Redactor): string {
  return isolate(safeText(redact(line)))
}

function shownJson(document: object, { redactAll }: Redactor): string {
  return safeJson(JSON.stringify(redactAll(document)))
}

/** The text of an error for stderr, without the final line break. */
export function errorReport(
  error: FlagadmError,
  options: GlobalOptions,
  redactor: Redactor,
): string {
  if (wantsJson(options)) return shownJson(errorJson(error), redactor)
  const lines = errorLines(error).map((line) => shownLine(line, redactor))
  return lines.join('\n')
}

function createMessages(host: Host, options: GlobalOptions, redactor: Redactor): Messages {
  const print = (line: string) => host.stderr.write(`${line}\n`, () => {})
  const show = (level: string, message: string) =>
    print(
      wantsJson(options)
        ? shownJson({ [level]: { message } }, redactor)
        : shownLine(`${level}: ${message}`, redactor),
    )
  return {
    fail: (error) => print(errorReport(error, options, redactor)),
    warn: (message) => options.quiet || show('warning', message),
    note: (message) => options.quiet || show('note', message),
    debug: (message) => options.verbose && show('debug', message),
  }
}

/** Work that an interrupt has to wait for. */
function createPatience() {
  const pending = new Map<Promise<unknown>, number>()
  return {
    finish<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
      pending.set(work, milliseconds)
      return work.finally(() => pending.delete(work))
    },
    async finished(): Promise<void> {
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

export function createContext(
  host: Host,
  argv: readonly string[],
  options: GlobalOptions,
  redactor: Redactor,
): Context {
  const closers: (() => unknown)[] = []
  const writeOut = createWriter(host.stdout, redactor)
  const closing = new AbortController()
  // Every request under way adds a listener, and Node.js warns of a leak at the eleventh.
  setMaxListeners(0, closing.signal)
  const end = () => closing.abort()
  let committed = Promise.resolve(false)
  const patience = createPatience()
  const interrupt = () => void patience.finished().then(end)
  host.signal.addEventListener('abort', interrupt)
  return {
    signal: closing.signal,
    host,
    argv,
    options,
    inputs: createInputs(host),
    redactor,
    messages: createMessages(host, options, redactor),
    write: (text) =>
      writeOut(text).catch((error: unknown) => {
        end()
        throw error
      }),
    get width() {
      return host.stdout.isTTY ? terminalSize(host.stdout).columns : undefined
    },
    async style() {
      const { createStyle, usesColor } = await import('./output/style.ts')
      return createStyle(usesColor(options.color, host.stdout, host.env))
    },
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
    ...patience,
    format: (choice) => chooseFormat(options, choice),
    onClose: (close) => closers.push(close),
    async close() {
      host.signal.removeEventListener('abort', interrupt)
      end()
      for (const close of closers.reverse()) await close()
    },
  }
}
