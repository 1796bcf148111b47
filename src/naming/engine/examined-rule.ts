import type { Budget } from './budget.ts'
import { type Comparison, compare } from './comparison.ts'
import { createNameMatcher, type NameMatcher } from './matcher.ts'
import { type NamingRule, ruleSource } from './rule.ts'
import { parseSource } from './syntax.ts'
import type { SyntaxTree } from './elements.ts'

/** A rule that is examined, and its pattern. */
export interface ExaminedRule {
  rule: NamingRule
  pattern: string
  /** The regular expression that the service builds from the pattern. */
  source: string
  /** Its syntax tree. @throws UndecidedError when it is nested too deeply */
  syntax(): SyntaxTree
  /** Compares the rule, as the first expression, with other patterns. */
  compare(...patterns: string[]): Promise<Comparison>
  /** Matches names with the pattern, which must compile. */
  matcher(): NameMatcher
  budget: Budget
}

/** @param signal stops the matcher when it aborts; the budget has its own */
export function createExaminedRule(
  rule: NamingRule,
  pattern: string,
  budget: Budget,
  signal?: AbortSignal,
): ExaminedRule {
  const source = ruleSource(pattern)
  const comparisons = new Map<string, Promise<Comparison>>()
  let syntax: SyntaxTree | undefined
  let matcher: NameMatcher | undefined
  const examined: ExaminedRule = {
    rule,
    pattern,
    source,
    syntax() {
      syntax ??= parseSource(source)
      return syntax
    },
    async compare(...patterns) {
      const key = patterns.join('\n')
      const others = patterns.map((other) => parseSource(ruleSource(other)))
      const comparison = comparisons.get(key) ?? compare([examined.syntax(), ...others], budget)
      comparisons.set(key, comparison)
      return comparison
    },
    matcher() {
      matcher ??= createNameMatcher(pattern, signal)
      return matcher
    },
    budget,
  }
  return examined
}
