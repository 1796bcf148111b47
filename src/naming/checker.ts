import { illegalReasons, isLegalName, maxNameLength } from '../input/flag-names.ts'
import { nearestNames } from './nearest.ts'
import { createNameMatcher, type NameMatch, ruleSource } from './rule.ts'

/** A name that fails, with the reasons and the nearest name that passes. */
export interface Violation {
  /** The index of the name among those checked. */
  index: number
  name: string
  /** Each continues "the name": `is longer than 100 characters`. May quote the name, so make it printable. */
  reasons: readonly string[]
  /** Whether the only problem is that it could not be matched in time. */
  isUndecided: boolean
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
export function createChecker(pattern: string, signal: AbortSignal): Checker {
  const matcher = createNameMatcher(pattern, signal)
  // One list for all names, because there may be a million of them.
  const mismatch = [`does not match ${ruleSource(pattern)}`]
  const timeout = [`could not be matched with ${ruleSource(pattern)} in time`]

  // Without spreading objects, which would take most of the time if a million names fail.
  function violationOf(
    index: number,
    name: string,
    match: NameMatch | undefined,
  ): Violation | undefined {
    const illegal = isLegalName(name) ? [] : illegalReasons(name)
    // Names that are too long are not matched, because they fail anyway.
    if (match === true || name.length > maxNameLength) {
      return illegal.length > 0 ? { index, name, reasons: illegal, isUndecided: false } : undefined
    }
    const unmatched = match === 'timeout' ? timeout : mismatch
    const reasons = illegal.length > 0 ? [...illegal, ...unmatched] : unmatched
    return { index, name, reasons, isUndecided: match === 'timeout' && illegal.length === 0 }
  }

  return {
    async check(names) {
      const matches = await matcher(names)
      return names.flatMap((name, index) => violationOf(index, name, matches[index]) ?? [])
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
