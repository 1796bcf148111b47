import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lintRule } from '../../src/naming/findings.ts'
import { legalName } from './arbitraries.ts'
import { engineVerdicts, wronglyShown } from './engine.ts'

const { signal } = new AbortController()

const names = fc.sample(legalName, { numRuns: 200, seed: 3 })

// Rules as people write them, and patterns in the style of public schemas: of those without findings only a part.
test.each([
  ['rules.txt', 0],
  ['schemas.txt', 3],
])('the engine confirms the verdicts on each pattern of %s', async (file, open) => {
  const text = readFileSync(new URL(`corpus/${file}`, import.meta.url), 'utf8')
  const patterns = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
  const [undecided, wrong]: [string[], string[]] = [[], []]
  for (const pattern of patterns) {
    const report = await lintRule({ pattern }, signal)
    const codes = report.findings.map(({ code }) => code)
    if (codes.includes('cannot-decide') && !/\\[1k]/.test(pattern)) undecided.push(pattern)
    // A catastrophic pattern could stall the engine.
    if (codes.includes('no-compile') || codes.includes('catastrophic')) continue
    const verdicts = engineVerdicts(pattern, names) ?? []
    const isWrong =
      (codes.includes('unsatisfiable') && verdicts.includes(true)) ||
      (codes.includes('matches-everything') && verdicts.includes(false)) ||
      wronglyShown(pattern, report).length > 0
    if (isWrong) wrong.push(pattern)
  }
  expect(wrong).toEqual([])
  expect(undecided).toHaveLength(open)
})
