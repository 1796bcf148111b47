import { setMaxListeners } from 'node:events'
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { version } from '../../package.json'
import {
  errorJson,
  errorText,
  type FlagadmError,
  withCommand,
  withParts,
  refuseUsage,
} from '../errors.ts'
import type { ProcessHost } from '../host.ts'
import { createInputs, type Inputs } from '../input/files.ts'
import { DEFAULT_CONCURRENCY, DEFAULT_RETRIES, DEFAULT_TIMEOUT } from '../input/values.ts'
import { choice, count } from './options.ts'
import { withService } from './service-options.ts'
import { shellCommand } from '../shell.ts'
import { loadPaint, usesColor } from '../output/color.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { createWriter, type OpenWriter, type Writer } from '../output/text.ts'
import { createRedactor, type Redactor } from '../output/redact.ts'

/** The root command with the global options, accepted before or after the subcommand. */
export function createRoot() {
  const timeout = new Option('--timeout <duration>', 'deadline of one request: 10s, 5m or 2h')
  const concurrency = new Option('--concurrency <n>', 'requests at once').argParser(
    count('--concurrency', 100),
  )
  const color = choice('--color <when>', 'colours', ['auto', 'always', 'never'])
  const retries = new Option('--retries <n>', 'further attempts after a failed one')
  return new Command('flagadm')
    .helpCommand(false)
    .optionsGroup('Connection:')
    .option('-p, --profile <name>', "profile to use; 'sandbox': an embedded service")
    .option('--base-url <url>', 'address of the service')
    .option('--api-key-file <path>', "file containing the API key, '-' for standard input")
    .option('--config <file>', 'configuration file to read instead of searching')
    .option('--allow-http', 'allow plain http to other machines')
    .addOption(timeout.default(undefined, DEFAULT_TIMEOUT))
    .addOption(retries.default(undefined, DEFAULT_RETRIES))
    .addOption(concurrency.default(undefined, `${DEFAULT_CONCURRENCY}`))
    .optionsGroup('Output:')
    .option('-o, --output <format>', 'output format; each command lists its own')
    .option('--json', 'short for --output json; errors become JSON as well')
    .addOption(color.default('auto' as const))
    .option('--no-color', 'short for --color never')
    .option('-q, --quiet', 'print no warnings, notes or progress on stderr')
    .option('-v, --verbose', 'log each request on stderr')
    .version(version, '-V, --version', 'print the version')
    .addHelpOption(new Option('-h, --help', 'print help').helpGroup('Output:'))
}

type RootOptions = ReturnType<ReturnType<typeof createRoot>['opts']>

type GlobalOptions = { [Name in keyof RootOptions]: RootOptions[Name] | undefined } & Pick<
  RootOptions,
  'color'
>

/** A command as the table makes it: without options. */
export type NewCommand = Command<[], Record<never, never>, RootOptions>

/** What the file of a command exports: declares its options, help and action on the command. */
export type Define = (command: NewCommand, context: Context) => unknown

/** The tree of all commands. Their files are loaded when they are found. */
export interface Program {
  root: ReturnType<typeof createRoot>
  /** The command with these words, as far as they are words of commands. */
  find(words: readonly string[]): Promise<CommandUnknownOpts>
  /** The last command that was parsed, for errors. */
  current(): CommandUnknownOpts
}

/** Messages to the user on stderr, as JSON lines if the output is JSON. */
export interface Messages {
  /** Reports a failure that does not end the run. */
  fail(error: FlagadmError): void
  warn(message: string): void
  /** @param command the words of a command to copy, which the message introduces */
  note(message: string, command?: readonly string[]): void
  debug(message: string): void
}

export interface Context {
  host: ProcessHost
  argv: readonly string[]
  options: GlobalOptions
  program: Program
  redactor: Redactor
  inputs: Inputs
  /** stdout: data. */
  out: Writer
  messages: Messages
  progress: Progress
  /** Aborts when the run ends, to stop requests under way; an interrupt is `host.interruption`, or ends the process. */
  closing: AbortSignal
  /** Declares the output formats of a command, the default first. @returns reads the one that the user wants */
  formats<const Format extends string>(
    command: CommandUnknownOpts,
    formats: readonly Format[],
  ): () => Format
  /** The output formats of a command that has been loaded. */
  formatsOf(command: CommandUnknownOpts): readonly string[]
  /** Whether the change for which the command is run was made, so that an interrupt came too late. */
  isCommitted: boolean
  /** Registers a function to call at the end of the run. */
  onClose(close: () => unknown): void
}

