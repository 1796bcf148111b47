import { type Context, shownLine } from '../context.ts'
import { FlagadmError } from '../errors.ts'

async function firstLine(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += Buffer.from(chunk).toString('utf8')
    if (text.includes('\n')) break
  }
  return text.split('\n', 1)[0] ?? ''
}

/** Whether the user can see a question and answer it. */
export function isInteractive({ host }: Context): boolean {
  return host.canAnswer && host.stderr.isTTY === true
}

/**
 * Asks a question on the terminal.
 * @param reasons lines to show above it
 * @throws an `interrupted` error unless the answer is yes
 */
export async function ask(
  { host, redactor }: Context,
  question: string,
  reasons: readonly string[] = [],
): Promise<void> {
  const lines = [...reasons, `${question} [y/N] `].map((line) => shownLine(line, redactor))
  host.stderr.write(lines.join('\n'), () => {})
  const answer = await firstLine(host.stdin)
  if (/^\s*y(es)?\s*$/i.test(answer)) return
  throw new FlagadmError('interrupted', 'not confirmed, so nothing was sent', {
    hint: 'answer y, or give --yes',
  })
}

/**
 * Has the user confirm on a terminal; elsewhere only warns.
 * @param concerns why to ask; nothing happens if there are none
 */
export async function confirm(context: Context, concerns: readonly string[]): Promise<void> {
  if (concerns.length === 0) return
  if (isInteractive(context)) return ask(context, 'Change the settings?', concerns)
  for (const concern of concerns) context.messages.warn(concern)
}
