import { type FindingCode, findingKinds } from '../../../src/naming/finding-kinds.ts'
import type { NamingRule } from '../../../src/naming/rule.ts'
import { patterns } from '../../naming/patterns.ts'
import type { Expected } from './target.ts'

interface RuleCase {
  rule: NamingRule & { pattern: string }
  /** The errors for which flagadm refuses to send the rule. */
  errors: readonly FindingCode[]
  /** The response of the target if the rule is sent anyway. */
  expected: Expected<{ status: number }>
}

const accepted = { status: 200 }
const rejected = { status: 400 }

// The service rejects these texts; flagadm refuses all whitespace, because no name can contain it.
const rejectedText = / |\\[tsnrfv]/

const patternsAlone = patterns.map(([pattern, ...codes]): RuleCase => {
  return {
    rule: { pattern },
    errors: codes.filter((code) => findingKinds[code].severity === 'error'),
    expected: rejectedText.test(pattern) ? rejected : accepted,
  }
})

const withExamples: readonly RuleCase[] = [
  { rule: { pattern: 'feat-[a-z]+', example: 'feat-a' }, errors: [], expected: accepted },
  {
    rule: { pattern: 'feat-[a-z]+', example: 'Feat-a' },
    errors: ['example-mismatch'],
    expected: rejected,
  },
  {
    rule: { pattern: 'feat-.*|fix-.*', example: 'zzz-fix-a' },
    errors: ['loose-alternation'],
    expected: accepted,
  },
  {
    rule: { pattern: 'feat/.+', example: 'feat/a' },
    errors: ['example-illegal', 'unsatisfiable'],
    expected: accepted,
  },
  {
    rule: { pattern: 'feat-[a-z', example: 'feat-a' },
    errors: ['no-compile'],
    expected: {
      service: { status: 500 },
      sandbox: { status: 400 },
      because: 'the service crashes on it; in the specification, an invalid payload is a 400',
    },
  },
]

/** Naming rules, whether flagadm sends them, and what a target returns. */
export const rules: readonly RuleCase[] = [...patternsAlone, ...withExamples]
