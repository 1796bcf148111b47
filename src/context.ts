import { setMaxListeners } from 'node:events'
import type { ChalkInstance } from 'chalk'
import { errorJson, errorLines, FlagadmError } from './errors.ts'
import type { Host } from './host.ts'
import { createInputs, type Inputs } from './input/files.ts'
import type { GlobalOptions } from './options.ts'
import type { Redactor } from './redact.ts'
import { terminalSize } from './output/terminal.ts'
import { isolate, safeJson, safeText } from './output/text.ts'
import { createWriter, type Write } from './output/writer.ts'

/** Messages to the user, on stderr. As JSON lines when JSON was asked for. */
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
  /** Writes data to stdout; returns whether anyone still reads it. */
  write: Write
  /** Columns of the terminal; undefined when stdout is none. */
  width: number | undefined
  /** The chalk for stdout, loaded when it is needed. */
  style(): Promise<ChalkInstance>
  /**
   * The requested output format, the first one by default.
   * @param option the option that limits the formats, if not the command does
   * @throws a usage error for any other format
   */
  format<Format extends string>(formats: readonly [Format, ...Format[]], option?: string): Format
  /** Aborts when the user interrupts and when the run ends: whatever is under way then is not wanted. */
  signal: AbortSignal
  /** Registers what must be closed at the end of the run. */
  onClose(close: () => unknown): void
  /** Ends what is still open. */
  close(): Promise<void>
}

/** Begins the work of an action, once the command line is read. */
export type Start = () => Context

/** Whether errors and messages are wanted as JSON. */
export function wantsJson({ json, output }: GlobalOptions): boolean {
  return output === undefined ? json === true : output === 'json'
}

/** A line of text from outside, masked and printable, as people read it. */
export function shownLine(line: string, { redact }: Redactor): string {
  return isolate(safeText(redact(line)))
}

function shownJson(document: object, { redactAll }: Redactor): string {
  return safeJson(JSON.stringify(redactAll(document)))
}

/** The text of an error as it goes to stderr, without the last line break. */
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
  const say = (level: string, message: string) =>
    print(
      wantsJson(options)
        ? shownJson({ [level]: { message } }, redactor)
        : shownLine(`${level}: ${message}`, redactor),
    )
  return {
    fail: (error) => print(errorReport(error, options, redactor)),
    warn: (message) => options.quiet || say('warning', message),
    note: (message) => options.quiet || say('note', message),
    debug: (message) => options.verbose && say('debug', message),
  }
}

function chooseFormat<Format extends string>(
  { json, output }: GlobalOptions,
  formats: readonly [Format, ...Format[]],
  option: string | undefined,
): Format {
  const asked = output ?? (json ? 'json' : formats[0])
  const format = formats.find((known) => known === asked)
  if (format !== undefined) return format
  if (option !== undefined) {
    const valid = [formats.slice(0, -1).join(', '), formats.at(-1)].filter(Boolean).join(' or ')
    throw new FlagadmError('usage', `${asked} cannot be combined with ${option} (use ${valid})`)
  }
  throw new FlagadmError('usage', `this command has no output format '${asked}'`, {
    hint: `choose one of ${formats.join(', ')}`,
  })
}

/** A context for one run. */
export function createContext(
  host: Host,
  argv: readonly string[],
  options: GlobalOptions,
  redactor: Redactor,
): Context {
  const closers: (() => unknown)[] = []
  const writeOut = createWriter(host.stdout, redactor)
  const ending = new AbortController()
  // Each request under way listens: from the eleventh on Node would warn of a leak.
  setMaxListeners(0, ending.signal)
  const end = () => ending.abort()
  host.signal.addEventListener('abort', end)
  return {
    signal: ending.signal,
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
      const choice = options.color === false ? 'never' : options.color
      return createStyle(usesColor(choice, host.stdout, host.env))
    },
    format: (formats, option) => chooseFormat(options, formats, option),
    onClose: (close) => closers.push(close),
    async close() {
      host.signal.removeEventListener('abort', end)
      end()
      for (const close of closers.reverse()) await close()
    },
  }
}
