import type { ChalkInstance } from 'chalk'
import type { Relation } from '../naming/diff.ts'
import { isolate, safeText } from './text.ts'

/** Names that change sides: examples of legal names, and the existing ones. */
export interface Change {
  witnesses: string[]
  names: string[]
}

/** What changes when one rule replaces another. */
export interface NamingDiff {
  relation: Relation
  newlyAccepted: Change
  newlyRejected: Change
}

const relations: Record<Relation, string> = {
  equal: 'both rules accept the same names',
  narrower: 'the new rule accepts only a part of the names that the old one accepts',
  wider: 'the new rule accepts all names that the old one accepts, and more',
  overlapping: 'each rule accepts names that the other one rejects',
  disjoint: 'no name is accepted by both rules',
  undecided: 'how the rules relate cannot be decided',
}

function changeLines(title: string, { witnesses, names }: Change): string[] {
  const list = (texts: readonly string[]) => texts.map(safeText).join('  ')
  return [
    ...(witnesses.length > 0 ? [`${title}, for example  ${list(witnesses)}`] : []),
    ...(names.length > 0 ? [`${title}, existing  ${list(names)}`] : []),
  ]
}

/** The difference for people. */
export function diffText(diff: NamingDiff, style: ChalkInstance): string {
  const lines = [
    `${style.bold(diff.relation)}: ${relations[diff.relation]}`,
    ...changeLines(style.green('newly accepted'), diff.newlyAccepted),
    ...changeLines(style.red('newly rejected'), diff.newlyRejected),
  ]
  return isolate(`${lines.join('\n')}\n`)
}
