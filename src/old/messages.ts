import { errorJson, errorLines, FlagadmError, withParts } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Sink } from './output/stream.ts'
import { type Printer, printerOf } from './output/printer.ts'
import type { ColorChoice, Paint } from './output/style.ts'
import { linesOf, replaced, type Safe, safe } from './output/text.ts'
import { wrapIndented } from './output/width.ts'
import type { Redactor } from '../redact.ts'
import { tokenKind } from '../service/token.ts'
import { commandLine } from '../shell.ts'

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
export function wantsJson({ json, output }: Pick<GlobalOptions, 'json' | 'output'>): boolean {
  return output === undefined ? json === true : output === 'json'
}

/** The lines of a message with its label in colour. */
function messageLines(message: string, { text, style, width }: Printer): Safe[] {
  const paints: Record<string, Paint> = {
    'error:': style.red,
    'warning:': style.yellow,
    'hint:': style.dim,
  }
  // Of a command that is broken into lines, the first alone could be a different one if it is pasted.
  const isWhole = /^hint: did you mean flagadm /.test(message)
  const [first = safe``, ...rest] = isWhole
    ? [text(message)]
    : wrapIndented(text(message), width, 2)
  const painted = replaced(first, /^\w+:/, (label) => paints[label]?.(label) ?? label)
  return [painted, ...rest]
}

/** The text of an error for stderr. */
function errorReport(error: FlagadmError, options: GlobalOptions, printer: Printer): Safe {
  return wantsJson(options)
    ? safe`${printer.json(errorJson(error))}\n`
    : linesOf(errorLines(error).flatMap((line) => messageLines(line, printer)))
}

/** The text of an error that is a mistake in flagadm, with its stack. */
function bugReport(thrown: unknown, printer: Printer): Safe {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  const message = messageLines('error: this is a bug in flagadm, please report it', printer)
  return linesOf([...message, ...printer.lines(stack)])
}

const readingCommand =
  /\bflagadm (?:feature list|project list|project settings get|naming lint(?= --project))/g

/** The error with `-p` in those commands of its hint that read from the service. */
function withProfileInHint(error: FlagadmError, profile: string | undefined): FlagadmError {
  const { hint } = error
  // Some errors occur before the name is checked, and an invalid one may need quotation marks.
  if (hint === undefined || profile === undefined || !/^[\w.-]+$/.test(profile)) return error
  // A whole command line has its own options, and a value may contain such text.
  if (hint.startsWith('did you mean flagadm ')) return error
  const withOption = hint.replace(readingCommand, (command) => `${command} -p ${profile}`)
  return withParts(error, { hint: withOption })
}

const LONG_OPTION = /^(--[\w-]+)=(.*)$/s

/** Whether a word is in the command line several times, so that it is not clear which one is meant. */
function isRepeated(word: string, argv: readonly string[]): boolean {
  const words = argv.flatMap((arg) => [arg, ...(LONG_OPTION.exec(arg)?.slice(1) ?? [])])
  return words.filter((one) => one === word).length > 1
}

/** The error with the corrected command line as its hint, if it has a correction for it. */
function withCorrection(
  error: FlagadmError,
  argv: readonly string[],
  platform: NodeJS.Platform,
): FlagadmError {
  const { correction = new Map<string, string[]>(), addition } = error
  if ([...correction.keys()].some((word) => isRepeated(word, argv))) return error
  const corrected = argv.flatMap((word) => {
    const whole = correction.get(word)
    if (whole) return whole
    const [, option, value = ''] = LONG_OPTION.exec(word) ?? []
    if (option === undefined) return word
    const before = [...(correction.get(option) ?? [])]
    const newOption = before.pop() ?? option
    const [newValue = value, ...after] = correction.get(value) ?? []
    return [...before, `${newOption}=${newValue}`, ...after]
  })
  const words = [...corrected, ...addition]
  if (words.join('\0') === argv.join('\0')) return error
  return withParts(error, { hint: `did you mean ${commandLine(['flagadm', ...words], platform)}?` })
}

/** The parts of a failed run that its report depends on. */
interface FailedRun {
  argv: readonly string[]
  host: Pick<Host, 'env' | 'platform'>
  options: GlobalOptions
  redactor: Redactor
  stderr: Sink
}

/** The text for stderr of what ended a run. */
export function failureReport(
  thrown: unknown,
  { argv, host, options, redactor, stderr }: FailedRun,
): Safe {
  const printer = printerOf(stderr, options.color, host.env, redactor)
  if (!(thrown instanceof FlagadmError)) return bugReport(thrown, printer)
  // A hint must not repeat an API key given by mistake.
  const hasKey = argv.some((word) => tokenKind(word))
  const error = hasKey
    ? thrown
    : withCorrection(withProfileInHint(thrown, options.profile), argv, host.platform)
  return errorReport(error, options, printer)
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
    fail: (error) =>
      stderr.show(errorReport(withProfileInHint(error, options.profile), options, printer)),
    warn: (message) => options.quiet || show('warning', message),
    note: (message) => options.quiet || show('note', message),
    debug: (message) => options.verbose && show('debug', message),
  }
}
