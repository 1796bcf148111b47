import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type NameOptions, scanNames } from './scan-names.ts'

/**
 * The flags to ask for: from arguments, a list and source code, each once, in that order.
 * @throws a usage error when there are none
 */
export async function usageNames(
  context: Context,
  given: readonly string[],
  options: NameOptions,
): Promise<string[]> {
  const names = new Set(given)
  const { namesFrom } = options
  if (namesFrom !== undefined) {
    for await (const batch of context.inputs.names(namesFrom, '--names-from')) {
      for (const name of batch.names) names.add(name)
    }
  }
  const { uses } = await scanNames(context, options)
  for (const { name } of uses) names.add(name)
  if (names.size > 0) return [...names]
  throw new FlagadmError('usage', 'no flag names given', {
    hint: 'give names, --names-from <file> or --scan <glob>',
  })
}
