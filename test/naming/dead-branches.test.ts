import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  deadBranches,
  deadBranchIsNotNeeded,
  illegalBranchIsDead,
} from './dead-branch-properties.ts'

test.each([
  [
    '(?:feat-[a-z]+|fix-[a-z]{,20})',
    'branch fix-[a-z]{,20} at character 16: a name cannot contain "{"',
  ],
  ['(feat|fix/hot)-[a-z]+', 'branch fix/hot at character 7: a name cannot contain "/"'],
  ['(feat|fix\\>)-[a-z]+', 'branch fix\\> at character 7: a name cannot contain ">"'],
  [
    'feat-[a-z]+(-[a-z]{,5})?',
    'optional part (-[a-z]{,5})? at character 12: a name cannot contain "{"',
  ],
  ['é.*|[a-z]+', 'branch é.* at character 1: a name cannot contain "é"'],
  [
    '(?:[a-z]|[à-ÿ])+',
    'branch [à-ÿ] at character 10: it matches no character that is legal in a name',
  ],
  [
    'x{60}(?:a|b{50})',
    'branch b{50} at character 11: names that reach it are longer than 100 characters',
  ],
  [
    '(?:[a-z]{30}(?:-|_{20})){3}',
    'branch _{20} at character 18: names that reach it are longer than 100 characters',
  ],
  [
    '(?!x)(?:x.*|b)',
    'branch x.* at character 9: an assertion in the pattern excludes the names that reach it',
  ],
  [
    '[a-z]+(?:-x)?(?<!x)',
    'optional part (?:-x)? at character 7: an assertion in the pattern excludes the names that reach it',
  ],
  [
    '(?:(?:a|b^)-)+',
    'branch b^ at character 9: an assertion in the pattern excludes the names that reach it',
  ],
])('no legal name reaches a part of %s: the %s', async (pattern, text) => {
  expect(await deadBranches(pattern)).toEqual([`no legal name reaches the ${text}`])
})

test.each([
  '(feat|)',
  'feat-(?:x{0}|y)',
  'a|b|c$',
  '^a|^b',
  '(?!-)(?:-?a)+',
  '(?:(?=a)a|b(?!c))+',
  '(?:[a-z]|\\bx)+',
  // These exclude names that are illegal anyway.
  '(?!.*(?:/|--)).+',
  // The pattern is not satisfiable at all.
  '(?:a/|b/)',
])('legal names reach all branches of %s', async (pattern) => {
  expect(await deadBranches(pattern)).toEqual([])
})

// A small part of the search in test/fuzz/dead-branches.test.ts.
test('a branch that needs an illegal character is dead, whatever is around it', async () => {
  await fc.assert(illegalBranchIsDead, { numRuns: 5 })
})

test('a pattern accepts the same names without a dead branch', async () => {
  await fc.assert(deadBranchIsNotNeeded, { numRuns: 10 })
})
