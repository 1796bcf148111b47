import { errorJson, errorLines, type FlagadmError } from './errors.ts'
import type { Sink } from './output/stream.ts'
import type { ColorChoice } from './output/style.ts'
import { linesOf, type Safe, safe, type Sanitizer } from './output/text.ts'

/** The values of the global options. */
export interface GlobalOptions {
  profile?: string | undefined
  baseUrl?: string | undefined
  apiKeyFile?: string | undefined
  config?: string | undefined
  allowHttp?: true | undefined
  timeout?: string | undefined
  retries?: string | undefined
  output?: string | undefined
  json?: true | undefined
  color: ColorChoice | false
  quiet?: true | undefined
  verbose?: true | undefined
}

/** Messages to the user on stderr, as JSON lines if the output is JSON. */
export interface Messages {
  /** Reports a failure that does not end the run. */
  fail(error: FlagadmError): void
  warn(message: string): void
  note(message: string): void
  debug(message: string): void
}

/** Whether to print errors and messages as JSON. */
function wantsJson({ json, output }: GlobalOptions): boolean {
  return output === undefined ? json === true : output === 'json'
}

/** The text of an error for stderr. */
export function errorReport(
  error: FlagadmError,
  options: GlobalOptions,
  { json, text }: Sanitizer,
): Safe {
  return wantsJson(options)
    ? safe`${json(errorJson(error))}\n`
    : linesOf(errorLines(error).map(text))
}

export function createMessages(
  stderr: Sink,
  options: GlobalOptions,
  sanitizer: Sanitizer,
): Messages {
  const show = (level: string, message: string) =>
    stderr.show(
      wantsJson(options)
        ? safe`${sanitizer.json({ [level]: { message } })}\n`
        : linesOf([sanitizer.text(`${level}: ${message}`)]),
    )
  return {
    fail: (error) => stderr.show(errorReport(error, options, sanitizer)),
    warn: (message) => options.quiet || show('warning', message),
    note: (message) => options.quiet || show('note', message),
    debug: (message) => options.verbose && show('debug', message),
  }
}
