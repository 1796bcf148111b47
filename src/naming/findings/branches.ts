import type { AST } from '@eslint-community/regexpp'
import { type Finding, finding } from '../finding.ts'
import { maxNameLength } from '../legal.ts'
import { compileFailure } from '../rule.ts'
import { withoutParts } from '../syntax.ts'
import { minus, noSpan, plus, type Span, spanOf, spanOfBranch } from './span.ts'
import type { Subject } from './subject.ts'

interface DeadBranch {
  branch: AST.Alternative
  siblings: readonly AST.Alternative[]
  reason: string
}

/** Why no name can match by way of a part, given the span of a whole match by way of it. */
function deadness({ min, fillable }: Span, isWholeName: boolean): string | undefined {
  if (min > maxNameLength) return `only names over ${maxNameLength} characters`
  return fillable === 0 && isWholeName ? 'only the empty name' : undefined
}

/** Whether a branch of the whole expression plainly matches from the start to the end of a name. */
function isAnchored({ elements }: AST.Alternative): boolean {
  const [first, last] = [elements[0], elements.at(-1)]
  if (first?.type !== 'Assertion' || last?.type !== 'Assertion') return false
  return first.kind === 'start' && last.kind === 'end'
}

function inElement(element: AST.Element, around: Span, isWholeName: boolean): DeadBranch[] {
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return element.alternatives.flatMap((branch) =>
      inBranch(branch, element.alternatives, around, isWholeName),
    )
  }
  if (element.type !== 'Quantifier' || element.max === 0) return []
  const { min, fillable } = spanOf(element.element)
  const otherRounds: Span = {
    min: min * Math.max(element.min - 1, 0),
    fillable: element.max > 1 ? fillable : 0,
  }
  return inElement(element.element, plus(around, otherRounds), isWholeName)
}

/** The outermost dead branches. `around` is what else a match by way of this branch takes. */
function inBranch(
  branch: AST.Alternative,
  siblings: readonly AST.Alternative[],
  around: Span,
  isWholeName: boolean,
): DeadBranch[] {
  const total = plus(around, spanOfBranch(branch))
  const reason = siblings.length > 1 ? deadness(total, isWholeName) : undefined
  if (reason !== undefined) return [{ branch, siblings, reason }]
  return branch.elements.flatMap((element) =>
    inElement(element, minus(total, spanOf(element)), isWholeName),
  )
}

/** Where a branch stands in the pattern, which lacks the anchors of the source. */
function placeOf({ start, end }: AST.Alternative, pattern: string): { start: number; end: number } {
  return { start: Math.max(start - 1, 0), end: Math.min(end - 1, pattern.length) }
}

/** The pattern without dead branches and their bars; undefined when no branch of an alternation would be left. */
function withoutDead(pattern: string, dead: readonly DeadBranch[]): string | undefined {
  const doomed = new Set(dead.map(({ branch }) => branch))
  if (dead.some(({ siblings }) => siblings.every((branch) => doomed.has(branch)))) return undefined
  const parts = dead.map(({ branch, siblings }) => {
    const { start, end } = placeOf(branch, pattern)
    const isBeforeLiving = siblings.slice(0, siblings.indexOf(branch)).every((it) => doomed.has(it))
    return isBeforeLiving ? { start, end: end + 1 } : { start: start - 1, end }
  })
  const rest = withoutParts(pattern, parts)
  return rest !== '' && compileFailure(rest) === undefined ? rest : undefined
}

/** Branches that no legal name can match because of their length. */
export function branchFindings({ pattern, syntax, solver }: Subject): Finding[] {
  const { alternatives } = syntax()
  const dead = solver.run(() =>
    alternatives.flatMap((branch) => inBranch(branch, alternatives, noSpan, isAnchored(branch))),
  )
  const suggestion = withoutDead(pattern, dead)
  return dead.map(({ branch, reason }) => {
    const { start, end } = placeOf(branch, pattern)
    const message = `the branch "${pattern.slice(start, end)}" is dead: it matches ${reason}`
    return finding('too-short-or-long', message, { suggestion })
  })
}
