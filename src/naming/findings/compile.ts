import { type Finding, finding } from '../finding.ts'
import { compileFailure, ruleSource } from '../rule.ts'
import { errorIndex, isNew } from '../syntax.ts'
import { withoutDelimiters } from './delimiters.ts'

function place(pattern: string): string {
  const index = errorIndex(ruleSource(pattern))
  if (index === undefined) return ''
  // The source has an anchor more at each end. The parser stops at the fault or behind it.
  return ` near character ${Math.max(Math.min(index, pattern.length), 1)}`
}

/** At most one finding; with it, nothing else can be said of the pattern. */
export function compileFindings(pattern: string): Finding[] {
  const failure = compileFailure(pattern)
  if (failure === undefined) return []
  const reason = failure.charAt(0).toLowerCase() + failure.slice(1)
  const isTooNew = isNew(ruleSource(pattern))
  const bare = isTooNew ? pattern : withoutDelimiters(pattern)
  const isMended = bare !== '' && bare !== pattern && compileFailure(bare) === undefined
  const [what, consequence] = isTooNew
    ? ['newer than the Node.js here', 'whether the service enforces it depends on its own']
    : ['not a valid regular expression', 'the service would accept it and enforce nothing']
  return [
    finding(
      'no-compile',
      `the pattern is ${what} (${reason}${place(pattern)}): ${consequence}`,
      isMended ? { suggestion: bare } : {},
    ),
  ]
}
