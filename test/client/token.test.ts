import { expect, test } from 'vitest'
import { tokenKind } from '../../src/service/token.ts'

test.each([
  ['*:*.abc', 'admin'],
  ['*:*.', undefined],
  ['*:*.a b', undefined],
  ['x*:*.abc', undefined],
  ['user:abc', 'personal'],
  ['user:', undefined],
  ['user:a b', undefined],
  ['a.user:abc', undefined],
  ['*:development.abc', 'client'],
  ['[]:production.abc', 'client'],
  ['my-project:pre.production.abc', 'client'],
  ['my project:development.abc', undefined],
  ['my-project:development.a b', undefined],
  ['my-project:development.', undefined],
  ['my-project:.abc', undefined],
  [':development.abc', undefined],
  ['legacy', undefined],
])('the kind of the token %j is %s', (key, kind) => {
  expect(tokenKind(key)).toBe(kind)
})
