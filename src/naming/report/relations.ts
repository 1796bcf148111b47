import type { Relation } from '../diff.ts'

/** What each relation means. */
export const relations: Record<Relation, string> = {
  equal: 'both rules accept the same names',
  narrower: 'the new rule accepts only some of the names that the old one accepts',
  wider: 'the new rule accepts all names that the old one accepts, and more',
  overlapping: 'each rule accepts names that the other one rejects',
  disjoint: 'no name is accepted by both rules',
  undecided: 'how the rules relate could not be decided',
}
