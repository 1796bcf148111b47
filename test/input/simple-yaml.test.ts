import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSimpleYaml } from '../../src/input/simple-yaml.ts'
import { readYaml } from '../../src/input/yaml.ts'
import { yamlReport } from '../../src/output/yaml.ts'

/** The data of a document according to the YAML library; undefined if it is malformed. */
function libraryData(text: string): { data: unknown } | undefined {
  try {
    return { data: readYaml(text, { name: 'a.yaml', kind: 'usage' }, '').data }
  } catch {
    return undefined
  }
}

test.each([
  ['a: b\n', { a: 'b' }],
  ['# one\n\na:\n  # two\n  b: c d\n# three\n', { a: { b: 'c d' } }],
  ['"a b": "c\\n\\u00e9"\nb: \'it\'\'s\'\n', { 'a b': 'c\né', b: "it's" }],
  ['a: null\nb: {}\nc: []\n', { a: null, b: {}, c: [] }],
  [
    'a: |-\n  one\n\n    two\nb: |\n  x\nc: |+\n  y\n\n',
    { a: 'one\n\n  two', b: 'x\n', c: 'y\n\n' },
  ],
  ['a:\n- b: c\n  d: e\n- b: f\n', { a: [{ b: 'c', d: 'e' }, { b: 'f' }] }],
  ['a:\n  - b:\n      c: d\ne: f\n', { a: [{ b: { c: 'd' } }], e: 'f' }],
  ['$schema: https://a.test/b#c\n', { $schema: 'https://a.test/b#c' }],
  ['a: [a-z]+\n', undefined],
  ['a: (x)[a-z]+\\d{2}, "é"\n', { a: '(x)[a-z]+\\d{2}, "é"' }],
])('%j is read', (text, data) => {
  expect(readSimpleYaml(text)?.data).toEqual(data)
  if (data !== undefined) expect(libraryData(text)).toEqual({ data })
})

test.each([
  ...['a: 1\n', 'a: true\n', 'a: NULL\n', 'a: ~\n', 'a: .5\n', 'a: &x b\n', 'a: *x\n', 'a: !x b\n'],
  ...[
    'a: b',
    'a:\n',
    'a: b\na: c\n',
    'a: b\n  c\n',
    'a: b: c\n',
    'a: b # c\n',
    'a:  b\n',
    'a: b \n',
  ],
  ...[
    'a: {b: c}\n',
    'a: >\n  b\n',
    'a: |2\n  b\n',
    'a: |\n\n  b\n',
    'a: |\nb: c\n',
    'a: |\n    \n  b\n',
    'a: |\n  b\n c\n',
  ],
  ...[
    '---\na: b\n',
    'a: b\n---\n',
    '%YAML 1.1\n',
    'a:\tb\n',
    'a: b\r\n',
    '__proto__: b\n',
    'null: b\n',
  ],
  ...[
    '"__proto__": b\n',
    'a:\n- b\n',
    'a:\n- - b: c\n',
    '- a: b\n',
    '',
    '\n',
    '# a\n',
    'a: "b" c\n',
  ],
  ...[
    'a:\n  b: c\n d: e\n',
    'a: b\n- c: d\n',
    '<<: b\n',
    '1: b\n',
    '? a\n',
    `${'a:\n '.repeat(9)}`,
  ],
])('%j is left to the YAML library', (text) => {
  expect(readSimpleYaml(text)).toBeUndefined()
})

