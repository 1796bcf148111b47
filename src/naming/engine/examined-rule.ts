import type { Budget } from './budget.ts'
import { type Comparison, compare } from './comparison.ts'
import type { SyntaxTree } from './elements.ts'
import { createNameMatcher, type NameMatcher } from './matcher.ts'
import { type NamingRule, ruleSource } from './rule.ts'
import { parseSource } from './syntax.ts'

/** A rule that is examined, and its pattern. */
export interface ExaminedRule {
  rule: NamingRule
  pattern: string
  /** The regular expression that the service builds from the pattern. */
  source: string
  /** Its syntax tree. @throws UndecidedError when it is nested too deeply */
  syntax(): SyntaxTree
  /** The verdicts of the pattern on all legal names. */
  comparison(): Promise<Comparison>
  /** Matches names with the pattern, which must compile. */
  matcher(): NameMatcher
  budget: Budget
}

/** A function that makes a value when it is first called. */
function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** Prepares the examination of a rule: each part is made when it is first needed. */
export function createExaminedRule(
  rule: NamingRule,
  pattern: string,
  budget: Budget,
): ExaminedRule {
  const source = ruleSource(pattern)
  return {
    rule,
    pattern,
    source,
    syntax: once(() => parseSource(source)),
    comparison: once(() => compare([pattern], budget)),
    matcher: once(() => createNameMatcher(pattern, budget.signal)),
    budget,
  }
}
