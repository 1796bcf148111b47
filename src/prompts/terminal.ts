import { setMaxListeners } from 'node:events'
import { Writable } from 'node:stream'
import * as util from 'node:util'
import type { CANCEL_SYMBOL } from '@clack/prompts'
import type { Context } from '../command/context.ts'
import { Declined, failureOf, FlagadmError, refuseUsage } from '../errors.ts'
import type { Terminal } from '../host.ts'
import { capitalized } from '../input/spelling.ts'
import { loadPaint, usesColor } from '../output/color.ts'
import { createWriter, type Line, type Writer } from '../output/text.ts'
import { wrapText } from '../output/width.ts'

const CTRL_D = '\u0004'
const CTRL_Z = '\u001a'

/** What helps to answer: an example, or what Enter answers. */
interface AnswerSupport {
  example?: string
  suggestion?: string | undefined
}

/** Throws a `FlagadmError` for an invalid answer. */
type AnswerCheck = (answer: string) => unknown

const COLOR = /\u001b\[(?:[34]\d|9\d|10\d)m/g

/**
 * The terminal as the library needs it: without colours, because it checks neither `--color` nor, on some
 * versions of Node.js, `NO_COLOR`, and with columns, because it would put each character on a line of its own.
 */
function adapted(output: Terminal['output'], isColored: boolean): Writable {
  const adapter = new Writable({
    write(part, _encoding, done) {
      output.write(isColored ? part : `${part}`.replace(COLOR, ''))
      // At once, because other lines are written directly.
      done()
    },
  })
  return Object.assign(adapter, { columns: output.columns || 80 })
}

/** Discards keys that were typed before a question, so that they do not answer it. */
async function dropTyped({ input }: Terminal): Promise<void> {
  // Otherwise the terminal holds back the keys until Enter.
  input.setRawMode?.(true)
  input.resume()
  // The first turn of the event loop may start after the phase that delivers input.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  input.pause()
}

// The library draws `│  ` before a line.
const FRAME_WIDTH = 3

/** Text in lines that fit into the frame of the library, which wraps none. */
function framedLines(printable: string, { columns }: Terminal['output']): string[] {
  return wrapText(printable, (columns || 80) - FRAME_WIDTH).split('\n')
}

interface Frame {
  out: Writer
  output: Terminal['output']
}

/** Why an answer was refused, printable. */
function refusalText(parts: readonly (string | undefined)[], { out, output }: Frame): string {
  const texts = parts.filter((part) => part !== undefined)
  return texts.flatMap((text) => framedLines(out.printable(text), output)).join('\n')
}

/** The problem with an answer, printable; undefined without one. */
function problemWith(
  answer: string,
  check: AnswerCheck,
  { out, output }: Frame,
): string | undefined {
  try {
    check(answer)
    return undefined
  } catch (error) {
    const { message, hint } = failureOf(error)
    const text = out.printable([message, hint].filter(Boolean).join('; '))
    // The last line of the frame has no line below it.
    return framedLines(text, output).join(`\n${' '.repeat(FRAME_WIDTH)}`)
  }
}

/**
 * Opens the terminal to ask on. The questions throw an `interrupted` error on Ctrl-C.
 * @param required the error without a terminal
 * @throws a usage error without one, if an option has read standard input to its end, or if Node.js is too old
 */
export async function openQuestions(context: Context, required: string, hint: string) {
  const { host, options, out } = context
  const terminal = await host.openTerminal()
  if (!terminal) refuseUsage(required, hint)
  const { input, output } = terminal
  if (!('styleText' in util) || input.readableEnded) {
    const what = 'cannot ask: standard input has ended, or Node.js is older than 20.12'
    refuseUsage(what, 'give all options or --yes (see --help)')
  }
  const library = await import('@clack/prompts')
  const isColored = usesColor(options.color, output, host.env)
  const common = { input, output: adapted(output, isColored), signal: host.interruption }
  // The library listens once more for each question, and Node.js warns of a leak at the eleventh.
  setMaxListeners(0, host.interruption)
  // Otherwise these keys end the input, and then the process ends with exit code 0.
  library.updateSettings({ aliases: { [CTRL_D]: 'cancel', [CTRL_Z]: 'cancel' } })
  const answered = async <Answer>(asking: Promise<Answer | typeof CANCEL_SYMBOL>) => {
    const answer = await asking
    if (!library.isCancel(answer)) return answer
    throw new FlagadmError('interrupted', 'interrupted; nothing was changed')
  }
  const checked = (message: string, check: AnswerCheck) => ({
    ...common,
    message: out.printable(message),
    validate: (answer = '') => problemWith(answer, check, { out, output }),
  })
  return {
    /** Shows lines above the next question. */
    async show(lines: readonly Line[]) {
      const writer = createWriter(output, context.redactor)
      if (isColored) writer.usePaint(await loadPaint())
      writer.lines(lines)
      await writer.flush()
    },
    /** Shows why an answer was refused, above the next question. */
    refuse: (problem: string, hint?: string) =>
      library.log.error(refusalText([problem, hint], { out, output }), common),
    /** Returns what the check makes of the answer. */
    async text<Value>(
      message: string,
      { example, suggestion }: AnswerSupport,
      check: (answer: string) => Value,
    ) {
      const question = {
        ...checked(message, (answer) => check(answer || (suggestion ?? ''))),
        placeholder: out.printable(suggestion ?? `for example ${example}`),
        ...(suggestion !== undefined && { defaultValue: suggestion }),
      }
      return check(await answered(library.text(question)))
    },
    /** Asks for text that is not shown. */
    secret: (message: string, check: AnswerCheck) =>
      answered(library.password(checked(message, check))),
    async confirm(question: string) {
      await dropTyped(terminal)
      const message = out.printable(question)
      return answered(library.confirm({ ...common, message, initialValue: false }))
    },
  }
}

/** A question before a change. */
export interface Confirmation {
  /** An imperative: `update project shop`. */
  what: string
  /** What speaks against it, as a sentence without the full stop, before the question. */
  objection?: string | undefined
  /** Why it must be confirmed, for the error without a terminal: `this removes profile staging`. */
  reason: string
  /** The lines to show above the question. */
  details?: readonly Line[]
}

/**
 * Asks for confirmation on the terminal.
 * @param where where the change is made: `on https://flags.example.com`, `from ~/.config/flagadm/config.yaml`
 * @throws a usage error without a terminal, an `interrupted` error unless the answer is yes
 */
export async function confirm(
  context: Context,
  { what, objection, reason, details = [] }: Confirmation,
  where: string,
): Promise<void> {
  const hint = 'run the command on a terminal, or use --yes'
  const questions = await openQuestions(context, `confirmation required: ${reason}`, hint)
  await questions.show(details)
  const before = objection === undefined ? '' : `${objection}. `
  if (await questions.confirm(`${before}${capitalized(what)} ${where}?`)) return
  throw new Declined()
}
