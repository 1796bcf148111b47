import { type Budget, decide, Undecided } from './budget.ts'
import { type Survey, survey } from './language.ts'
import { enforcedPattern, maxRuleLength } from './rule.ts'

/** How the names of a new rule relate to those of the old one: `narrower` and `wider` are proper. */
export type Relation = 'equal' | 'narrower' | 'wider' | 'overlapping' | 'disjoint' | 'undecided'

export interface Comparison {
  relation: Relation
  /** Why the relation is undecided. */
  reason?: string
  /** Names that only the new rule accepts. */
  accepted?: readonly string[] | undefined
  /** Names that only the old rule accepts. */
  rejected?: readonly string[] | undefined
}

function relationIn({ find }: Survey): Relation {
  const accepts = find(false, true) !== undefined
  const rejects = find(true, false) !== undefined
  if (accepts && rejects) return find(true, true) === undefined ? 'disjoint' : 'overlapping'
  return accepts ? 'wider' : rejects ? 'narrower' : 'equal'
}

/**
 * Compares two patterns on all legal names, as the service enforces them: an empty pattern and one that does not compile
 * accept every name.
 */
export async function relate(from: string, to: string, budget: Budget): Promise<Comparison> {
  const patterns = [enforcedPattern(from), enforcedPattern(to)] as const
  if (patterns[0] === patterns[1]) return { relation: 'equal' }
  if (patterns.some(({ length }) => length > maxRuleLength)) {
    return { relation: 'undecided', reason: 'a pattern is too long' }
  }
  const found = await decide(() => survey(patterns, budget))
  if (found instanceof Undecided) return { relation: 'undecided', reason: found.message }
  const relation = await decide(() => relationIn(found))
  return {
    ...(relation instanceof Undecided
      ? { relation: 'undecided', reason: relation.message }
      : { relation }),
    accepted: found.names.get('false,true'),
    rejected: found.names.get('true,false'),
  }
}

/** The meaning of each relation. */
export const relationTexts: Record<Relation, string> = {
  equal: 'both rules accept the same names',
  narrower: 'the new rule accepts only some of the names that the old one accepts',
  wider: 'the new rule accepts all names that the old one accepts, and more',
  overlapping: 'each rule accepts names that the other one rejects',
  disjoint: 'no name is accepted by both rules',
  undecided: 'how the rules relate could not be decided',
}
