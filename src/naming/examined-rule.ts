import type { AST } from '@eslint-community/regexpp'
import { once } from '../service/once.ts'
import type { Budget } from './analysis/budget.ts'
import { type Survey, survey } from './analysis/survey.ts'
import { parsePattern } from './analysis/syntax.ts'
import { createNameMatcher, type NameMatcher, type NamingRule } from './rule.ts'

/** A rule that is examined; its pattern compiles. */
export interface ExaminedRule {
  rule: NamingRule
  pattern: string
  matcher: NameMatcher
  budget: Budget
  /** @throws Undecided if the parser does not know the syntax */
  tree(): AST.Pattern
  /** Examines all legal names, once. @throws Undecided */
  survey(): Promise<Survey<'rule'>>
}

export function examinedRule(rule: NamingRule, pattern: string, budget: Budget): ExaminedRule {
  return {
    rule,
    pattern,
    budget,
    matcher: createNameMatcher(pattern, budget.signal),
    tree: () => parsePattern(pattern),
    survey: once(() => survey({ rule: pattern }, budget)),
  }
}
