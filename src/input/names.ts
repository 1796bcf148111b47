import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from './files.ts'

/** What names are read from. */
interface Sources {
  inputs: Pick<Inputs, 'names'>
  host: Pick<Host, 'openTerminal'>
  messages: { note(message: string): void }
}

/**
 * Names from arguments and from a list, in that order, each once.
 * @param namesFrom the path of the list, `-` for standard input
 * @throws a usage error for a list without names
 */
export async function givenNames(
  { inputs, host, messages }: Sources,
  given: readonly string[],
  namesFrom: string | undefined,
): Promise<string[]> {
  const names = new Set(given)
  if (namesFrom === undefined) return [...names]
  if (namesFrom === '-' && (await host.openTerminal())) {
    messages.note('reading names from the terminal, one per line; Ctrl-D ends the list')
  }
  for await (const batch of inputs.names(namesFrom, '--names-from')) {
    for (const name of batch.names) names.add(name)
  }
  if (names.size > 0) return [...names]
  const list = namesFrom === '-' ? 'standard input' : namesFrom
  throw new FlagadmError('usage', `no flag names in ${list}`, { hint: 'write one name per line' })
}
