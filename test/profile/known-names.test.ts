import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { namesInLines } from '../../src/profile/known-names.ts'
import { codePoint } from '../support/text.ts'

test.each<[string, string[] | undefined]>([
  ['', []],
  ['baseUrl: https://a.example\n', ['default']],
  [
    '# mine\nprofiles: # all\n  a:\n    baseUrl: x\n\n  "b c": {}\n  \'d\':\n    x: y\ntimeout: 5s\n',
    ['a', 'b c', 'd'],
  ],
  ['profiles:\n    a:\n        b: |\n          c:\n    d: {}\n', ['a', 'd']],
  ['naming:\n  description: |\n    profiles:\n      a:\n', []],
  ['$schema: https://a.example\nprofiles:\n  a: {}\n', ['a']],
  // Undefined leaves the text to the parser.
  ['profiles: { a: {} }\n', undefined],
  ['profiles:\n  ? a\n  : {}\n', undefined],
  ['profiles:\n  &x a: {}\n', undefined],
  ['profiles:\n  "a\\tb": {}\n', undefined],
  ['---\nprofiles:\n  a: {}\n', undefined],
])('finds the names of the profiles in %j', (text, names) => {
  expect(namesInLines(text)).toEqual(names)
})

test('finds the same names as the parser, or returns undefined', () => {
  const name = fc.oneof(fc.stringMatching(/^[\w .-]{1,9}$/), fc.string({ unit: codePoint }))
  const profile = fc.record({ baseUrl: fc.string(), apiKey: fc.string() })
  fc.assert(
    fc.property(fc.dictionary(name, profile, { minKeys: 1, noNullPrototype: true }), (profiles) => {
      const names = namesInLines(stringify({ naming: { pattern: 'a\n b:\nc' }, profiles }))
      if (names) expect(names).toEqual(Object.keys(profiles))
    }),
  )
})
