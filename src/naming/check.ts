import { illegalReasons, maxNameLength } from './engine/legal.ts'
import { createMatcher, type Verdict } from './engine/matcher.ts'
import { nearestNames } from './nearest.ts'
import { ruleSource } from './engine/rule.ts'

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
  /**
   * The violations among names, in their order.
   * @param isPlain whether the names are known to contain only characters of legal names, which saves time
   */
  check(names: readonly string[], isPlain?: boolean): Promise<Violation[]>
  /** Adds to each violation the nearest name that passes, if there is one. */
  suggest(violations: readonly Pick<Violation, 'name' | 'suggestion'>[]): Promise<void>
}

function indexesOf(names: readonly string[], test: (name: string) => boolean): number[] {
  const indexes: number[] = []
  names.forEach((name, index) => {
    if (test(name)) indexes.push(index)
  })
  return indexes
}

/**
 * Checks names against a pattern and against the rules for legal names.
 * @param pattern one that compiles: see `compileFailure`
 */
export function createChecker(pattern: string, signal?: AbortSignal): Checker {
  const matcher = createMatcher(pattern, signal)
  const mismatch = `does not match ${ruleSource(pattern)}`
  const timeout = `could not be matched with ${ruleSource(pattern)} in time`

  function violationOf(
    index: number,
    name: string,
    verdict: Verdict | undefined,
  ): Violation | undefined {
    const reasons = illegalReasons(name)
    // Names that are too long are not matched, since they fail anyway.
    if (verdict !== true && name.length <= maxNameLength) {
      reasons.push(verdict === 'timeout' ? timeout : mismatch)
    }
    return reasons.length === 0 ? undefined : { index, name, reasons }
  }

  return {
    async check(names, isPlain = false) {
      const passes = await matcher.fastTest(names.length, isPlain)
      // Most names of a list pass, so only the others need verdicts and reasons.
      const suspects = indexesOf(names, (name) => !passes?.(name))
      const failing = suspects.map((index) => names[index] ?? '')
      const verdicts = await matcher.verdicts(failing)
      return failing.flatMap((name, i) => violationOf(suspects[i] ?? 0, name, verdicts[i]) ?? [])
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
