import { FlagadmError } from '../../errors.ts'
import { timed } from '../../timed.ts'
import type { Matched } from './facts.ts'

// For a pattern and a file.
const LIMIT_MS = 2_000

/** The error for a pattern of `--match`. */
function matchError(source: string, what: string, hint: string, cause?: unknown): FlagadmError {
  return new FlagadmError('usage', `--match ${source}: ${what}`, { hint, cause })
}

/** The reason in the engine's message, which repeats the whole pattern before it. */
function reasonOf(cause: unknown): string | undefined {
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

function namesIn({ groups = {}, indices }: RegExpExecArray): Matched[] {
  return (['flag', 'constant'] as const).flatMap((kind) => {
    const [text, offset] = [groups[kind], indices?.groups?.[kind]?.[0]]
    return text && offset !== undefined ? [{ kind, text, offset }] : []
  })
}

/**
 * A function that finds the names and constants in a text that patterns match which `checkMatch` accepts. `^` and `$`
 * match at line ends. It throws a `usage` error when a pattern takes too long for a file.
 */
export function createMatcher(
  patterns: readonly string[],
): (text: string, file: string) => Matched[] {
  const compiled = patterns.map((source) => [source, new RegExp(source, 'dgm')] as const)
  const matched = (text: string, source: string, pattern: RegExp) => {
    try {
      return timed(LIMIT_MS, () => Array.from(text.matchAll(pattern), namesIn).flat())
    } catch (cause) {
      const what = `cannot be matched: ${reasonOf(cause)}`
      throw matchError(source, what, 'simplify the pattern', cause)
    }
  }
  return (text, file) =>
    compiled.flatMap(([source, pattern]) => {
      const names = matched(text, source, pattern)
      if (names) return names
      const hint =
        'avoid repetitions within repetitions, or leave the file out with --scan "!<file>"'
      throw matchError(source, `takes more than ${LIMIT_MS / 1_000} s for ${file}`, hint)
    })
}
