import type { Readable } from 'node:stream'
import { type Context, shownLine } from '../context.ts'
import { FlagadmError } from '../errors.ts'

async function firstLine(input: Readable): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += Buffer.from(chunk).toString('utf8')
    if (text.includes('\n')) break
  }
  return text.split('\n', 1)[0] ?? ''
}

/**
 * Asks a question if there is a terminal.
 * @param reasons lines to show above it
 * @returns whether there is one
 * @throws an `interrupted` error unless the answer is yes
 */
export async function ask(
  { host: { terminal }, redactor }: Context,
  question: string,
  reasons: readonly string[] = [],
): Promise<boolean> {
  if (!terminal) return false
  const lines = [...reasons, `${question} [y/N] `].map((line) => shownLine(line, redactor))
  terminal.output.write(lines.join('\n'))
  const answer = await firstLine(terminal.input)
  if (/^\s*y(es)?\s*$/i.test(answer)) return true
  throw new FlagadmError('interrupted', 'not confirmed, so nothing was changed', {
    hint: 'answer y, or give --yes',
  })
}

/**
 * Has the user confirm on a terminal; elsewhere only warns.
 * @param concerns why to ask; nothing happens if there are none
 */
export async function confirm(context: Context, concerns: readonly string[]): Promise<void> {
  if (concerns.length === 0) return
  if (await ask(context, 'Change the settings?', concerns)) return
  for (const concern of concerns) context.messages.warn(concern)
}
