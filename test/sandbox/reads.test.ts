import { expect, test } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import type { Seed } from '../../src/sandbox/seed.ts'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { call, done, put, refusal, smallSeed, usage, withSandbox } from './support.ts'

const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://tracker.test/{{feature}}' }]

const seed: Seed = {
  projects: [
    {
      id: 'garden',
      name: 'The garden',
      mode: 'open',
      featureNaming: { pattern: 'garden-.+' },
      linkTemplates,
    },
  ],
  flags: [
    {
      name: 'garden-gate',
      project: 'garden',
      type: 'kill-switch',
      stale: true,
      createdAt: '2024-02-03T04:05:06Z',
      environments: [
        { name: 'production', enabled: false, lastSeenAt: '2025-01-01T00:00:00Z' },
        { name: 'test', enabled: true, lastSeenAt: null },
        { name: 'staging' },
      ],
      usage: [{ appName: 'a', environment: 'staging', hoursAgo: 5, yes: 1, no: 0 }],
      seenApplications: [],
    },
    { name: 'garden-pond', project: 'garden', usage: [], seenApplications: [] },
  ],
  unknownFlags: [
    { name: 'garden-pont', appName: 'z', environment: 'test' },
    { name: 'garden-gato', appName: 'b', environment: 'test' },
    { name: 'garden-gato', appName: 'a', environment: 'test' },
    { name: 'garden-gato', appName: 'a', environment: 'staging' },
  ],
}

async function get(sandbox: Sandbox, path: string) {
  const { status, body } = await call(sandbox, 'GET', path)
  expect(status).toBe(200)
  return body
}

test('the flags of a project have the values of the seed, and defaults for missing ones', () =>
  withSandbox(
    async (sandbox) => {
      const unseen = { enabled: false, lastSeenAt: null }
      expect(await get(sandbox, '/api/admin/projects/garden/features')).toEqual({
        features: [
          {
            name: 'garden-gate',
            type: 'kill-switch',
            stale: true,
            createdAt: '2024-02-03T04:05:06Z',
            lastSeenAt: '2026-01-05T05:00:00.000Z',
            environments: [
              {
                name: 'production',
                enabled: false,
                lastSeenAt: '2025-01-01T00:00:00Z',
              },
              { name: 'test', enabled: true, lastSeenAt: null },
              {
                name: 'staging',
                enabled: true,
                lastSeenAt: '2026-01-05T05:00:00.000Z',
              },
            ],
          },
          {
            name: 'garden-pond',
            type: 'release',
            stale: false,
            createdAt: '2025-06-02T08:00:00.000Z',
            lastSeenAt: null,
            environments: [
              { name: 'production', ...unseen },
              { name: 'staging', ...unseen },
              { name: 'test', ...unseen },
            ],
          },
        ],
      })
    },
    { seed, frozen: true },
  ))

test('the projects and the overview of one have the values of the seed', () =>
  withSandbox(
    async (sandbox) => {
      expect((await get(sandbox, '/api/admin/projects')).projects).toEqual([
        {
          id: 'garden',
          name: 'The garden',
          mode: 'open',
          featureCount: 2,
          archivedAt: null,
          lastReportedFlagUsage: '2026-01-05T05:00:00.000Z',
        },
      ])
      expect(await get(sandbox, '/api/admin/projects/garden/overview')).toEqual({
        name: 'The garden',
        mode: 'open',
        featureNaming: { pattern: 'garden-.+', example: null, description: null },
        linkTemplates,
        environments: ['production', 'staging', 'test'].map((environment) => ({ environment })),
      })
    },
    { seed, frozen: true },
  ))

test('a project without settings in the seed has empty settings', () =>
  withSandbox(
    async (sandbox) => {
      expect(await get(sandbox, '/api/admin/projects/default/overview')).toMatchObject({
        name: 'default',
        featureNaming: { pattern: null, example: null, description: null },
        linkTemplates: [],
        environments: [{ environment: 'development' }, { environment: 'production' }],
      })
      const { projects } = await get(sandbox, '/api/admin/projects')
      expect(projects[0].lastReportedFlagUsage).toBeNull()
    },
    { seed: { projects: [{ id: 'default', mode: 'open' }], flags: [] } },
  ))

test('the reports of an unknown name are together', () =>
  withSandbox(
    async (sandbox) => {
      const seenAt = '2026-01-05T10:00:00.000Z'
      const at = (environment: string) => ({ environment, seenAt })
      expect(await get(sandbox, '/api/admin/metrics/unknown-flags')).toEqual({
        unknownFlags: [
          {
            name: 'garden-pont',
            lastSeenAt: seenAt,
            reports: [{ appName: 'z', environments: [at('test')] }],
          },
          {
            name: 'garden-gato',
            lastSeenAt: seenAt,
            reports: [
              { appName: 'b', environments: [at('test')] },
              { appName: 'a', environments: [at('test')] },
              { appName: 'a', environments: [at('staging')] },
            ],
          },
        ],
      })
    },
    { seed, frozen: true },
  ))

test('a used flag was last seen just now', () =>
  withSandbox(async (sandbox) => {
    const { features } = await get(sandbox, '/api/admin/projects/checkout/features')
    expect(features[0].environments).toEqual([
      {
        name: 'production',
        enabled: true,
        lastSeenAt: '2026-03-02T10:20:00.000Z',
      },
      {
        name: 'staging',
        enabled: true,
        lastSeenAt: '2026-03-02T10:20:00.000Z',
      },
    ])
  }))

