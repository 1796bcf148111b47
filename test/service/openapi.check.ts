// The documents of the real service, with which test/support/documented.ts checks what the services of tests send.
import { beforeAll, expect, test } from 'vitest'
import { type Operation, operations } from '../../src/service/operations.ts'
import { checkDocument } from '../support/documented.ts'
import { documentText } from './openapi.ts'
import { admin, createFlag, createProject, read } from './service.ts'

const id = 'openapi'
const project = `/api/admin/projects/${id}`
const flags = `${project}/features`
const longEnough = 180_000

// Not the two operations of the specification, which other servers answer in their own way, and none of older versions.
// The statistics have fields that the service does not document.
const undocumented = operations.statistics.path
const paths = Object.values<Operation>(operations)
  .filter(({ method, section, until }) => method === 'GET' && !section && !until)
  .filter(({ path }) => path !== undocumented)
  .map(({ path }) => path.replace(/\?.*/, '').replace(':projectId', id).replace(/:\w+/, 'parent'))

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

test('openapi.json is the document of the service, reduced', async () => {
  const text = documentText(await read('/docs/openapi.json'))
  await expect(text).toMatchFileSnapshot('openapi.json')
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
