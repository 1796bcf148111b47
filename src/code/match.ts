import { timed } from '../timed.ts'
import type { Matched } from './lookups/facts.ts'
import { matchError, reasonOf } from './settings.ts'

// For a pattern and a file.
const LIMIT_MS = 2_000

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
