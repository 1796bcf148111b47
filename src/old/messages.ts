import type { GlobalOptions } from '../context.ts'
import { errorJson, errorLines, type FlagadmError } from '../errors.ts'
import type { Sink } from './output/stream.ts'
import type { Printer } from './output/printer.ts'
import type { Paint } from './output/style.ts'
import { linesOf, replaced, type Safe, safe } from './output/text.ts'
import { wrapIndented } from './output/width.ts'

/** Messages to the user on stderr, as JSON lines if the output is JSON. */
export interface Messages {
  /** Reports a failure that does not end the run. */
  fail(error: FlagadmError): void
  warn(message: string): void
  note(message: string): void
  debug(message: string): void
}

/** Whether to print errors and messages as JSON. */
function wantsJson({ json, output }: Pick<GlobalOptions, 'json' | 'output'>): boolean {
  return output === undefined ? json === true : output === 'json'
}

/** The lines of a message with its label in colour. */
function messageLines(message: string, { text, style, width }: Printer): Safe[] {
  const paints: Record<string, Paint> = {
    'error:': style.red,
    'warning:': style.yellow,
    'hint:': style.dim,
  }
  const [first = safe``, ...rest] = wrapIndented(text(message), width, 2)
  const painted = replaced(first, /^\w+:/, (label) => paints[label]?.(label) ?? label)
  return [painted, ...rest]
}

/** The text of an error for stderr. */
function errorReport(error: FlagadmError, options: GlobalOptions, printer: Printer): Safe {
  return wantsJson(options)
    ? safe`${printer.json(errorJson(error))}\n`
    : linesOf(errorLines(error).flatMap((line) => messageLines(line, printer)))
}

/** Makes the messages of a run; `--quiet` hides warnings and notes, `--verbose` shows debug messages. */
export function createMessages(stderr: Sink, options: GlobalOptions, printer: Printer): Messages {
  const show = (level: string, message: string) =>
    stderr.show(
      wantsJson(options)
        ? safe`${printer.json({ [level]: { message } })}\n`
        : linesOf(messageLines(`${level}: ${message}`, printer)),
    )
  return {
    fail: (error) => stderr.show(errorReport(error, options, printer)),
    warn: (message) => options.quiet || show('warning', message),
    note: (message) => options.quiet || show('note', message),
    debug: (message) => options.verbose && show('debug', message),
  }
}
