import { enforcedPattern, MAX_RULE_LENGTH } from '../rule.ts'
import { type Budget, orUndecided, Undecided } from './budget.ts'
import { type Survey, survey } from './survey.ts'

/** How the names of a new rule relate to those of the old one: `narrower` and `wider` are proper. */
export type Relation = 'equal' | 'narrower' | 'wider' | 'overlapping' | 'disjoint' | 'undecided'

interface Changes {
  /** Only the new rule accepts these. */
  accepted: readonly string[]
  /** Only the old rule accepts these. */
  rejected: readonly string[]
}

export interface Comparison extends Changes {
  relation: Relation
  reason?: string
}

const noChanges: Changes = { accepted: [], rejected: [] }

function undecided(reason: string, changes = noChanges): Comparison {
  return { relation: 'undecided', reason, ...changes }
}

const onlyNew = { old: false, new: true }
const onlyOld = { old: true, new: false }
const both = { old: true, new: true }

function relationIn({ find }: Survey<'old' | 'new'>): Relation {
  const accepts = find(onlyNew) !== undefined
  const rejects = find(onlyOld) !== undefined
  if (accepts && rejects) return find(both) === undefined ? 'disjoint' : 'overlapping'
  if (accepts) return 'wider'
  return rejects ? 'narrower' : 'equal'
}

/**
 * Compares two patterns on all legal names, as the service enforces them: an empty pattern and one that does not compile
 * accept every name.
 */
export async function relate(from: string, to: string, budget: Budget): Promise<Comparison> {
  const patterns = { old: enforcedPattern(from), new: enforcedPattern(to) }
  if (patterns.old === patterns.new) return { relation: 'equal', ...noChanges }
  if (Math.max(patterns.old.length, patterns.new.length) > MAX_RULE_LENGTH) {
    return undecided('a pattern is too long')
  }
  const surveyed = await orUndecided(() => survey(patterns, budget))
  if (surveyed instanceof Undecided) return undecided(surveyed.message)
  const changes = { accepted: surveyed.examples(onlyNew), rejected: surveyed.examples(onlyOld) }
  const relation = await orUndecided(() => relationIn(surveyed))
  if (relation instanceof Undecided) return undecided(relation.message, changes)
  return { relation, ...changes }
}

export const relationTexts: Record<Relation, string> = {
  equal: 'both rules accept the same names',
  narrower: 'the new rule accepts only some of the names that the old one accepts',
  wider: 'the new rule accepts all names that the old one accepts, and more',
  overlapping: 'each rule accepts names that the other one rejects',
  disjoint: 'no name is accepted by both rules',
  undecided: 'how the rules relate could not be decided',
}
