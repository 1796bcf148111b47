import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budget, orUndecided, Undecided } from '../../src/naming/analysis/budget.ts'
import { relate } from '../../src/naming/analysis/relation.ts'
import { deadBranchFindings } from '../../src/naming/dead-branches.ts'
import { examinedRule } from '../../src/naming/examined-rule.ts'
import { anyPattern, regularPattern } from './arbitraries.ts'

const { signal } = new AbortController()

async function deadBranches(pattern: string): Promise<string[]> {
  const findings = await deadBranchFindings(examinedRule({ pattern }, pattern, new Budget(signal)))
  return findings.map(({ message }) => message)
}

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

const separator = fc.constantFrom('', '-', '(?=.)', '(?<!-)', '\\b')

test('a branch that needs an illegal character is dead, whatever is around it', async () => {
  await fc.assert(
    fc.asyncProperty(regularPattern, separator, regularPattern, async (before, mark, branch) => {
      const pattern = `(?:${before})${mark}(?:x|(?:${branch})/)+`
      const { relation } = await relate(pattern, '[]', new Budget(signal))
      fc.pre(relation === 'narrower')
      expect(await deadBranches(pattern)).not.toEqual([])
    }),
    { numRuns: 25 },
  )
})

test('a pattern accepts the same names without a dead branch', async () => {
  await fc.assert(
    fc.asyncProperty(anyPattern, async (text) => {
      const pattern = `(?:${text})`
      const messages = await orUndecided(() => deadBranches(pattern))
      for (const message of messages instanceof Undecided ? [] : messages) {
        const { part = '', place = '' } =
          /(?<part>\S+) at character (?<place>\d+)/.exec(message)?.groups ?? {}
        // Shortened.
        if (part.endsWith('…')) continue
        const start = Number(place) - 1
        expect(pattern.slice(start, start + part.length)).toBe(part)
        const isOptional = message.includes('optional part')
        const without = `${pattern.slice(0, start)}${isOptional ? '' : '[]'}${pattern.slice(start + part.length)}`
        const { relation } = await relate(pattern, without, new Budget(signal))
        expect(['equal', 'undecided'], `${pattern} and ${without}`).toContain(relation)
      }
    }),
    { numRuns: 100 },
  )
})
