import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lintRule } from '../../src/naming/findings.ts'
import { legalName } from './arbitraries.ts'
import { realisticRules, schemaPatterns } from './corpus.ts'
import { engineVerdicts } from './engine.ts'

const { signal } = new AbortController()

const names = fc.sample(legalName, { numRuns: 200, seed: 3 })

test.each([
  { title: 'realistic rule', list: realisticRules },
  // Every sixth, because all of them take long.
  { title: 'pattern of schemas', list: schemaPatterns.filter((_, i) => i % 6 === 0) },
])(
  'the engine confirms the verdicts on each $title, of which at most one in twenty is undecided',
  async ({ list }) => {
    const undecided: string[] = []
    const wrong: string[] = []
    for (const pattern of list) {
      const { findings, accepts, rejects } = await lintRule({ pattern }, signal)
      const codes = findings.map(({ code }) => code)
      if (codes.includes('cannot-decide')) undecided.push(pattern)
      // A catastrophic pattern could stall the engine.
      if (codes.includes('no-compile') || codes.includes('catastrophic')) continue
      const verdicts = engineVerdicts(pattern, names) ?? []
      const shown = engineVerdicts(pattern, [...accepts, ...rejects]) ?? []
      const isWrong =
        (codes.includes('unsatisfiable') && verdicts.includes(true)) ||
        (codes.includes('matches-everything') && verdicts.includes(false)) ||
        shown.some((verdict, i) => verdict !== i < accepts.length)
      if (isWrong) wrong.push(pattern)
    }
    expect(wrong).toEqual([])
    expect(undecided.length).toBeLessThanOrEqual(list.length / 20)
  },
)
