import { type Finding, finding } from '../finding.ts'
import { illegalReasons, isLegal } from '../legal.ts'
import { OutOfReach } from '../limit.ts'
import { nearestNames } from '../nearest.ts'
import { createMatcher, ruleSource } from '../rule.ts'
import type { Subject } from './subject.ts'

const patience = 500

/** Why an example is no legal flag name. What is suggested for an example is another example. */
export function illegalExampleFindings(example: string, suggestion?: string): Finding[] {
  return illegalReasons(example).map((reason) =>
    finding('example-illegal', `the example ${reason}`, { suggestion }),
  )
}

/**
 * What is wrong with an example of a pattern that compiles.
 * @throws OutOfReach when the pattern takes too long
 */
export function exampleFindings({ pattern, rule: { example } }: Subject): Finding[] {
  if (!example) return []
  const matcher = createMatcher(pattern, patience)
  const [verdict] = matcher.verdicts([example])
  if (verdict === 'timeout') throw new OutOfReach('it takes too long')
  if (verdict && isLegal(example)) return []
  const [suggestion] = nearestNames([example], pattern, matcher)
  const illegal = illegalExampleFindings(example, suggestion)
  if (verdict) return illegal
  const message = `the example "${example}" does not match ${ruleSource(pattern)}`
  return [finding('example-mismatch', message, { suggestion }), ...illegal]
}
