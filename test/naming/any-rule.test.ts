import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLegalName } from '../../src/input/flag-names.ts'
import { Budget } from '../../src/naming/analysis/budget.ts'
import { relate, type Relation } from '../../src/naming/analysis/relation.ts'
import { findingKinds } from '../../src/naming/finding-kinds.ts'
import { lintRule } from '../../src/naming/findings.ts'
import { anyPattern, legalName, regularPattern } from './arbitraries.ts'
import { checkNames } from './check.ts'
import { engineVerdicts } from './engine.ts'

const { signal } = new AbortController()

test('a legal name fails exactly when the engine does not match it, and its suggestion passes', async () => {
  const names = fc.array(legalName, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(regularPattern, names, async (pattern, names) => {
      const violations = await checkNames(pattern, names)
      const verdicts = engineVerdicts(pattern, names)
      fc.pre(verdicts !== undefined)
      expect(violations.map(({ name }) => name)).toEqual(names.filter((_, i) => !verdicts?.[i]))
      const suggestions = violations.flatMap(({ suggestion }) => suggestion ?? [])
      expect(suggestions.filter((name) => !isLegalName(name))).toEqual([])
      expect(engineVerdicts(pattern, suggestions) ?? []).not.toContain(false)
    }),
    { numRuns: 50 },
  )
})

test('any text is linted without a crash', async () => {
  const scrap = fc.constantFrom(
    ...'()[]{}|^$*+?.\\-,:=!<>/ \n\0kuxcpPbBdDsSwW019aé'.split(''),
    ...['\ud800', '😀'],
  )
  const text = fc.array(scrap, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.option(text, { nil: '' }), async (pattern, example) => {
      const { findings } = await lintRule({ pattern, example }, signal)
      const kinds = findings.map(({ code }) => findingKinds[code].severity)
      expect(findings.map(({ severity }) => severity)).toEqual(kinds)
    }),
    { numRuns: 60 },
  )
})

const manyNames = fc.sample(legalName, { numRuns: 200, seed: 11 })

/** Names that contradict a relation. */
function contradictions(relation: Relation, from: string, to: string): string[] {
  const before = engineVerdicts(from, manyNames)
  const after = engineVerdicts(to, manyNames)
  if (!before || !after) return []
  const having = (old: boolean, now: boolean) =>
    manyNames.filter((_, i) => before[i] === old && after[i] === now)
  return [
    ...(relation === 'equal' || relation === 'narrower' ? having(false, true) : []),
    ...(relation === 'equal' || relation === 'wider' ? having(true, false) : []),
    ...(relation === 'disjoint' ? having(true, true) : []),
  ]
}

test('the engine agrees with the relation and the names that a diff of any two rules shows', async () => {
  await fc.assert(
    fc.asyncProperty(anyPattern, anyPattern, async (from, to) => {
      const { relation, accepted = [], rejected = [] } = await relate(from, to, new Budget(signal))
      const shown = [...accepted, ...rejected]
      expect(shown.filter((name) => !isLegalName(name))).toEqual([])
      const verdicts = shown.map((name) => accepted.includes(name))
      expect(engineVerdicts(to, shown)).toEqual(verdicts)
      expect(engineVerdicts(from, shown)).toEqual(verdicts.map((it) => !it))
      expect(contradictions(relation, from, to)).toEqual([])
    }),
  )
})
