import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFailure, createNameMatcher } from '../../src/naming/rule.ts'
import { legalName, regularPattern } from './arbitraries.ts'
import { engineVerdicts, verdictOn } from './engine.ts'

const { signal } = new AbortController()

test.each([
  ['feat-[a-z]+', 'feat-login', true],
  ['feat-[a-z]+', 'xfeat-login', false],
  ['feat-[a-z]+', 'feat-login1', false],
  ['feat-.*|fix-.*', 'zzz-fix-1', true],
  ['(a+)+b|.*', 'a'.repeat(101), false],
])('the pattern %j matches the name %s: %s, as in the service', async (pattern, name, verdict) => {
  expect(await verdictOn(pattern, name)).toBe(verdict)
})

test('the verdicts on many names are those of the engine', async () => {
  const names = fc.array(legalName, { maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(regularPattern, names, async (pattern, names) => {
      const verdicts = await createNameMatcher(pattern, signal)(names)
      const expected = engineVerdicts(pattern, names)
      // The engine here has more time, so a verdict that the matcher did not reach is not wrong.
      const wrong = verdicts.filter((it, i) => it !== 'timeout' && expected && it !== expected[i])
      expect(wrong).toEqual([])
    }),
    { numRuns: 50 },
  )
})

test('a signal stops the match', async () => {
  const controller = new AbortController()
  const verdicts = createNameMatcher('[a-z]*[a-z]*', controller.signal)(['a'])
  controller.abort(new Error('interrupted'))
  await expect(verdicts).rejects.toThrow('interrupted')
})

test.each([
  ['feat-(', 'Unterminated group'],
  ['a/: b)', "Unmatched ')'"],
])('the engine rejects %j because of %j', (pattern, failure) => {
  expect(compileFailure(pattern)).toBe(failure)
})
