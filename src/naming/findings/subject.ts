import type { AST } from '@eslint-community/regexpp'
import { type NamingRule, ruleSource } from '../rule.ts'
import type { Solver } from '../solver.ts'
import { parseSource } from '../syntax.ts'

/** A rule under examination, which has a pattern. */
export interface Subject {
  rule: NamingRule
  pattern: string
  /** The regular expression that the service makes of the pattern. */
  source: string
  /** Its syntax tree. @throws OutOfReach when it is nested too deeply */
  syntax(): AST.Pattern
  solver: Solver
}

export function createSubject(rule: NamingRule, pattern: string, solver: Solver): Subject {
  const source = ruleSource(pattern)
  let syntax: AST.Pattern | undefined
  return {
    rule,
    pattern,
    source,
    syntax() {
      syntax ??= solver.run(() => parseSource(source))
      return syntax
    },
    solver,
  }
}
