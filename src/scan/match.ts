import { FlagadmError } from '../errors.ts'

const hint = `name the part that is the flag: --match 'flag\\("(?<flag>[^"]+)"'`

function refusal(source: string, cause: unknown): FlagadmError {
  // The engine's message repeats the whole pattern before the reason.
  const reason = String(cause).split(': ').at(-1)
  const message = `--match ${source}: not a valid regular expression: ${reason}`
  return new FlagadmError('usage', message, { hint, cause })
}

function groupsOf(source: string): Record<string, string> | undefined {
  try {
    new RegExp(source, 'dgm')
    // The empty branch matches at once, so nothing else is tried, and the match has all groups.
    return new RegExp(`|${source}`).exec('')?.groups
  } catch (cause) {
    throw refusal(source, cause)
  }
}

/**
 * Checks a pattern of `--match`.
 * @throws a `usage` error unless it compiles and has a group named `flag`
 */
export function checkMatch(source: string): void {
  const groups = groupsOf(source)
  if (groups && Object.hasOwn(groups, 'flag')) return
  const message = `--match ${source}: the pattern has no group named flag`
  throw new FlagadmError('usage', message, { hint })
}
