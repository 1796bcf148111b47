import { FlagadmError } from '../errors.ts'
import { inputName, type Inputs } from './files.ts'

/**
 * Names from arguments and from a list, in that order, each once.
 * @param namesFrom the path of the list, `-` for standard input
 * @throws a usage error for an empty name, and for a list without names
 */
export async function givenNames(
  { inputs }: { inputs: Inputs },
  given: readonly string[],
  namesFrom: string | undefined,
): Promise<string[]> {
  if (given.includes('')) {
    throw new FlagadmError('usage', 'the name of a flag is empty', {
      hint: 'a variable in the command line may be unset',
    })
  }
  const names = new Set(given)
  if (namesFrom === undefined) return [...names]
  for await (const batch of inputs.names(namesFrom, '--names-from')) {
    for (const name of batch.names) names.add(name)
  }
  if (names.size > 0) return [...names]
  const what = `no flag names in ${inputName(namesFrom)}`
  throw new FlagadmError('usage', what, { hint: 'write one name per line' })
}
