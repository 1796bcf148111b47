import { createSubject, type Subject } from '../../src/naming/findings/subject.ts'
import { createDeadline } from '../../src/naming/limit.ts'
import { createSolver } from '../../src/naming/solver.ts'

/** A pattern as the lint examines it. */
export function subjectOf(pattern: string): Subject {
  return createSubject({ pattern }, pattern, createSolver(createDeadline(10_000)))
}
