import { test } from 'vitest'
import { isTriedLong, patterns } from './patterns.ts'
import { expectFindings } from './true-findings.ts'

test.each(patterns.filter(isTriedLong).map(([pattern, ...expected]) => ({ pattern, expected })))(
  'the pattern $pattern has exactly the findings $expected, which are true',
  async ({ pattern, expected }) => expectFindings(pattern, expected),
)
