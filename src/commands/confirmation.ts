import * as util from 'node:util'
import { type Context, shownLine } from '../context.ts'
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

/**
 * Asks a question on the terminal; without one, the answer is yes.
 * @param reasons lines to show above it
 * @throws an `interrupted` error unless the answer is yes
 */
export async function ask(
  context: Context,
  question: string,
  reasons: readonly string[] = [],
): Promise<void> {
  const { host, redactor } = context
  const { terminal } = host
  if (!terminal) return
  for (const reason of reasons) host.stderr.write(`${shownLine(reason, redactor)}\n`, () => {})
  if (await (await openQuestions(context, terminal)).confirm(question)) return
  throw new FlagadmError('interrupted', 'not confirmed, so nothing was changed', {
    hint: 'answer yes, or use --yes',
  })
}

/**
 * Asks for confirmation on a terminal; elsewhere only warns.
 * @param concerns why to ask; nothing happens if there are none
 * @returns whether the user was asked
 */
export async function confirm(context: Context, concerns: readonly string[]): Promise<boolean> {
  if (concerns.length > 0 && context.host.terminal) {
    await ask(context, 'Change the settings?', concerns)
    return true
  }
  for (const concern of concerns) context.messages.warn(concern)
  return false
}
