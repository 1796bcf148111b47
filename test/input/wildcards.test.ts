import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matcherOf } from '../../src/input/wildcards.ts'

test.each([
  ['web', 'web', true],
  ['w.b', 'web', false],
  ['*', '', true],
  ['*', 'line\nbreak', true],
  ['w*', 'web', true],
  ['*b', 'web', true],
  ['we*eb', 'web', false],
  ['*e*', 'web', true],
  ['*a*b*', 'b a', false],
])('the pattern %j matches the name %j: %s', (pattern, name, matches) => {
  expect(matcherOf([pattern])(name)).toBe(matches)
})

test('a pattern matches what the same regular expression matches', () => {
  const text = (characters: string) => fc.string({ unit: fc.constantFrom(...characters) })
  fc.assert(
    fc.property(text('ab*'), text('ab'), (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
      expect(matcherOf([pattern])(name)).toBe(expression.test(name))
    }),
  )
})

test('a pattern with many stars ends for a long name', () => {
  expect(matcherOf([`${'*a'.repeat(1000)}*x`])('a'.repeat(10_000))).toBe(false)
})
