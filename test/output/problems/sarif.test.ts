import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { version } from '../../../package.json'
import type { Problem } from '../../../src/output/problems.ts'
import { anyItems, dangerous, items, printed } from './items.ts'

const kinds = [
  { id: 'naming', description: 'the name breaks the rule' },
  { id: 'redundant-anchor', description: 'an anchor that the service adds itself' },
  { id: 'no-example', description: 'the rule has no example' },
]

const fallbackPath = 'naming.yaml'

const sarif = (problems: readonly Problem[]) => printed('sarif', problems, { kinds, fallbackPath })

interface Log {
  runs: {
    results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[]
  }[]
}

// The published schema, from the package of Microsoft's SARIF SDK.
const path = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
)
// Ajv supports only later drafts of JSON Schema; without these two fields it accepts this schema.
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, 'utf8'))
const ajv = new Ajv({ strict: false, unicodeRegExp: false })
addFormats.default(ajv)
const validate = ajv.compile<Log>(schema)

async function parsed(all: readonly Problem[]): Promise<Log> {
  const log: unknown = JSON.parse(await sarif(all))
  if (!validate(log)) throw new Error(JSON.stringify(validate.errors))
  return log
}

async function uris(all: readonly Problem[]): Promise<(string | undefined)[]> {
  const results = (await parsed(all)).runs.flatMap((run) => run.results)
  return results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri)
}

it('writes rules and results of one run', async () => {
  expect(await parsed(items)).toEqual({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'flagadm',
            semanticVersion: version,
            rules: [
              { id: 'naming', shortDescription: { text: 'the name breaks the rule' } },
              {
                id: 'redundant-anchor',
                shortDescription: { text: 'an anchor that the service adds itself' },
              },
              { id: 'no-example', shortDescription: { text: 'the rule has no example' } },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'naming',
            ruleIndex: 0,
            level: 'error',
            message: { text: 'NewUi: does not match the rule; did you mean new-ui' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'src/a.ts' },
                  region: { startLine: 3, startColumn: 12 },
                },
              },
            ],
          },
          {
            ruleId: 'naming',
            ruleIndex: 0,
            level: 'error',
            message: { text: 'x: is too long' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'src/a.ts' },
                  region: { startLine: 120, startColumn: 5 },
                },
              },
            ],
          },
          {
            ruleId: 'redundant-anchor',
            ruleIndex: 1,
            level: 'warning',
            message: { text: 'the service adds ^ itself' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'rules/my%20rule.yaml' },
                  region: { startLine: 2 },
                },
              },
            ],
          },
          {
            ruleId: 'no-example',
            ruleIndex: 2,
            level: 'note',
            message: { text: 'an example helps people who create a flag' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'naming.yaml' },
                  region: { startLine: 1 },
                },
              },
            ],
          },
        ],
      },
    ],
  })
})

it('is refused by the schema when something is wrong, so that the schema is known to work', async () => {
  const log: unknown = JSON.parse((await sarif(items)).replace('"note"', '"info"'))
  expect(validate(log)).toBe(false)
})

it('writes a run without results when there are no items', async () => {
  expect((await parsed([])).runs).toMatchObject([{ results: [] }])
})

it.each([
  ['src/a b.ts', 'src/a%20b.ts'],
  ['../a#b?c.ts', '../a%23b%3Fc.ts'],
  ['a:b/c%41.ts', 'a%3Ab/c%2541.ts'],
  ['\u001b[31m\n\u202e.ts', '%1B%5B31m%0A%E2%80%AE.ts'],
  ['\ud800é.ts', '%EF%BF%BD%C3%A9.ts'],
])('refers to the file %j by %s', async (file, uri) => {
  expect(await uris([{ code: 'naming', severity: 'error', message: 'm', file }])).toEqual([uri])
})

it('leaves out the column of a line without one, and refers to the first line of a file without one', async () => {
  const item = { code: 'naming', severity: 'error', message: 'm', file: 'a' } as const
  expect(await sarif([item])).toContain(
    '"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a"},"region":{"startLine":1}}}]',
  )
})

it('shows a name that looks like a link as text', async () => {
  const name = '[click](https://evil.example) [a-z]{2}'
  const report = await sarif([{ code: 'naming', severity: 'error', message: 'm', name }])
  expect(report).toContain('"text":"\\\\[click](https://evil.example) [a-z]{2}: m"')
})

it('is valid for any items, and its addresses decode to their files', async () => {
  await fc.assert(
    fc.asyncProperty(anyItems, async (any) => {
      const files = any.map(({ file = fallbackPath }) => file.replace(/\p{Cs}/gu, '\ufffd'))
      expect((await uris(any)).map((uri) => uri && decodeURIComponent(uri))).toEqual(files)
      expect(await sarif(any)).not.toMatch(dangerous)
    }),
  )
})
