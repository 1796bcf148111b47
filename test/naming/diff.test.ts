import { expect, test } from 'vitest'
import { Budget } from '../../src/naming/analysis/budget.ts'
import { relate as relateWithin, type Relation } from '../../src/naming/analysis/relation.ts'

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
