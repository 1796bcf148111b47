import { describe, expect, it } from 'vitest'
import { examples } from '../support/operations.ts'
import { open, refusal, smallSeed } from './support.ts'

const seed = {
  projects: [{ id: 'default', mode: 'open' as const }],
  flags: ['some-flag', 'old-flag'].map((name) => ({ name, project: 'default' })),
}

describe.each(examples)('the sandbox route of the operation %s', (_name, request, operation) => {
  const { method, path, body } = request
  const { section, success = 200 } = operation
  const sent = body ? { body } : {}

  it('exists with specOnly if the specification describes the operation', async () => {
    const { call } = await open({ seed, specOnly: true })
    const expected = section === undefined ? 404 : success
    expect((await call(method, path, sent)).status).toBe(expected)
  })
})

it.each(examples.filter(([, , { grants }]) => grants))(
  'the operation %s changes something, and refuses a body of the wrong type',
  async (_name, { method, path, body }, { success = 200 }) => {
    let changes = 0
    const { call } = await open({ seed, onChange: () => changes++ })
    const sent = body ? { body } : {}
    expect((await call(method, path, sent)).status).toBe(success)
    expect((await call(method, path, { body: '"x"' })).status).toBe(400)
    expect(changes).toBe(1)
  },
)

const settings = '/api/admin/projects/default/settings'
const usage = '/api/admin/client-metrics/features'
const notFound = (message: string) => refusal(404, 'NotFoundError', message)
const unavailable = (path: string) =>
  notFound(`The path you were looking for (${path}) is not available`)

it.each([null, '', '*:*.0123', 'Bearer *:*.5a9db0c500000000000000000000000000000000f011acce55'])(
  'the key %j is refused with 401, even for an unknown path',
  async (key) => {
    const { call } = await open()
    const unauthenticated = refusal(
      401,
      'AuthenticationRequired',
      'You must send one of the API keys of this sandbox in Authorization',
    )
    expect(await call('PUT', settings, { key, body: '{' })).toEqual(unauthenticated)
    expect(await call('GET', '/nowhere', { key })).toEqual(unauthenticated)
  },
)

it.each([
  ['PUT', settings, 'UPDATE_PROJECT in the project default'],
  ['GET', `${usage}/checkout-pay`, 'READ_FEATURE in the project checkout'],
  ['GET', `${usage}/x`, 'READ_FEATURE'],
])('the key without permissions is refused %s %s', async (method, path, permission) => {
  const { call, keys } = await open()
  expect(await call(method, path, { key: keys.none, type: null })).toEqual(
    refusal(403, 'NoAccessError', `You need the permission ${permission}`),
  )
})

it('the key without permissions can read about its user, without the key', async () => {
  const { call, keys } = await open()
  const { body } = await call('GET', '/api/admin/user', { key: keys.none })
  expect(body).toEqual({ user: { username: 'sandbox-viewer' }, permissions: [] })
})

it.each([
  ['GET', '/'],
  ['GET', settings],
  ['PUT', `${settings}/`],
])('%s %s gets 404 for an unknown path', async (method, path) => {
  const { call } = await open()
  expect(await call(method, path)).toEqual(unavailable(path))
})

it.each(['nowhere', '__proto__', 'constructor'])(
  'the unknown project or flag %s gets 404',
  async (name) => {
    const { call, put } = await open()
    expect(await put(name, {})).toEqual(notFound(`No project with the id ${name} exists`))
    const flag = await call('GET', `${usage}/${name}`)
    expect(flag).toEqual(notFound(`No feature flag with the name ${name} exists`))
  },
)

it('specOnly refuses other paths only with a key, and keeps no link templates', async () => {
  const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://tracker.test/{{feature}}' }]
  const projects = smallSeed.projects.map((project) => ({ ...project, linkTemplates }))
  const { call, project, put } = await open({ seed: { ...smallSeed, projects }, specOnly: true })
  expect(await call('GET', '/api/admin/projects')).toEqual(unavailable('/api/admin/projects'))
  expect((await call('GET', '/api/admin/projects', { key: null })).status).toBe(401)
  // The health check needs no key, even where it does not exist.
  expect((await call('GET', '/health', { key: null })).status).toBe(404)
  expect(project('default')?.linkTemplates).toEqual([])
  expect(await put('default', { linkTemplates: [] })).toEqual(
    refusal(400, 'ValidationError', 'Request validation failed: linkTemplates: unknown field'),
  )
})