test('the default seed has link templates, a stale flag, all types of flags and a misspelt name', () =>
  withSandbox(
    async (sandbox) => {
      const overview = await get(sandbox, '/api/admin/projects/checkout/overview')
      expect(overview.linkTemplates).toHaveLength(2)
      const { features } = await get(sandbox, '/api/admin/projects/default/features')
      const names = features.filter(({ stale }: { stale: boolean }) => stale)
      expect(names.map(({ name }: { name: string }) => name)).toEqual(['legacy-invoice-export'])
      expect(new Set(defaultSeed.flags.map(({ type = 'release' }) => type))).toEqual(
        new Set(['experiment', 'kill-switch', 'operational', 'permission', 'release']),
      )
      const { unknownFlags } = await get(sandbox, '/api/admin/metrics/unknown-flags')
      expect(unknownFlags).toMatchObject([{ name: 'checkout-expres-pay' }])
    },
    { seed: defaultSeed },
  ))

const validation = '/api/admin/features/validate'

test.each([
  [[], 400, 'ValidationError', 'Request validation failed: expected an object'],
  [{ name: 7 }, 400, 'ValidationError', 'Request validation failed: name: expected string'],
  [{ name: '' }, 400, 'ValidationError', 'Request validation failed: name: must be URL friendly'],
  [
    { name: 'x'.repeat(101) },
    400,
    'ValidationError',
    'Request validation failed: name: must be URL friendly',
  ],
  [
    { name: 'a/b' },
    400,
    'ValidationError',
    'Request validation failed: name: must be URL friendly',
  ],
  [
    { name: '\ud800' },
    400,
    'ValidationError',
    'Request validation failed: name: must be URL friendly',
  ],
  [
    { name: 'x', projectId: 'checkout' },
    400,
    'ValidationError',
    'The name "x" does not match the project\'s naming pattern "checkout-.+"',
  ],
  [{ name: 'unused' }, 409, 'NameExistsError', 'A flag with that name already exists'],
])('the new name in %j is refused with %i %s', (body, status, name, message) =>
  withSandbox(async (sandbox) => {
    expect(await call(sandbox, 'POST', validation, { body: JSON.stringify(body) })).toEqual(
      refusal(status, name, message),
    )
  }),
)

test('a pattern that does not compile accepts every name', () =>
  withSandbox(async (sandbox) => {
    await put(sandbox, 'default', { featureNaming: { pattern: '[a-' } })
    const body = JSON.stringify({ name: 'x', projectId: 'default' })
    expect(await call(sandbox, 'POST', validation, { body })).toEqual(done)
  }))

test.each([
  ['/api/admin/projects', 'READ_PROJECT'],
  ['/api/admin/projects/checkout/overview', 'READ_PROJECT in the project checkout'],
  ['/api/admin/projects/checkout/features', 'READ_FEATURE in the project checkout'],
  ['/api/admin/metrics/unknown-flags', 'READ_FEATURE'],
  ['/api/admin/client-metrics/features/checkout-pay/raw', 'READ_FEATURE in the project checkout'],
])('the key without permissions is refused %s', (path, permission) =>
  withSandbox(async (sandbox) => {
    expect(await call(sandbox, 'GET', path, { key: sandbox.keys.none })).toEqual(
      refusal(403, 'NoAccessError', `You need the permission ${permission}`),
    )
  }),
)

test('the key without permissions can read about the service and its user, without the key', () =>
  withSandbox(async (sandbox) => {
    const key = sandbox.keys.none
    expect(await call(sandbox, 'GET', '/api/admin/ui-config', { key })).toMatchObject({
      status: 200,
      body: { environment: 'Sandbox' },
    })
    expect(await call(sandbox, 'GET', '/api/admin/user', { key })).toEqual({
      status: 200,
      contentType: 'application/json',
      body: {
        user: { username: 'sandbox-viewer' },
        permissions: [],
      },
    })
  }))

const optional = [
  ['GET', '/health'],
  ['GET', '/api/admin/user'],
  ['GET', '/api/admin/ui-config'],
  ['GET', '/api/admin/projects'],
  ['GET', '/api/admin/projects/checkout/overview'],
  ['GET', '/api/admin/projects/checkout/features'],
  ['GET', '/api/admin/metrics/unknown-flags'],
  ['GET', '/api/admin/client-metrics/features/checkout-pay/raw'],
  ['POST', validation],
] as const

test.each(optional)('with specOnly, %s %s gets 404', (method, path) =>
  withSandbox(
    async (sandbox) => {
      expect(await call(sandbox, method, path)).toEqual(
        refusal(404, 'NotFoundError', `The path you were looking for (${path}) is not available`),
      )
      // Nobody needs a key to find out that there is no health.
      const status = path === '/health' ? 404 : 401
      expect(await call(sandbox, method, path, { key: null })).toMatchObject({ status })
    },
    { specOnly: true },
  ),
)

test('with specOnly, usage and settings work, and link templates are refused and not kept', async () => {
  const projects = smallSeed.projects.map((project) => ({ ...project, linkTemplates }))
  await withSandbox(
    async (sandbox) => {
      expect(await usage(sandbox, 'unused')).toMatchObject({ status: 200 })
      expect(await put(sandbox, 'default', { mode: 'private' })).toEqual(done)
      expect(await put(sandbox, 'default', { linkTemplates: [] })).toEqual(
        refusal(400, 'ValidationError', 'Request validation failed: linkTemplates: unknown field'),
      )
    },
    { seed: { ...smallSeed, projects }, specOnly: true },
  )
})
