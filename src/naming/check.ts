import { illegalReasons, isLegal } from './legal.ts'
import { nearestNames } from './nearest.ts'
import { createMatcher, ruleSource } from './rule.ts'

/** A name that fails, why, and the nearest name that would pass. */
export interface Violation {
  /** Where the name stands among those checked. */
  index: number
  name: string
  /** Each reads after "the name": `is longer than 100 characters`. May quote the name: make it printable. */
  reasons: string[]
  suggestion?: string
}

export interface Checker {
  /** The violations among many names, in their order. The time limit is paid per call: give it thousands at once. */
  check(names: readonly string[]): Violation[]
  /** Adds the nearest passing names to violations, where there are any; at once for all, as it costs several limits. */
  suggest(violations: readonly Pick<Violation, 'name' | 'suggestion'>[]): void
}

/**
 * Checks names against a pattern and against the rules for legal names.
 * @throws FlagadmError when the pattern does not compile
 */
export function createChecker(pattern: string): Checker {
  const matcher = createMatcher(pattern)
  const mismatch = `does not match ${ruleSource(pattern)}`
  const timeout = `could not be matched with ${ruleSource(pattern)} in time`
  return {
    check(names) {
      const violations: Violation[] = []
      const verdicts = matcher.verdicts(names)
      names.forEach((name, index) => {
        const verdict = verdicts[index]
        if (verdict === true && isLegal(name)) return
        const reasons = illegalReasons(name)
        if (verdict !== true) reasons.push(verdict === 'timeout' ? timeout : mismatch)
        violations.push({ index, name, reasons })
      })
      return violations
    },
    suggest(violations) {
      const failing = violations.map(({ name }) => name)
      for (const [i, suggestion] of nearestNames(failing, pattern, matcher).entries()) {
        const violation = violations[i]
        if (violation && suggestion !== undefined) violation.suggestion = suggestion
      }
    },
  }
}
