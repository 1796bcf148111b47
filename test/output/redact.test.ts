import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/output/redact.ts'

const secret = '*:k?>?>~\n"_.-9Z'

function masked(secrets: readonly string[], text: string): string {
  const redactor = createRedactor()
  for (const each of secrets) redactor.add(each)
  return redactor.redact(text)
}

test.each([
  ['as it is', secret],
  ['in a URL', '*%3Ak%3F%3E%3F%3E~%0A%22_.-9Z'],
  ['in lower-case codes of a URL', '%2a%3ak%3f%3e%3f%3e~%0a%22_.-9Z'],
  ['in upper-case codes of a URL', '%2A%3Ak%3F%3E%3F%3E~%0A%22_.-9Z'],
  ['in JSON', '*:k?>?>~\\n\\"_.-9Z'],
  ['in base64', 'KjprPz4/Pn4KIl8uLTla'],
  ['in base64 for a URL', 'KjprPz4_Pn4KIl8uLTla'],
  ['in hex', '2a3a6b3f3e3f3e7e0a225f2e2d395a'],
  ['in upper-case hex', '2A3A6B3F3E3F3E7E0A225F2E2D395A'],
])('a secret %s is masked anywhere in a text', (_how, form) => {
  expect(masked([secret], `a ${form} b${form}`)).toBe('a [redacted] b[redacted]')
})

test.each([
  ['in a URL', "*%3A*.a!(b)'k-1"],
  ['in the name of a file', "%2A%3A%2A.a!(b)'k-1"],
])('a secret with characters that URLs need not encode is masked %s', (_how, form) => {
  expect(masked(["*:*.a!(b)'k-1"], `a ${form} b`)).toBe('a [redacted] b')
})

test.each([
  [['some-key', 'some-key-2'], 'some-key-2 some-key', '[redacted] [redacted]'],
  // With and without padding.
  [['??>>??>>????1'], 'Pz8+Pj8/Pj4/Pz8/MQ Pz8+Pj8/Pj4/Pz8/MQ==', '[redacted] [redacted]=='],
  // A shorter one than eight characters may be a word.
  [['12345678', 'project'], 'project 12345678', 'project [redacted]'],
])('the secrets %j are masked in %s', (secrets, text, shown) => {
  expect(masked(secrets, text)).toBe(shown)
})

test('a secret of any length is masked, together with shorter ones', () => {
  const long = '(key)'.repeat(40_000)
  expect(masked([long, 'short-key'], `a ${long} b short-key`)).toBe('a [redacted] b [redacted]')
  expect(masked([long], `a ${Buffer.from(long).toString('hex')}`)).toBe('a [redacted]')
})

test('a removed secret is no longer masked, and another one still is', () => {
  const redactor = createRedactor()
  redactor.add('first-key')
  redactor.add('second-key')
  redactor.remove('first-key')
  expect(redactor.redact('first-key second-key')).toBe('first-key [redacted]')
})

test('the random part at the end of a secret is masked on its own, too', () => {
  const random = '0123456789abcdef'
  const other = 'other-part-of-it-'
  expect(masked([`*:*.${random}`], `did you mean ${random}?`)).toBe('did you mean [redacted]?')
  expect(masked([`*:*.${other}.short`], `${other} undefined`)).toBe(`${other} undefined`)
  expect(masked([`a|"&<${random}`], `did you mean ${random}?`)).toBe('did you mean [redacted]?')
})

describe('JSON text', () => {
  test.each([
    [
      'is masked if it contains a secret without escapes',
      '{"a":"*:*.some|key-1234"}',
      '{"a":"[redacted]"}',
    ],
    [
      'is masked if it contains a secret as escapes',
      '{"a":"\\u002a:*.some\\u007ckey-1234 \\n"}',
      '{"a":"[redacted] \\n"}',
    ],
    [
      'is masked if it contains a secret in a name',
      '{"\\u002a:*.some|key-1234":1}',
      '{"[redacted]":1}',
    ],
    [
      'is unchanged if it contains no secret',
      '{"\\u0041\\/":"\\"","b":["\\u0041\\\\"]}',
      '{"\\u0041\\/":"\\"","b":["\\u0041\\\\"]}',
    ],
  ])('%s', (_, json, expected) => {
    const redactor = createRedactor()
    redactor.add('*:*.some|key-1234')
    expect(redactor.redactJson(json)).toBe(expected)
  })
})

test('every string and name of data is masked, and nothing else is changed', () => {
  const redactor = createRedactor()
  redactor.add('secret-key')
  const rest = { d: 1n, e: null, f: undefined }
  const data = { a: ['a secret-key'], b: { c: 'secret-key', 'secret-key': 1, ...rest } }
  expect(redactor.redactAll(data)).toEqual({
    a: ['a [redacted]'],
    b: { c: '[redacted]', '[redacted]': 1, ...rest },
  })
})

test('a long text that may be a key is prepared in a moment', () => {
  const redactor = createRedactor()
  redactor.add(`${'a'.repeat(1_000_000)}*`)
  expect(redactor.redact('text')).toBe('text')
})
