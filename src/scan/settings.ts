import { FlagadmError } from '../errors.ts'
import type { Lookup } from './code/lookups.ts'

const SPECIFICATION = /^([^:\s*]+(?:::[^:\s*]+)*)(?::(\w+)|(\.\*))?$/

/** The lookup that a specification describes; undefined for an invalid one. */
export function parseCall(specification: string): { name: string; lookup: Lookup } | undefined {
  const [, path = '', argument, members] = SPECIFICATION.exec(specification) ?? []
  // The function in `client.isOn` or `Flags::on?`.
  const name = path.split(/\.|::|->/).at(-1) ?? ''
  if (!/^[\p{L}_$@][\p{L}\p{N}_$]*[?!]?$/u.test(name)) return undefined
  if (members !== undefined) return { name, lookup: { hasMembers: true } }
  if (argument === undefined) return { name, lookup: { index: 0 } }
  if (!/^\d+$/.test(argument)) return { name, lookup: { key: argument } }
  const index = Number(argument) - 1
  return index < 0 ? undefined : { name, lookup: { index } }
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
 * @throws a `usage` error unless it compiles and has a group named `flag` or `constant`
 */
export function checkMatch(source: string): void {
  const hint = `mark the flag with a group: --match 'flag\\("(?<flag>[^"]+)"'`
  let groups: Record<string, string> | undefined
  try {
    new RegExp(source, 'dgm')
    // The empty branch matches at once, so nothing else is tried, and the match has all groups.
    groups = new RegExp(`|${source}`).exec('')?.groups
  } catch (cause) {
    throw matchError(source, `not a valid regular expression: ${reasonOf(cause)}`, hint, cause)
  }
  if (groups && (Object.hasOwn(groups, 'flag') || Object.hasOwn(groups, 'constant'))) return
  throw matchError(source, 'the pattern has no group named flag or constant', hint)
}
