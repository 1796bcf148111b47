import { illegalReasons, isLegal, maxNameLength } from './engine/legal.ts'
import { createNameMatcher, type NameMatch } from './engine/matcher.ts'
import { nearestNames } from './nearest.ts'
import { ruleSource } from './engine/rule.ts'

/** A name that fails, with the reasons and the nearest name that passes. */
export interface Violation {
  /** The index of the name among those checked. */
  index: number
  name: string
  /** Each continues "the name": `is longer than 100 characters`. May quote the name, so make it printable. */
  reasons: readonly string[]
  /** Set if the only problem is that it could not be matched in time. */
  isUndecided?: true
  suggestion?: string
}

export interface Checker {
  /** The violations among names, in their order. */
  check(names: readonly string[]): Promise<Violation[]>
  /** Adds to each violation the nearest name that passes, if there is one. */
  suggest(violations: readonly Pick<Violation, 'name' | 'suggestion'>[]): Promise<void>
}

/**
 * Checks names against a pattern and against the rules for legal names.
 * @param pattern one that compiles: see `compileFailure`
 */
export function createChecker(pattern: string, signal?: AbortSignal): Checker {
  const matcher = createNameMatcher(pattern, signal)
  // One list for all names, because there may be a million of them.
  const mismatch = [`does not match ${ruleSource(pattern)}`]
  const timeout = [`could not be matched with ${ruleSource(pattern)} in time`]

  function faultsOf(
    name: string,
    match: NameMatch | undefined,
  ): Pick<Violation, 'reasons' | 'isUndecided'> {
    const illegal = isLegal(name) ? [] : illegalReasons(name)
    // Names that are too long are not matched, because they fail anyway.
    if (match === true || name.length > maxNameLength) return { reasons: illegal }
    const unmatched = match === 'timeout' ? timeout : mismatch
    if (illegal.length > 0) return { reasons: [...illegal, ...unmatched] }
    return { reasons: unmatched, ...(match === 'timeout' && { isUndecided: true }) }
  }

  return {
    async check(names) {
      const passes = await matcher.fastTest(names.length)
      const suspects: { index: number; name: string }[] = []
      names.forEach((name, index) => {
        if (!passes?.(name)) suspects.push({ index, name })
      })
      // Most names of a list pass, so only the others need verdicts and reasons.
      const matches = await matcher.match(suspects.map(({ name }) => name))
      return suspects
        .map((suspect, i) => ({ ...suspect, ...faultsOf(suspect.name, matches[i]) }))
        .filter(({ reasons }) => reasons.length > 0)
    },
    async suggest(violations) {
      const failing = violations.map(({ name }) => name)
      const suggestions = await nearestNames(failing, pattern, matcher)
      violations.forEach((violation, i) => {
        const suggestion = suggestions[i]
        if (suggestion !== undefined) violation.suggestion = suggestion
      })
    },
  }
}
