import { type Finding, finding } from '../finding.ts'
import type { Language } from '../language.ts'
import { orElse } from '../limit.ts'
import { compileFailure, ruleSource } from '../rule.ts'
import type { Solver } from '../solver.ts'
import type { Subject } from './subject.ts'

// The service looks for these in the text of the pattern, also where a backslash is itself escaped. It lets other
// whitespace pass, but no name can hold it.
const whitespace = / |\\[tsnrfv]|\s/
// An escaped backslash, which stays, or whitespace with what makes it optional.
const removable = /\\\\|(?:\\[tsnrfv]|\s)(?:[*?]\??)?/g

function isSame(solver: Solver, left: Language, right: Language): boolean {
  return solver.isEmpty(solver.without(left, right)) && solver.isEmpty(solver.without(right, left))
}

/** The pattern without its whitespace, if that is all that changes: legal names hold none. */
function corrected(pattern: string, solver: Solver): string | undefined {
  const trimmed = pattern.trim()
  if (trimmed === '' || compileFailure(trimmed) !== undefined) return undefined
  if (!whitespace.test(trimmed)) return trimmed
  const bare = trimmed
    .replaceAll('[^\\s]', '\\S')
    .replace(removable, (text) => (text === '\\\\' ? text : ''))
  if (bare === '' || whitespace.test(bare) || compileFailure(bare) !== undefined) return undefined
  const before = solver.names(ruleSource(trimmed))
  const after = solver.names(ruleSource(bare))
  return !solver.isEmpty(after) && isSame(solver, before, after) ? bare : undefined
}

export function whitespaceFindings({ pattern, solver }: Subject): Finding[] {
  const found = whitespace.exec(pattern)
  if (!found) return []
  const [text] = found
  const what = text === ' ' ? 'a space' : text.startsWith('\\') ? text : 'a line break or tab'
  const message = `the pattern holds ${what} at character ${found.index + 1}: the service rejects whitespace`
  const suggestion = orElse(
    () => corrected(pattern, solver),
    () => undefined,
  )
  return [finding('whitespace', message, { suggestion })]
}
