import { type Context, shownLine } from '../context.ts'
import { FlagadmError } from '../errors.ts'

/**
 * Asks a question on the terminal; without one, the answer is yes.
 * @param reasons lines to show above it
 * @throws an `interrupted` error unless the answer is yes
 */
export async function ask(
  { host, redactor }: Context,
  question: string,
  reasons: readonly string[] = [],
): Promise<void> {
  const { terminal } = host
  if (!terminal) return
  for (const reason of reasons) host.stderr.write(`${shownLine(reason, redactor)}\n`, () => {})
  const { createQuestions } = await import('./questions.ts')
  if (await createQuestions(terminal, host.signal).confirm(question)) return
  throw new FlagadmError('interrupted', 'not confirmed, so nothing was changed', {
    hint: 'answer yes, or use --yes',
  })
}

/**
 * Has the user confirm on a terminal; elsewhere only warns.
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
