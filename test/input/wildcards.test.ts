import { expect, test } from 'vitest'
import { matcherOf } from '../../src/input/wildcards.ts'

test.each([
  ['web', 'web', true],
  ['web', 'web2', false],
  ['web', 'a web', false],
  ['w.b', 'web', false],
  ['a(b|c)[d]$', 'a(b|c)[d]$', true],
  ['', '', true],
  ['*', '', true],
  ['*', 'line\nbreak', true],
  ['w*', 'web', true],
  ['w*', 'a web', false],
  ['*b', 'web2', false],
  ['w*b', 'wb', true],
  ['we*eb', 'web', false],
  ['*a*b*', 'b a', false],
  ['a**b', 'a-b', true],
])('the pattern %j matches the name %j: %s', (pattern, name, matches) => {
  expect(matcherOf([pattern])(name)).toBe(matches)
})

test('one of several patterns must match; without patterns, every name does', () => {
  const matches = matcherOf(['a|b', 'c*'])
  expect(['a|b', 'cd', 'a', 'b', undefined].map(matches)).toEqual([true, true, false, false, false])
  expect(matcherOf()(undefined)).toBe(true)
})
