import { FlagadmError } from '../errors.ts'
import type { Lookup } from './lookups/sdks.ts'

const SPECIFICATION = /^([^:\s*]+(?:::[^:\s*]+)*)(?::(\w+)|(\.\*))?$/

/**
 * The lookup that a function of `--call` describes.
 * @param from where it comes from, for errors
 * @throws a `usage` error for an invalid one
 */
export function parseCall(
  specification: string,
  from = '--call',
): { name: string; lookup: Lookup } {
  const [, path = '', argument, members] = SPECIFICATION.exec(specification) ?? []
  // The function in `client.isOn` or `Flags::on?`.
  const [name = '', receiver] = path.split(/\.|::|->/).reverse()
  if (!/^[\p{L}_$@][\p{L}\p{N}_$]*[?!]?$/u.test(name) || /^0+$/.test(argument ?? '')) {
    throw new FlagadmError('usage', `${from}: invalid function '${specification}'`, {
      hint: 'use the name as in the code: isOn, or isOn:2 or isOn:key for another argument',
    })
  }
  if (members !== undefined) return { name, lookup: { hasMembers: true } }
  const owner = receiver === undefined ? {} : { owner: receiver }
  if (argument === undefined) return { name, lookup: { index: 0, isDefault: true, ...owner } }
  const isPosition = /^\d+$/.test(argument)
  const place = isPosition ? { index: Number(argument) - 1 } : { key: argument }
  return { name, lookup: { ...place, ...owner } }
}

/** The error for a pattern of `--match`. */
export function matchError(
  source: string,
  what: string,
  hint: string,
  cause?: unknown,
): FlagadmError {
  return new FlagadmError('usage', `--match ${source}: ${what}`, { hint, cause })
}

/** The reason in the engine's message, which repeats the whole pattern before it. */
export function reasonOf(cause: unknown): string | undefined {
  return String(cause).split(': ').at(-1)
}

/**
 * Checks a pattern of `--match`.
 * @param from where it comes from, for errors
 * @throws a `usage` error unless it compiles and has a group named `flag` or `constant`
 */
export function checkMatch(source: string, from = '--match'): void {
  const hint = `mark the flag with a group: --match 'flag\\("(?<flag>[^"]+)"'`
  let groups: Record<string, string> | undefined
  try {
    new RegExp(source, 'dgm')
    // The empty branch matches at once, so nothing else is tried, and the match has all groups.
    groups = new RegExp(`|${source}`).exec('')?.groups
  } catch (cause) {
    const what = `${from} ${source}: not a valid regular expression: ${reasonOf(cause)}`
    throw new FlagadmError('usage', what, { hint, cause })
  }
  if (groups && (Object.hasOwn(groups, 'flag') || Object.hasOwn(groups, 'constant'))) return
  const what = `${from} ${source}: the pattern has no group named flag or constant`
  throw new FlagadmError('usage', what, { hint })
}