/** A context, and what only a run does with it. */
export interface OpenContext extends Context {
  /** @throws a usage error if the user wants a format that a command does not have */
  checkFormat(command: CommandUnknownOpts): void
  out: OpenWriter
  err: OpenWriter
  /** Loads colours, only where there are any. */
  useColors(): Promise<void>
  /** Calls the registered functions, the last one first. */
  close(): Promise<void>
}

function wantsJson({ json, output }: GlobalOptions): boolean {
  return output === undefined ? json === true : output === 'json'
}

function createMessages(options: () => GlobalOptions, err: Writer): Messages {
  const show = (
    level: string,
    style: 'magenta' | 'dim',
    message: string,
    command?: readonly string[],
  ) => {
    if (wantsJson(options())) {
      return err.json({ [level]: { message: withCommand(message, command) } })
    }
    err.line({ [style]: `${level}:` }, ` ${message}`)
    if (command !== undefined) err.line('  ', { copy: shellCommand(command) })
  }
  const hints = new Set<string>()
  /** One message a line, also on a narrow terminal, so that they can be compared. */
  const showDebug = (message: string) => {
    if (wantsJson(options())) return err.json({ debug: { message } })
    err.line({ dim: 'debug:' }, ' ', { copy: message })
  }
  return {
    fail(error) {
      const { hint } = error
      const command = error.command && withService(error.command, options())
      if (wantsJson(options())) return err.json(errorJson(withParts(error, { command })))
      err.line({ red: 'error:' }, ` ${errorText(error)}`)
      const next = withCommand(hint ?? '', command)
      if (hint === undefined || hints.has(next)) return
      hints.add(next)
      const isBelow = hint.endsWith(':')
      err.line({ dim: 'hint:' }, ` ${isBelow ? hint : next}`)
      if (command && isBelow) err.line('  ', { copy: shellCommand(command) })
    },
    warn: (message) => options().quiet || show('warning', 'magenta', message),
    note: (message, command) => options().quiet || show('note', 'dim', message, command),
    debug: (message) => options().verbose && showDebug(message),
  }
}

/**
 * The output format that the user wants, otherwise the first one.
 * @throws a usage error for one that the command does not have
 */
function chooseFormat<Format extends string>(
  { json, output }: GlobalOptions,
  formats: readonly Format[],
): Format {
  if (json && output !== undefined && output !== 'json') {
    refuseUsage(`--json cannot be combined with --output ${output}`, 'leave out --json or --output')
  }
  const wanted = output ?? (json ? 'json' : formats[0])
  const format = formats.find((one) => one === wanted)
  if (format !== undefined) return format
  refuseUsage(
    `this command has no output format '${wanted}'`,
    `choose one of ${formats.join(', ')}`,
  )
}

/**
 * Makes the context of a run.
 * @param createProgram makes the commands, which keep the context for later; it must not read `options` or `program`,
 * which are those of the program that it makes
 */
export function createContext(
  argv: readonly string[],
  host: ProcessHost,
  createProgram: (context: OpenContext) => Program,
): OpenContext {
  const redactor = createRedactor()
  for (const [name, value] of Object.entries(host.env)) {
    if (name.startsWith('FLAGADM_API_KEY')) redactor.add(value ?? '')
  }
  const options = () => context.options
  const progress = createProgress(host, () => options().quiet === true)
  const out = createWriter(host.stdout, redactor, progress.erase)
  const err = createWriter(host.stderr, redactor, progress.erase)
  const closers: (() => unknown)[] = []
  const closing = new AbortController()
  // Every request under way adds a listener, and Node.js warns of a leak at the eleventh.
  setMaxListeners(0, closing.signal)
  const formats = new Map<CommandUnknownOpts, readonly string[]>()
  const messages = createMessages(options, err)
  const context: OpenContext = {
    host,
    argv,
    get options() {
      return program.root.opts()
    },
    get program() {
      return program
    },
    redactor,
    inputs: createInputs(host, messages),
    out,
    err,
    messages,
    progress,
    closing: closing.signal,
    formats(command, known) {
      formats.set(command, known)
      return () => chooseFormat(options(), known)
    },
    formatsOf: (command) => formats.get(command) ?? [],
    checkFormat(command) {
      const commandFormats = formats.get(command)
      if (commandFormats) chooseFormat(options(), commandFormats)
    },
    isCommitted: false,
    onClose: (close) => closers.push(close),
    async useColors() {
      const { color } = options()
      if (usesColor(color, host.stdout, host.env)) out.usePaint(await loadPaint())
      if (usesColor(color, host.stderr, host.env)) err.usePaint(await loadPaint())
    },
    async close() {
      closing.abort()
      for (const close of closers.reverse()) await close()
    },
  }
  const program = createProgram(context)
  return context
}
