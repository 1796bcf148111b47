import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Finding } from '../../src/naming/finding-kinds.ts'
import { isLegalName } from '../../src/input/flag-names.ts'
import { legalName } from './arbitraries.ts'
import { engineVerdicts } from './engine.ts'
import { patterns } from './patterns.ts'
import { findings } from './true-findings.ts'

const manyNames = fc.sample(legalName, { numRuns: 200, seed: 42 })

/** Whether a loose alternation passes the name that was reported, which its correction must reject. */
function isLoose(pattern: string, { witness = '', suggestion }: Finding): boolean {
  const [loose, correct] = [pattern, suggestion].map((text) => new RegExp(`^${text}$`))
  return isLegalName(witness) && loose?.test(witness) === true && correct?.test(witness) === false
}

test.each(patterns.map(([pattern, ...expected]) => ({ pattern, expected })))(
  'the pattern $pattern has exactly the findings $expected, which are true',
  async ({ pattern, expected }) => {
    const found = await findings(pattern)
    expect(found.map(({ code }) => code)).toEqual(expected)
    for (const finding of found) {
      const { code, suggestion = '' } = finding
      expect(() => new RegExp(`^${suggestion}$`)).not.toThrow()
      if (code === 'loose-alternation') expect(isLoose(pattern, finding)).toBe(true)
      if (code === 'unsatisfiable') {
        expect(engineVerdicts(pattern, manyNames)).not.toContain(true)
      }
    }
  },
)
