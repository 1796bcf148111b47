import { UndecidedError, tooLong } from '../engine/budget.ts'
import { type Finding, finding } from '../finding.ts'
import { illegalReasons, isLegalName, maxNameLength } from '../../input/flag-names.ts'
import { nearestNames } from '../nearest.ts'
import { type NamingRule, ruleSource } from '../engine/rule.ts'
import type { ExaminedRule } from '../engine/examined-rule.ts'

/** The missing parts of a rule. The service treats an empty part as missing. */
export function presenceFindings({ pattern, example, description }: NamingRule): Finding[] {
  const found: Finding[] = []
  if (!pattern) {
    const present = [example && 'an example', description && 'a description'].filter(Boolean)
    if (present.length > 0) {
      const message = `the rule has ${present.join(' and ')} but no pattern: the service rejects it`
      found.push(finding('missing-pattern', message))
    }
    return found
  }
  const cleared = 'project settings set keeps the stored one, but other clients clear it'
  if (!example) found.push(finding('no-example', `the rule has no example: ${cleared}`))
  if (!description) found.push(finding('no-description', `the rule has no description: ${cleared}`))
  return found
}

/** Why an example is not a legal flag name. The suggestion is another example. */
export function illegalExampleFindings(example = '', suggestion?: string): Finding[] {
  const reasons = example === '' ? [] : illegalReasons(example)
  return reasons.map((reason) =>
    finding('example-illegal', `the example ${reason}`, { suggestion }),
  )
}

/**
 * Finds problems of an example of a pattern that compiles.
 * @throws UndecidedError when the pattern takes too long
 */
export async function exampleFindings(examined: ExaminedRule): Promise<Finding[]> {
  const { pattern, rule } = examined
  const { example } = rule
  if (!example) return []
  const matcher = examined.matcher()
  const [verdict] = await matcher.match([example])
  if (verdict === 'timeout') throw new UndecidedError(tooLong)
  if (verdict && isLegalName(example)) return []
  const [suggestion] = await nearestNames([example], pattern, matcher)
  const illegal = illegalExampleFindings(example, suggestion)
  // Names that are too long are not matched.
  if (verdict || example.length > maxNameLength) return illegal
  const message = `the example "${example}" does not match ${ruleSource(pattern)}`
  return [finding('example-mismatch', message, { suggestion }), ...illegal]
}