const scalars = [
  'b',
  'c d',
  '(x)',
  '1',
  'true',
  '"q"',
  '"\\n"',
  "'it''s'",
  "'",
  'null',
  '{}',
  '[]',
  '- x',
  '#',
  'x #y',
]
const values = ['', ' |', ' |-', ' |+', '  z', ' y ', ...scalars.map((text) => ` ${text}`)]
const keys = [
  ...['a', 'b', 'c', 'd', 'e.f', 'g-h', 'i_j', '$k', '"l m"', 'n', 'o', 'p', '- a', '- b', '- c'],
  ...["'q'", '1', 'null', '__proto__', 'constructor', '-  a'],
]
const line = fc
  .tuple(
    fc.constantFrom(0, 0, 1, 2, 2, 2, 3, 4, 4),
    fc.constantFrom(...keys),
    fc.constantFrom(...values),
  )
  .map(([indent, key, value]) => `${' '.repeat(indent)}${key}:${value}`)
const other = fc.constantFrom(
  '',
  '',
  '  ',
  '    ',
  '# c',
  '  # c',
  '    x',
  '  x',
  '- x',
  '---',
  '...',
  '\tx',
)
const document = fc
  .array(fc.oneof({ weight: 3, arbitrary: line }, other), { minLength: 1, maxLength: 8 })
  .map((lines) => `${lines.join('\n')}\n`)

test('what is read from any lines is what the YAML library reads', () => {
  fc.assert(
    fc.property(document, (text) => {
      const read = readSimpleYaml(text)
      if (read) expect(JSON.stringify(read)).toBe(JSON.stringify(libraryData(text)))
    }),
    { numRuns: 5000 },
  )
})

const anyText = fc.constantFrom(
  ...[
    'feat-[a-z0-9]+(-[a-z0-9]+)*',
    '[a-z]+',
    '\\d{2}',
    '^feat',
    'open',
    'https://a.test/{{feature}}?a=b#c',
  ],
  ...[
    'One,\ntwo',
    'one\n\n  two\n',
    'x\n\n',
    'a: b',
    ' x ',
    '',
    '- a',
    '\n\n',
    "it's",
    '"q"',
    '1',
    'null',
  ],
)
const tree = fc.letrec<{ map: Record<string, unknown>; value: unknown }>((tie) => ({
  map: fc.dictionary(fc.constantFrom('mode', 'a', 'b-c', 'x y', 'two words', '1'), tie('value'), {
    minKeys: 1,
    maxKeys: 3,
  }),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyText,
    fc.array(tie('map'), { maxLength: 2 }),
    tie('map'),
  ),
}))

test('documents that flagadm writes are read as the YAML library reads them', () => {
  let count = 0
  fc.assert(
    fc.property(tree.map, (data) => {
      const text = yamlReport(data)
      const read = readSimpleYaml(text)
      if (!read) return
      count++
      expect(JSON.stringify(read)).toBe(JSON.stringify(libraryData(text)))
    }),
    { numRuns: 500 },
  )
  expect(count).toBeGreaterThan(50)
})

const edits: readonly ((line: string) => string[])[] = [
  () => [],
  (line) => [line, line],
  (line) => [`  ${line}`],
  (line) => [` ${line}`],
  (line) => [line.replace('  ', '')],
  (line) => [line, ''],
  (line) => [line, '# c'],
  (line) => ['    # c', line],
  (line) => [line, '  '],
  (line) => [`${line} `],
  (line) => [`${line} # c`],
  (line) => [line.replace(/: .*/, ':')],
  (line) => [line.replace(':', ': |')],
  (line) => [line.replace('|-', '|+')],
  (line) => [line.replace('- ', '')],
  (line) => [line.replace(/^( *)/, '$1- ')],
]

test('documents with a line changed are read as the YAML library reads them', () => {
  const edit = fc.record({ at: fc.nat(12), change: fc.constantFrom(...edits) })
  fc.assert(
    fc.property(tree.map, edit, (data, { at, change }) => {
      const lines = yamlReport(data).split('\n')
      const text = lines.flatMap((line, i) => (i === at ? change(line) : [line])).join('\n')
      const read = readSimpleYaml(text)
      if (read) expect(JSON.stringify(read)).toBe(JSON.stringify(libraryData(text)))
    }),
    { numRuns: 1000 },
  )
})
