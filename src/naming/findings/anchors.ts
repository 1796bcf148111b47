import { type Finding, finding } from '../finding.ts'
import { isLegal } from '../legal.ts'
import { compileFailure, compileRule, ruleSource } from '../rule.ts'
import { outerAnchors, withoutParts } from '../syntax.ts'
import type { Subject } from './subject.ts'

/** The anchors around the branches that are the author's own. */
function ownAnchors({ syntax, source }: Subject): { start: number; end: number }[] {
  return syntax()
    .alternatives.flatMap((branch) => [
      ...outerAnchors(branch, 'start'),
      ...outerAnchors(branch, 'end'),
    ])
    .filter(({ start, end }) => start > 0 && end < source.length)
}

/** The pattern without the anchors around its branches, and several branches in one group, which binds them together. */
function regrouped(subject: Subject): string {
  const bare = withoutParts(subject.source, ownAnchors(subject)).slice(1, -1)
  return subject.syntax().alternatives.length > 1 ? `(?:${bare})` : bare
}

/** A name that slips through and is easy to understand: that of a branch, and more before or after it. */
function plainSlip({ solver, syntax, source }: Subject, group: string): string | undefined {
  const branches = syntax().alternatives
  const samples = [...branches.slice(-1), ...branches.slice(0, 2)].flatMap(
    ({ raw }) => solver.sample(`^(?:${raw})$`) ?? [],
  )
  const candidates = samples.flatMap((name) => [`zzz-${name}`, `${name}-zzz`, `zzz-${name}-zzz`])
  const actual = new RegExp(source)
  const intended = compileRule(group)
  return solver.run(() =>
    candidates.find((name) => isLegal(name) && actual.test(name) && !intended.test(name)),
  )
}

/** A name that passes only because the anchors bind to the outer branches alone. */
function slip(subject: Subject, group: string): string | undefined {
  const { solver, source } = subject
  const plain = plainSlip(subject, group)
  if (plain !== undefined) return plain
  const slipping = solver.without(solver.names(source), solver.names(ruleSource(group)))
  return solver.isEmpty(slipping) ? undefined : solver.someNames(slipping, 1)[0]
}

/** What the anchors of the service do to the pattern's own anchors and branches. */
export function anchorFindings(subject: Subject): Finding[] {
  const group = regrouped(subject)
  // A pattern that ends in a backslash cannot be put into a group.
  if (compileFailure(group) !== undefined) return []
  const suggestion = group === '' ? undefined : group
  if (subject.syntax().alternatives.length > 1) {
    const witness = slip(subject, group)
    if (witness !== undefined) {
      const message = `^ and $ bind only to the outer branches: "${witness}" passes`
      return [finding('loose-alternation', message, { suggestion, witness })]
    }
  }
  if (ownAnchors(subject).length === 0) return []
  return [finding('redundant-anchor', 'the service adds ^ and $ itself', { suggestion })]
}
