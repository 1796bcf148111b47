import fc from 'fast-check'
import { expect } from 'vitest'
import type { Finding, FindingCode } from '../../src/naming/finding-kinds.ts'
import { isLegalName } from '../../src/input/flag-names.ts'
import { lintRule } from '../../src/naming/findings.ts'
import { legalName } from './arbitraries.ts'
import { engineVerdicts, wronglyShown } from './engine.ts'

const { signal } = new AbortController()

/** The findings about a pattern itself, which shows only samples that the engine treats as shown. */
export async function findings(pattern: string): Promise<Finding[]> {
  const report = await lintRule({ pattern, description: 'why' }, signal)
  expect(wronglyShown(pattern, report)).toEqual([])
  return report.findings.filter(({ code }) => code !== 'no-example')
}

const manyNames = fc.sample(legalName, { numRuns: 200, seed: 42 })

/** Whether a loose alternation passes the name that was reported, which its correction must reject. */
function isLoose(pattern: string, { witness = '', suggestion }: Finding): boolean {
  const [loose, correct] = [pattern, suggestion].map((text) => new RegExp(`^${text}$`))
  return isLegalName(witness) && loose?.test(witness) === true && correct?.test(witness) === false
}

/** Checks that a pattern has exactly these findings, and that they are true. */
export async function expectFindings(
  pattern: string,
  expected: readonly FindingCode[],
): Promise<void> {
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
}
