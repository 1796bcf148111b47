import * as util from 'node:util'
import type { ChalkInstance } from 'chalk'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Terminal } from '../host.ts'
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
    throw new FlagadmError('usage', 'cannot ask, since standard input has ended', {
      hint: 'give all options or --yes (see --help)',
    })
  }
  const { createQuestions } = await import('./questions.ts')
  return createQuestions(context, terminal)
}

/** A question to ask before something is changed. */
export interface Confirmation {
  question: string
  /** Lines to show above it: masked, printable and ending in a line break, or empty. */
  details?: string
  /** Why it must be asked, for the error without a terminal. */
  reason: string
}

/** The colours for what is shown above a question. */
export async function terminalStyle({ host, options }: Context): Promise<ChalkInstance> {
  const { createStyle, usesColor } = await import('../output/style.ts')
  const isColored = host.terminal && usesColor(options.color, host.terminal.output, host.env)
  return createStyle(isColored === true)
}

/**
 * Asks for confirmation on the terminal.
 * @throws a usage error without a terminal, an `interrupted` error unless the answer is yes
 */
export async function ask(
  context: Context,
  { question, details = '', reason }: Confirmation,
): Promise<void> {
  const { terminal } = context.host
  if (!terminal) {
    throw new FlagadmError('usage', `confirmation required: ${reason}`, {
      hint: 'run the command on a terminal, or use --yes',
    })
  }
  const questions = await openQuestions(context, terminal)
  terminal.output.write(details)
  if (await questions.confirm(question)) return
  throw new FlagadmError('interrupted', 'not confirmed, so nothing was changed', {
    hint: 'answer yes, or use --yes',
  })
}
