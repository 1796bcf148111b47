import { describe, expect, it } from 'vitest'
import { routes } from '../../src/sandbox/routes.ts'
import { examples as allExamples } from '../support/operations.ts'
import { open, refusal, smallSeed } from './support.ts'

// The sandbox is like the newest version.
const examples = allExamples.filter(([, , { until }]) => until === undefined)

const seed = {
  projects: [{ id: 'default', mode: 'open' as const }],
  flags: ['some-flag', 'old-flag'].map((name) => ({ name, project: 'default' })),
}

/** A method and a path without its query, and without the names of its parameters, which differ in the sandbox. */
const lineOf = (method: string, path: string) =>
  `${method} ${path.replace(/\?.*/, '').replaceAll(/:\w+/g, ':')}`

const stated = new Map(
  Object.entries(routes).map(([line, route]) => {
    const [method = '', path = ''] = line.split(' ')
    return [lineOf(method, path), route] as const
  }),
)

describe.each(examples)('the sandbox route of the operation %s', (_name, request, operation) => {
  const { method, path, body } = request
  const { section, success = 200 } = operation
  const sent = body ? { body } : {}

  it('states the same as the operation', () => {
    const { access, permission, grants } = operation
    const line = lineOf(operation.method, operation.path)
    const route = stated.get(line)
    expect(route, `src/sandbox/routes.ts needs a route for ${line}`).toBeDefined()
    // An admin key needs no permission to read; the sandbox has a key that may not.
    const readPermission = access === undefined ? expect.stringMatching(/^READ_/) : undefined
    expect(route).toEqual({
      permission: permission ?? readPermission,
      isPublic: access === 'none' ? true : undefined,
      isSpecified: section === undefined ? undefined : true,
      isChange: grants === undefined ? undefined : true,
      success: operation.success,
      handle: expect.any(Function),
    })
  })

  it('exists with specOnly if the specification describes the operation', async () => {
    const { call } = await open({ seed, specOnly: true })
    const expected = section === undefined ? 404 : success
    expect((await call(method, path, sent)).status).toBe(expected)
  })
})

it('every sandbox route is that of an operation', () => {
  const known = examples.map(([, , { method, path }]) => lineOf(method, path))
  expect([...stated.keys()].toSorted()).toEqual([...new Set(known)].toSorted())
})

const changes = examples.filter(([, , { grants }]) => grants)

it.each(changes)('the operation %s changes something', async (_name, request, operation) => {
  const { method, path, body } = request
  let count = 0
  const { call } = await open({ seed, onChange: () => count++ })
  const { status } = await call(method, path, body ? { body } : {})
  expect(status).toBe(operation.success ?? 200)
  expect(count).toBe(1)
})

it.each(changes.filter(([, { body }]) => body))(
  'the operation %s refuses a body of the wrong type, and changes nothing',
  async (_name, { method, path }) => {
    let count = 0
    const { call } = await open({ seed, onChange: () => count++ })
    expect((await call(method, path, { body: '"x"' })).status).toBe(400)
    expect(count).toBe(0)
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
