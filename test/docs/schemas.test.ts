import { Ajv } from 'ajv'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, pages, root } from './pages.ts'
import { reports, reportSchema } from './reports.ts'
import { addressOf, jsonSchema, type SchemaName, schemaNames } from './schemas.ts'

// Programs read them: on one line each, they take half as much of the package.
const textOf = (name: SchemaName) => `${JSON.stringify(jsonSchema(name))}\n`

test.each(schemaNames)(
  'schemas/%s.schema.json describes what the program accepts',
  async (name) => {
    const path = `schemas/${name}.schema.json`
    const outdated = `${path} is out of date; run \`npm run docs\` and commit the result`
    await expect(textOf(name), outdated).toMatchFileSnapshot(`${root}/${path}`)
  },
)

test.each(Object.keys(reports))(
  'schemas/%s.schema.json describes what is printed',
  async (name) => {
    const path = `schemas/${name}.schema.json`
    const outdated = `${path} is out of date; run \`npm run docs\` and commit the result`
    const schema = `${JSON.stringify(reportSchema(name))}\n`
    await expect(schema, outdated).toMatchFileSnapshot(`${root}/${path}`)
  },
)

test('docs/stability.md lists the schemas of all reports', () => {
  const { text = '' } = pages.find(({ path }) => path === 'docs/stability.md') ?? {}
  expect(Object.keys(reports).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

const ajv = new Ajv({ strict: true, strictRequired: false })
// Not the files, which the test above may be about to update.
for (const name of schemaNames) ajv.addSchema(JSON.parse(textOf(name)), name)

const MODELINE = /^# yaml-language-server: \$schema=(\S+)$/m

/** The documents of flagadm that the pages show: all YAML and JSON except CI pipelines and rules of Prometheus. */
const documents = pages.flatMap((page) =>
  blocksOf(page)
    .filter(({ language }) => language === 'yaml' || language === 'json')
    .map(({ code }) => ({ path: page.path, code, data: parse(code) }))
    .filter(({ data }) => !isPipeline(data))
    .map((document) => ({ ...document, start: document.code.split('\n', 1)[0] })),
)

function isPipeline(data: object): boolean {
  return ['jobs', 'steps', 'script', 'stage', 'on', 'rules'].some(
    (field) =>
      field in data ||
      Object.values(data)
        .flat()
        .some((part) => part?.[field] !== undefined),
  )
}

describe('the examples of documents', () => {
  it.each(documents)('in $path, $start, matches one schema', ({ code, data }) => {
    const matching = schemaNames.filter((name) => ajv.validate(name, data))
    expect(matching, code).toHaveLength(1)
    const [, modeline] = MODELINE.exec(code) ?? []
    if (modeline !== undefined) expect(matching.map(addressOf)).toEqual([modeline])
  })
})

test('editors can offer the modes, but others are not rejected', () => {
  const { mode } = JSON.parse(textOf('settings')).anyOf[0].properties
  expect(mode.examples).toEqual(['open', 'protected', 'private'])
  expect(ajv.validate('settings', { mode: 'secret' })).toBe(true)
})
