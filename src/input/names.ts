import { refuseUsage } from '../errors.ts'
import { inputName, type Inputs } from './files.ts'

/** Why there is nothing to check in a list, and what to do. @param path `-` for standard input */
export function emptyList(path: string) {
  const why = `no flag names in ${inputName(path)}`
  return { why, remedy: 'write one name per line', isInput: true }
}

/** @throws a usage error for a pattern, where flags, projects and environments have whole names */
export function refusePatterns(names: readonly string[]): void {
  const pattern = names.find((name) => name.includes('*'))
  if (pattern !== undefined) refuseUsage(`'${pattern}' is a pattern`, 'pass whole names')
}

/**
 * Names from arguments and from a list, in that order, each once.
 * @param namesFrom the path of the list, `-` for standard input
 * @param allowEmpty whether a list without names is accepted; undefined for a command without that option
 * @throws a usage error for an empty name, and for a list without names
 */
export async function givenNames(
  { inputs }: { inputs: Inputs },
  argumentNames: readonly string[],
  namesFrom: string | undefined,
  allowEmpty?: boolean,
): Promise<string[]> {
  if (argumentNames.includes('')) {
    refuseUsage('the name of a flag is empty', 'a variable in the command line may be unset')
  }
  const names = new Set(argumentNames)
  if (namesFrom === undefined) return [...names]
  for await (const batch of inputs.names(namesFrom, '--names-from')) {
    for (const name of batch.names) names.add(name)
  }
  if (names.size > 0 || allowEmpty) return [...names]
  const { why, remedy } = emptyList(namesFrom)
  refuseUsage(why, allowEmpty === undefined ? remedy : `${remedy}; --allow-empty accepts that`)
}
