import { createBudget } from '../../src/naming/engine/budget.ts'
import { createExaminedRule, type ExaminedRule } from '../../src/naming/engine/examined-rule.ts'

const { signal } = new AbortController()

/** A pattern as the lint examines it. */
export function examinedRule(pattern: string): ExaminedRule {
  return createExaminedRule({ pattern }, pattern, createBudget(40_000_000, signal))
}
