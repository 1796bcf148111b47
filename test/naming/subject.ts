import { createBudget } from '../../src/naming/engine/budget.ts'
import { createSubject, type Subject } from '../../src/naming/engine/subject.ts'

/** A pattern as the lint examines it. */
export function subjectOf(pattern: string): Subject {
  return createSubject({ pattern }, pattern, createBudget(40_000_000))
}
