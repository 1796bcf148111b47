import { expect, test } from 'vitest'
import { parseDocument, parsePlaced } from '../../src/input/document.ts'
import { environment, flagadm } from '../support/flagadm.ts'

/** The error of `plan` for a document. */
async function errorOf(text: string, file = 'a.yaml') {
  const argv = ['project', 'settings', 'plan', '-f', file, '--json']
  const world = { env: environment('https://a.test'), files: { [`work/${file}`]: text } }
  const { code, stderr } = await flagadm(argv, world)
  const { message, hint } = JSON.parse(stderr).error
  return { code, message, hint }
}

test.each([
  '[a-z]+-x',
  '[a-z0-9-]+',
  '[a-z0-9-]',
  '[a-z]{2}',
  '[[:alnum:]]+',
  '[a-z',
  '{project}',
  '{project}-x',
  '*-x',
  '@x',
  '!x',
  '`x',
  '%x',
  '|x',
  '123',
  'true',
  'a: b',
])('the error for the pattern %s without quotes suggests single quotes', async (pattern) => {
  const block = `projects:\n  default:\n    featureNaming:\n      pattern: ${pattern}\n`
  const shared = `defaults: {mode: open, featureNaming: {pattern: ${pattern}}}\nprojects: {default: {}}\n`
  for (const text of pattern === 'a: b' ? [block] : [block, shared]) {
    const hint = expect.stringContaining('single quotes')
    expect(await errorOf(text)).toMatchObject({ code: 2, hint })
  }
})

const inJson = (pattern: string) =>
  `{"projects": {"default": {"featureNaming": {"pattern": ${pattern}}}}}`

test.each(['a.json', 'a.yaml'])(
  'JSON in %s with an unknown escape gets advice for JSON',
  async (file) => {
    expect(await errorOf(inJson('"a\\.b"'), file)).toMatchObject({
      message: `${file}:1:58: not valid YAML or JSON: unknown escape`,
      hint: 'write \\\\ for a backslash',
    })
  },
)

test.each(['["a-z"]', '12', 'null {}'])('JSON with %s gets no advice for YAML', async (pattern) => {
  const hint = expect.not.stringContaining('single quotes')
  expect(await errorOf(inJson(pattern), 'a.json')).toMatchObject({ code: 2, hint })
})

test("the merge key '<<' merges a map", async () => {
  const text = 'a: &base {b: 1}\nc:\n  <<: *base\n  d: 2\n'
  const { data } = await parsePlaced(text, { name: 'x', kind: 'usage' })
  expect(data).toEqual({ a: { b: 1 }, c: { b: 1, d: 2 } })
})

test.each([
  ['mode: open\n  pattern: a\n', "1:7: ': ' in a value without quotes, or wrong indentation"],
  ['a:\n  b: c\n d: e\n', '3:1: wrong indentation, or a missing bracket'],
  ['a: [b\nc: d\n', '2:1: wrong indentation, or a missing bracket'],
  ['a: b\n}\n', '2:1: unexpected text'],
])('the fault of %j is %s', async (text, problem) => {
  const { message, hint } = await errorOf(text)
  expect(message.replace('not valid YAML or JSON: ', '')).toBe(`a.yaml:${problem}`)
  expect(hint).toMatch(/single quotes/)
})

const invalid = 'not valid YAML or JSON'
const alias = `${invalid}: a value that begins with '*', or '<<' with a value that is not a map`
test.each([
  ['a: b: c\n', `x:1:4: ${invalid}: ': ' in a value without quotes`],
  ['a:\n\t- b\n', `x:2:1: ${invalid}: a tab as indentation`],
  ['mode: open\nmode: private\n', `x:2:1: ${invalid}: a duplicate key`],
  ['mode: open\n---\nmode: private\n', `x:2:1: ${invalid}: a second document`],
  ['a: {<<: 3}\n', `x: ${alias}`],
  [
    `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\n`,
    `x: ${alias}`,
  ],
  [`a:\n${'- 1\n'.repeat(10_001)}`, 'x: YAML with more than 10000 entries in one map or list'],
  [`${'['.repeat(101)}${']'.repeat(101)}`, 'x: YAML with more than 100 levels'],
  ['? '.repeat(3_000), 'x: YAML with more than 100 levels'],
  [`# ${'x'.repeat(1_000_000)}\n`, 'x: YAML with more than 1000000 characters'],
])('%.40j… is refused', async (text, message) => {
  await expect(parsePlaced(text, { name: 'x', kind: 'usage' })).rejects.toThrow(message)
})

test('a document that may be larger as JSON says so', async () => {
  const source = { name: 'x.yaml', kind: 'usage' } as const
  await expect(parseDocument(`# ${'x'.repeat(1_000_000)}`, source)).rejects.toMatchObject({
    hint: 'make it smaller, or write it as JSON',
  })
})

test('the position of a value is that of its key or item, or of the closest one that exists', async () => {
  const text = 'a:\n  b: &b\n    c: 1\n  d: [1, {e: 2}]\nf: *b\n"g":\n'
  const { data, positionOf, placeOf } = await parsePlaced(text, { name: 'x', kind: 'usage' })
  expect(data).toEqual({
    a: { b: { c: 1 }, d: [1, { e: 2 }] },
    f: { c: 1 },
    g: null,
  })
  const position = (...path: (string | number)[]) => Object.values(positionOf(path)).join(':')
  expect([position(), position('a', 'b'), position('a', 'b', 'c')]).toEqual(['1:1', '2:3', '3:5'])
  expect([position('a', 'd', 1), position('a', 'd', 1, 'e')]).toEqual(['4:10', '4:11'])
  expect([position('f', 'c'), position('g'), position('a', 'x', 'y')]).toEqual([
    '5:1',
    '6:1',
    '1:1',
  ])
  expect(placeOf(['a', 'b'])).toBe('x:2')
})
