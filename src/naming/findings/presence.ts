import { type Finding, finding } from '../finding.ts'
import type { NamingRule } from '../rule.ts'

/** The parts that a rule lacks. For the service an empty part is none. */
export function presenceFindings({ pattern, example, description }: NamingRule): Finding[] {
  const found: Finding[] = []
  if (!pattern) {
    const lonely = [example && 'example', description && 'description'].filter(Boolean)
    if (lonely.length > 0) {
      const message = `the rule has ${lonely.join(' and ')} but no pattern: the service rejects it`
      found.push(finding('missing-pattern', message))
    }
    return found
  }
  const cleared = 'the service clears a stored one when a pattern comes without'
  if (!example) found.push(finding('no-example', `the rule has no example: ${cleared}`))
  if (!description) found.push(finding('no-description', `the rule has no description: ${cleared}`))
  return found
}
