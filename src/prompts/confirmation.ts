import * as util from 'node:util'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Terminal } from '../host.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import { createSink } from '../output/stream.ts'
import { usesColor } from '../output/style.ts'
import type { Safe } from '../output/text.ts'
import type { Questions } from './questions.ts'

/**
 * Loads the module that asks questions on a terminal.
 * @throws a usage error if an option has read standard input to its end, or if Node.js is too old
 */
export async function openQuestions(context: Context, terminal: Terminal): Promise<Questions> {
  if (!('styleText' in util)) {
    throw new FlagadmError('usage', 'questions on a terminal require Node.js 20.12', {
      hint: 'give all options or --yes (see --help), or update Node.js',
    })
  }
  if (terminal.input.readableEnded) {
    throw new FlagadmError('usage', 'cannot ask, because standard input has ended', {
      hint: 'give all options or --yes (see --help)',
    })
  }
  const { createQuestions } = await import('./questions.ts')
  return createQuestions(context, terminal)
}

/** A change to confirm before it is made. */
export interface Change {
  /** An imperative: `update project shop`. */
  what: string
  /** Why it must be confirmed, for the error without a terminal. */
  reason: string
  /** Lines to show above the question. */
  details?: Safe
}

/** Makes the text that is shown above a question. */
export function terminalPrinter({ host, options, redactor }: Context): Printer {
  return createPrinter(redactor, { colored: usesColor(options.color, true, host.env) })
}

/**
 * Asks for confirmation on the terminal.
 * @param target where the change is made: `on https://flags.example.com`
 * @throws a usage error without a terminal, an `interrupted` error unless the answer is yes
 */
export async function confirm(
  context: Context,
  { what, reason, details }: Change,
  target: string,
): Promise<void> {
  const { terminal } = context.host
  if (!terminal) {
    throw new FlagadmError('usage', `confirmation required: ${reason}`, {
      hint: 'run the command on a terminal, or use --yes',
    })
  }
  const questions = await openQuestions(context, terminal)
  if (details) createSink(terminal.output).show(details)
  const question = `${what} ${target}?`
  if (await questions.confirm(question.replace(/^./, (first) => first.toUpperCase()))) return
  throw new FlagadmError('interrupted', 'not confirmed, so nothing was changed', {
    hint: 'answer yes, or use --yes',
  })
}
