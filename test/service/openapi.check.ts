// The documents of the real service, with which test/support/documented.ts checks what the services of tests send.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { checkDocument } from '../support/documented.ts'
import { type Excerpt, excerptOf } from './excerpt.ts'
import { admin, createFlag, createProject, read } from './service.ts'

const id = 'openapi'
const project = `/api/admin/projects/${id}`
const flags = `${project}/features`
const longEnough = 180_000

const { operations }: Excerpt = JSON.parse(
  readFileSync(new URL('openapi.json', import.meta.url), 'utf8'),
)
const paths = Object.keys(operations)
  .filter((name) => name.startsWith('GET '))
  .map((name) =>
    name
      .slice('GET '.length)
      .replace('{projectId}', id)
      .replace(/\{\w+\}/, 'parent'),
  )

/** A document as `npm run format` writes it. */
function formatted(document: object): string {
  const argv = ['biome', 'format', '--stdin-file-path=openapi.json']
  return execFileSync('npx', argv, { input: JSON.stringify(document), encoding: 'utf8' })
}

/** Changes something; returns the text of the response. */
async function change(path: string, body?: object): Promise<string> {
  const response = await admin('POST', path, body)
  expect(response.ok).toBe(true)
  return response.text()
}

beforeAll(async () => {
  await createProject(id, 'OpenAPI')
  await createFlag('parent', { development: 100 }, id)
  await createFlag('child', {}, id)
  await createFlag('archived', {}, id)
  await change(`${flags}/child/dependencies`, { feature: 'parent' })
  await change(`${project}/archive`, { features: ['archived'] })
}, longEnough)

test('openapi.json is an excerpt of the document of the service', async () => {
  const excerpt = excerptOf(await read('/docs/openapi.json'))
  await expect(formatted(excerpt)).toMatchFileSnapshot('openapi.json')
})

test.each([...paths, `${flags}/child`, '/api/admin/search/features?archived=IS:true&query=arch'])(
  'the service sends what is checked for %s',
  async (url) => {
    const document = await read(url)
    checkDocument({ method: 'GET', url, status: 200, document })
  },
)

test('the service sends no document after switching off, though it is documented', async () => {
  expect(await change(`${flags}/parent/environments/development/off`)).toBe('')
})
