import { expect, test } from 'vitest'
import { parsePlaced } from '../../src/input/document.ts'
import { replaceStrings } from '../../src/input/json.ts'

test.each([
  ['"a"', '<"a">'],
  ['1', '1'],
  ['{"a\\"b":12}', '{<"a\\"b">:12}'],
  ['["a","b"]', '[<"a">,<"b">]'],
  ['["a', '[<"a>'],
])('the strings of %s are replaced: %s', (json, expected) => {
  expect(replaceStrings(json, (token) => `<${token}>`)).toBe(expected)
})

test.each([
  ['{}', true],
  ['null', true],
  ['"a"', true],
  ['{"a":1,"b":2}', true],
  ['{"a":1,"a":2}', false],
  ['{"a":1,"a" \n\t:2}', false],
  ['{"a":{"b":null},"b":[{"b":1},{"b":"a:"}]}', true],
  ['[{"b":1},{"b":1,"b":1}]', false],
  ['{"a":{"b":1,"b":1}}', false],
  ['{"a\\":":1,"b":"\\"a\\":"}', true],
  ['{"a":1,"\\u0061":2}', false],
  ['{"__proto__":1,"constructor":2}', true],
])('the keys in %s are distinct: %j', async (json, expected) => {
  const read = parsePlaced(json, { name: 'x', kind: 'usage' }).then(
    () => true,
    ({ message }) => !/duplicate key/.test(message),
  )
  expect(await read).toBe(expected)
})
