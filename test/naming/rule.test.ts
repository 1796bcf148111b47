import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFailure, createMatcher } from '../../src/naming/rule.ts'
import { legalName, regularPattern } from './arbitraries.ts'
import { engineVerdicts, verdictOn } from './engine.ts'

test.each([
  ['feat-[a-z]+', 'feat-login', true],
  ['feat-[a-z]+', 'xfeat-login', false],
  ['feat-[a-z]+', 'feat-login1', false],
  ['feat-.*|fix-.*', 'zzz-fix-1', true],
  ['feat-.*|fix-.*', 'feat-1', true],
  ['(?:feat-.*|fix-.*)', 'zzz-fix-1', false],
  ['FEAT', 'feat', false],
  ['^feat$', 'feat', true],
  ['', 'anything', true],
] as const)('%j: whether %s passes is %s, as the service has it', (pattern, name, verdict) => {
  expect(verdictOn(pattern, name)).toBe(verdict)
})

test('the verdicts on many names are those of the engine', () => {
  fc.assert(
    fc.property(regularPattern, fc.array(legalName, { maxLength: 50 }), (pattern, names) => {
      const verdicts = createMatcher(pattern).verdicts(names)
      const expected = engineVerdicts(pattern, names)
      // The engine here has more time: a verdict that the matcher did not reach is no wrong one.
      const wrong = verdicts.filter((it, i) => it !== 'timeout' && expected && it !== expected[i])
      expect(wrong).toEqual([])
    }),
    { numRuns: 100 },
  )
}, 60_000)

test('a name that hangs the match gets no verdict, and the names around it get theirs', () => {
  const slow = `${'a'.repeat(60)}!`
  const verdicts = createMatcher('(a+)+').verdicts(['a', slow, 'aa', 'b', slow, 'aaa'])
  expect(verdicts).toEqual([true, 'timeout', true, false, 'timeout', true])
})

test('a pattern that goes on hanging is no longer tried', () => {
  const matcher = createMatcher('(a+)+', 250)
  expect(matcher.verdicts([`${'a'.repeat(60)}!`, 'a'])).toEqual(['timeout', 'timeout'])
  expect(matcher.verdicts(['a'])).toEqual(['timeout'])
})

test('a matcher of a broken pattern is refused with the reason and the next step', () => {
  expect(() => createMatcher('[a-z')).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: 'pattern: not a valid regular expression: Unterminated character class',
      hint: 'run "flagadm naming lint" to see where',
    }),
  )
})

test.each([
  ['feat-(', 'Unterminated group'],
  ['a/: b)', "Unmatched ')'"],
  ['feat-[a-z]+', undefined],
])('what the engine has against %j is %j', (pattern, failure) => {
  expect(compileFailure(pattern)).toBe(failure)
})
