import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Problem } from '../../../src/output/problems.ts'
import { anyItems, dangerous, items, printed } from './items.ts'

const schema = new URL('schemas/gitlab-code-quality.json', import.meta.url)
const validate = new Ajv().compile<{ fingerprint: string; location: { path: string } }[]>(
  JSON.parse(readFileSync(schema, 'utf8')),
)

async function parsed(all: readonly Problem[], more: Parameters<typeof printed>[2] = {}) {
  const issues: unknown = JSON.parse(await printed('gitlab', all, more))
  if (!validate(issues)) throw new Error(JSON.stringify(validate.errors))
  return issues
}

it('writes an issue for each item, with the fallback path where there is no file', async () => {
  expect(await printed('gitlab', items.slice(0, 1))).toBe(
    '[{"description":"NewUi: does not match the rule; did you mean new-ui","check_name":"naming","fingerprint":"872813b8c556b02076d11e8ea85fcc232645e8e673ab9b00159c28b174b87511","severity":"major","location":{"path":"src/a.ts","lines":{"begin":3}}}]\n',
  )
  expect(await parsed(items.slice(2))).toMatchObject([
    {
      description: 'the service adds ^ itself',
      check_name: 'redundant-anchor',
      severity: 'minor',
      location: { path: 'rules/my rule.yaml', lines: { begin: 2 } },
    },
    {
      description: 'an example helps people who create a flag',
      check_name: 'no-example',
      severity: 'info',
      location: { path: 'flagadm.yaml', lines: { begin: 1 } },
    },
  ])
})

it('writes an empty array without items', async () => {
  expect(await printed('gitlab', [])).toBe('[]\n')
})

it('keeps the fingerprint of an item when lines are added above it', async () => {
  const moved = items.map((item) => (item.line ? { ...item, line: item.line + 10 } : item))
  const fingerprints = async (all: Problem[]) =>
    (await parsed(all)).map(({ fingerprint }) => fingerprint)
  expect(await fingerprints(moved)).toEqual(await fingerprints(items))
})

it('keeps hostile paths as they are and shows hostile names by visible escapes', async () => {
  const name = '\u001b[31m\n##[group]'
  const item = {
    code: 'naming',
    severity: 'error',
    message: 'is illegal',
    name,
    file: name,
  } as const
  const report = await printed('gitlab', [item])
  expect(report).toContain('"description":"\\\\x1b[31m\\\\x0a#\\\\x23[group]: is illegal"')
  expect(report).toContain('"path":"\\u001b[31m\\n#\\u0023[group]"')
})

it('is valid for any items, each with a unique fingerprint', async () => {
  await fc.assert(
    fc.asyncProperty(anyItems, async (any) => {
      const twice = [...any, ...any]
      const issues = await parsed(twice, { fallbackPath: 'rules.yaml' })
      const paths = twice.map(({ file }) => file ?? 'rules.yaml')
      expect(issues.map(({ location }) => location.path)).toEqual(paths)
      const fingerprints = issues.map(({ fingerprint }) => fingerprint)
      expect(new Set(fingerprints).size).toBe(twice.length)
      expect(await printed('gitlab', twice)).not.toMatch(dangerous)
    }),
  )
})
