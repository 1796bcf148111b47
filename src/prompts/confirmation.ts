import * as util from 'node:util'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Terminal } from '../host.ts'
import { loadPaint, usesColor } from '../output/color.ts'
import { createWriter, type Line } from '../output/text.ts'
import type { Questions } from './questions.ts'

/**
 * Loads the module that asks questions on a terminal.
 * @throws a usage error if an option has read standard input to its end, or if Node.js is too old
 */
export async function openQuestions(context: Context, terminal: Terminal): Promise<Questions> {
  if (!('styleText' in util) || terminal.input.readableEnded) {
    const what = 'cannot ask: standard input has ended, or Node.js is older than 20.12'
    throw new FlagadmError('usage', what, { hint: 'give all options or --yes (see --help)' })
  }
  const { createQuestions } = await import('./questions.ts')
  return createQuestions(context, terminal)
}

/** A change to confirm before it is made. */
export interface Change {
  /** An imperative: `update project shop`. */
  what: string
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
  { what, reason, details = [] }: Change,
  where: string,
): Promise<void> {
  const { host, options, redactor } = context
  const terminal = await host.openTerminal()
  if (!terminal) {
    throw new FlagadmError('usage', `confirmation required: ${reason}`, {
      hint: 'run the command on a terminal, or use --yes',
    })
  }
  const questions = await openQuestions(context, terminal)
  const { output } = terminal
  const writer = createWriter(output, redactor)
  if (usesColor(options.color, output, host.env)) writer.usePaint(await loadPaint())
  writer.lines(details)
  await writer.flush()
  const question = `${what} ${where}?`
  if (await questions.confirm(question.replace(/^./, (first) => first.toUpperCase()))) return
  // Of the kind of an interrupt, because the user stops the run.
  throw new FlagadmError('interrupted', 'not confirmed, so nothing was changed', {
    hint: 'answer yes, or use --yes',
  })
}
