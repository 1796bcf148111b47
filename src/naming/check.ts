import { illegalReasons, isLegal, maxNameLength } from './legal.ts'
import { createMatcher } from './matcher.ts'
import { nearestNames } from './nearest.ts'
import { ruleSource } from './rule.ts'

/** A name that fails, with the reasons and the nearest name that passes. */
export interface Violation {
  /** The index of the name among those checked. */
  index: number
  name: string
  /** Each continues "the name": `is longer than 100 characters`. May quote the name, so make it printable. */
  reasons: string[]
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
  const matcher = createMatcher(pattern, signal)
  const mismatch = `does not match ${ruleSource(pattern)}`
  const timeout = `could not be matched with ${ruleSource(pattern)} in time`
  return {
    async check(names) {
      const violations: Violation[] = []
      const verdicts = await matcher.verdicts(names)
      for (const [index, name] of names.entries()) {
        const verdict = verdicts[index]
        if (verdict === true && isLegal(name)) continue
        const reasons = illegalReasons(name)
        // Names that are too long are not matched, since they fail anyway.
        if (verdict !== true && name.length <= maxNameLength) {
          reasons.push(verdict === 'timeout' ? timeout : mismatch)
        }
        violations.push({ index, name, reasons })
      }
      return violations
    },
    async suggest(violations) {
      const failing = violations.map(({ name }) => name)
      const suggestions = await nearestNames(failing, pattern, matcher)
      for (const [i, suggestion] of suggestions.entries()) {
        const violation = violations[i]
        if (violation && suggestion !== undefined) violation.suggestion = suggestion
      }
    },
  }
}
