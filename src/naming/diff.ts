import type { Language } from './language.ts'
import { createDeadline, orElse } from './limit.ts'
import { compileFailure, compileRule, ruleSource } from './rule.ts'
import type { Solver } from './solver.ts'

/**
 * How the set of legal names that the new rule accepts relates to that of the old one: `narrower` is a proper
 * subset, `wider` a proper superset.
 */
export type Relation = 'equal' | 'narrower' | 'wider' | 'overlapping' | 'disjoint' | 'undecided'

export interface RuleDiff {
  relation: Relation
  /** Names that only the new rule accepts: some, as examples. */
  newlyAccepted: string[]
  /** Names that only the old rule accepts: some, as examples. */
  newlyRejected: string[]
}

const diffLimit = 4000
const wanted = 3

function relate(solver: Solver, from: Language, to: Language): Relation {
  const addsNone = solver.isEmpty(solver.without(to, from))
  const losesNone = solver.isEmpty(solver.without(from, to))
  if (addsNone) return losesNone ? 'equal' : 'narrower'
  if (losesNone) return 'wider'
  return solver.isEmpty(solver.both(from, to)) ? 'disjoint' : 'overlapping'
}

/** Names that `pattern` accepts and `other` does not. */
function witnesses(solver: Solver, pattern: string, other: string): string[] {
  const [accepting, rejecting] = [compileRule(pattern), compileRule(other)]
  const accept = (name: string) => accepting.test(name) && !rejecting.test(name)
  const [source, otherSource] = [ruleSource(pattern), ruleSource(other)]
  return orElse(
    () =>
      solver.someNames(
        solver.without(solver.names(source), solver.names(otherSource)),
        wanted,
        accept,
      ),
    () =>
      orElse(
        () => solver.someNames(solver.widest(source), wanted, accept),
        () => [],
      ),
  )
}

/** The pattern that the service enforces: none in place of one that does not compile. */
function enforced(pattern: string): string {
  return compileFailure(pattern) === undefined ? pattern : ''
}

/**
 * What changes for legal flag names when one pattern replaces another, with the service's semantics: an empty pattern
 * is no rule, and one that does not compile enforces nothing. Ends within five seconds; `undecided` then may still
 * come with names.
 */
export async function diffRules(from: string, to: string): Promise<RuleDiff> {
  const { createSolver } = await import('./solver.ts')
  const solver = createSolver(createDeadline(diffLimit))
  const before = enforced(from)
  const after = enforced(to)
  const relation = orElse<Relation>(
    () => relate(solver, solver.names(ruleSource(before)), solver.names(ruleSource(after))),
    () => (before === after ? 'equal' : 'undecided'),
  )
  return {
    relation,
    newlyAccepted: witnesses(solver, after, before),
    newlyRejected: witnesses(solver, before, after),
  }
}
