import { FlagadmError } from '../errors.ts'

const hint = `name the part that is the flag: --match 'flag\\("(?<flag>[^"]+)"'`

function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'dgm')
  } catch (cause) {
    // The engine's message repeats the whole pattern before the reason.
    const reason = String(cause).split(': ').at(-1)
    const message = `--match ${source}: not a valid regular expression: ${reason}`
    throw new FlagadmError('usage', message, { hint, cause })
  }
}

/**
 * An own pattern of `--match`, ready for `findFlagNames`; `^` and `$` match at line ends.
 * @throws a `usage` error unless it compiles and has a group named `flag`
 */
export function compileMatch(source: string): RegExp {
  const pattern = compile(source)
  // With an empty branch beside it the pattern surely matches, and the match tells all its groups.
  const groups = new RegExp(`${source}|`).exec('')?.groups
  if (!groups || !Object.hasOwn(groups, 'flag')) {
    const message = `--match ${source}: the pattern has no group named flag`
    throw new FlagadmError('usage', message, { hint })
  }
  return pattern
}
