import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffRules, type Relation } from '../../src/naming/rule-diff.ts'
import { isLegalName } from '../../src/input/flag-names.ts'
import { anyPattern, legalName } from './arbitraries.ts'
import { engineVerdicts } from './engine.ts'

const { signal } = new AbortController()

const opposite: Record<Relation, Relation> = {
  equal: 'equal',
  narrower: 'wider',
  wider: 'narrower',
  overlapping: 'overlapping',
  disjoint: 'disjoint',
  undecided: 'undecided',
}

test.each([
  ['feat-[a-z]+', 'feat-[a-z]+', 'equal'],
  ['a+', 'aa*', 'equal'],
  ['^feat-[a-z]+$', 'feat-[a-z]+', 'equal'],
  ['.*', '\\S{1,100}', 'equal'],
  ['a{1,100}', 'a+', 'equal'],
  ['feat/.*', 'a{101}', 'equal'],
  ['feat-.*', 'feat-[a-z]+', 'narrower'],
  ['feat-.*|fix-.*', '(?:feat-.*|fix-.*)', 'narrower'],
  ['feat-.*', 'feat/.*', 'narrower'],
  ['feat-[a-z]+', 'feat-[a-z0-9]+', 'wider'],
  ['a{1,99}', 'a+', 'wider'],
  ['feat-.*', '(feat|fix)-.*', 'wider'],
  ['(feat|fix)-.*', '(fix|chore)-.*', 'overlapping'],
  ['feat-.*', 'fix-.*', 'disjoint'],
  ['[a-z]+', '[A-Z]+', 'disjoint'],
  ['(?!x)[a-z]+', '[a-z]+', 'wider'],
  ['(?!x)[a-z]+', '[a-wyz][a-z]*', 'equal'],
  ['(?!.*--)[a-z][a-z-]*[a-z]', '[a-z](?:-?[a-z])+', 'equal'],
  ['(?=.*\\d)[a-z0-9]+', '[a-z]*\\d[a-z0-9]*', 'equal'],
  ['[a-z-]+(?<!-flag)', '(?!.*-flag$)[a-z-]+', 'equal'],
  ['(?=.{1,9}$)[a-z]+', '[a-z]{1,10}', 'wider'],
  ['[a-z]+(?<!x)', '[a-z]+x', 'disjoint'],
  ['[a-z]{1,50}(?:-[a-z0-9]{1,50}){1,50}', '[a-z]{1,50}(?:-[a-z0-9]{1,50})+', 'equal'],
  ['[ab]*a[ab]{9}', '[ab]*a[ab]{10}', 'overlapping'],
  ['.*[a-z].{1,50}', '.*[a-z].{1,51}', 'wider'],
  ['(a|b)\\1', 'aa|bb', 'undecided'],
  ['(a|b)-\\1', '[a-z]-[a-z]', 'wider'],
  ['(a|b)-\\1', 'c-.*', 'disjoint'],
  ['(?!x)[a-z]+', '(?!x)[a-z]+', 'equal'],
] as const)('from %s to %s is %s, and the reverse is the opposite', async (from, to, relation) => {
  expect((await diffRules(from, to, signal)).relation).toBe(relation)
  expect((await diffRules(to, from, signal)).relation).toBe(opposite[relation])
})

test('the diff has names that a new rule accepts and names that it rejects', async () => {
  expect(await diffRules('(feat|fix)-[a-z]+', '(fix|chore)-[a-z]+', signal)).toEqual({
    relation: 'overlapping',
    newlyAccepted: ['chore-checkout', 'chore-search', 'chore-banner'],
    newlyRejected: ['feat-checkout', 'feat-search', 'feat-banner'],
  })
})

test('the diff has names even if the relation cannot be decided', async () => {
  const { relation, newlyAccepted, newlyRejected } = await diffRules(
    '(a|b)-\\1',
    'b?-[a-z]',
    signal,
  )
  expect(relation).toBe('undecided')
  expect(newlyAccepted).toEqual(['b-c', '-b', '-c'])
  expect(newlyRejected).toEqual(['a-a'])
})

test('no rule accepts every name', async () => {
  expect((await diffRules('', '.+', signal)).relation).toBe('equal')
  expect((await diffRules('', 'feat-.+', signal)).relation).toBe('narrower')
})

test('a rule that does not compile enforces nothing, as in the service', async () => {
  expect((await diffRules('[a-z', 'feat-.+', signal)).relation).toBe('narrower')
  expect((await diffRules('feat-.+', '[a-z', signal)).relation).toBe('wider')
})

const manyNames = fc.sample(legalName, { numRuns: 500, seed: 11 })

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
      const { relation, newlyAccepted, newlyRejected } = await diffRules(from, to, signal)
      const shown = [...newlyAccepted, ...newlyRejected]
      expect(shown.filter((name) => !isLegalName(name))).toEqual([])
      const accepted = [...newlyAccepted.map(() => true), ...newlyRejected.map(() => false)]
      expect(engineVerdicts(to, shown)).toEqual(accepted)
      expect(engineVerdicts(from, shown)).toEqual(accepted.map((it) => !it))
      expect(contradictions(relation, from, to)).toEqual([])
    }),
  )
})
