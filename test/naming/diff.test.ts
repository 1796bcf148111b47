import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budget } from '../../src/naming/analysis/budget.ts'
import { relate as relateWithin, type Relation } from '../../src/naming/analysis/relation.ts'
import { isLegalName } from '../../src/input/flag-names.ts'
import { anyPattern, legalName } from './arbitraries.ts'
import { engineVerdicts } from './engine.ts'

const { signal } = new AbortController()

function relate(from: string, to: string) {
  return relateWithin(from, to, new Budget(signal))
}

const opposite = new Map<Relation, Relation>([
  ['narrower', 'wider'],
  ['wider', 'narrower'],
])

test.each([
  ['feat-[a-z]+', 'feat-[a-z]+', 'equal'],
  ['^feat-[a-z]+$', 'feat-[a-z]+', 'equal'],
  ['.*', '\\S{1,100}', 'equal'],
  ['a{1,100}', 'a+', 'equal'],
  ['feat-.*|fix-.*', '(?:feat-.*|fix-.*)', 'narrower'],
  ['feat-.*', 'feat/.*', 'narrower'],
  ['a{1,99}', 'a+', 'wider'],
  ['(feat|fix)-.*', '(fix|chore)-.*', 'overlapping'],
  ['feat-.*', 'fix-.*', 'disjoint'],
  ['(?!x)[a-z]+', '[a-wyz][a-z]*', 'equal'],
  ['(?!.*--)[a-z][a-z-]*[a-z]', '[a-z](?:-?[a-z])+', 'equal'],
  ['(?=.*\\d)[a-z0-9]+', '[a-z]*\\d[a-z0-9]*', 'equal'],
  ['[a-z-]+(?<!-flag)', '(?!.*-flag$)[a-z-]+', 'equal'],
  ['(?=.{1,9}$)[a-z]+', '[a-z]{1,10}', 'wider'],
  ['[a-z]+(?<!x)', '[a-z]+x', 'disjoint'],
  ['[a-z]{1,50}(?:-[a-z0-9]{1,50}){1,50}', '[a-z]{1,50}(?:-[a-z0-9]{1,50})+', 'equal'],
  ['[ab]*a[ab]{9}', '[ab]*a[ab]{10}', 'overlapping'],
  ['[a-z-]*(?<=-(?=x)).*', '.*-x.*', 'wider'],
  // No rule accepts every name, and neither does one that does not compile reject any.
  ['', 'feat-.+', 'narrower'],
  ['[a-z', 'feat-.+', 'narrower'],
] as const)('from %s to %s is %s, and the reverse is the opposite', async (from, to, relation) => {
  expect((await relate(from, to)).relation).toBe(relation)
  expect((await relate(to, from)).relation).toBe(opposite.get(relation) ?? relation)
})

test('a comparison has realistic names that only one of the rules accepts, or a reason', async () => {
  expect(await relate('(feat|fix)-[a-z]+', '(fix|chore)-[a-z]+')).toEqual({
    relation: 'overlapping',
    accepted: ['chore-a'],
    rejected: ['feat-a'],
  })
  expect(await relate('', '[a-z]+')).toEqual({
    relation: 'narrower',
    accepted: [],
    rejected: ['banner-login', 'search-2', 'banner_login'],
  })
  expect(await relate('(a|b)-\\1', 'b?-[a-z]')).toEqual({
    relation: 'undecided',
    reason: 'a back-reference cannot be analysed',
    accepted: [],
    rejected: [],
  })
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
      const { relation, accepted = [], rejected = [] } = await relate(from, to)
      const shown = [...accepted, ...rejected]
      expect(shown.filter((name) => !isLegalName(name))).toEqual([])
      const verdicts = shown.map((name) => accepted.includes(name))
      expect(engineVerdicts(to, shown)).toEqual(verdicts)
      expect(engineVerdicts(from, shown)).toEqual(verdicts.map((it) => !it))
      expect(contradictions(relation, from, to)).toEqual([])
    }),
  )
})
