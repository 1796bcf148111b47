import { expect } from 'vitest'
import { flags, misspelt, project } from './history.ts'
import { type Expected, headersOf, type Target } from './target.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
// The service stores with a delay when a flag was last seen.
const seen = expect.toBeOneOf([null, time])
const text = expect.any(String)

interface Request {
  method?: string
  path: string
  body?: object
  key?: 'full' | 'limited' | 'none'
}

/** Sends a request without flagadm. */
export function send(target: Target, { method, path, body, key = 'full' }: Request) {
  const { Authorization: full, ...headers } = headersOf(target)
  const secret = { full, limited: target.keys.limited, none: undefined }[key]
  return fetch(`${target.url}${path}`, {
    method: method ?? 'GET',
    headers: { ...headers, ...(secret !== undefined && { Authorization: secret }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

function feature(name: string, enabled: boolean, development: unknown, production: unknown) {
  const environments = [
    { name: 'development', enabled, lastSeenAt: development },
    { name: 'production', enabled: false, lastSeenAt: production },
  ]
  return expect.objectContaining({
    name,
    type: 'release',
    stale: false,
    createdAt: time,
    environments: environments.map((environment) => expect.objectContaining(environment)),
  })
}

const listed = (id: string, featureCount: unknown) => {
  return { id, name: text, mode: text, featureCount, archivedAt: null }
}
const listedDefault = listed('default', expect.any(Number))

const reportOf = (appName: string, environment: string) =>
  expect.objectContaining({
    appName,
    environments: [expect.objectContaining({ environment, seenAt: time })],
  })

const noRecords = { version: 1, maturity: 'stable', data: [] }

/** The reads beyond the specification. */
export const reads: readonly [
  path: string,
  status: number,
  body: Expected<Record<string, unknown>>,
][] = [
  ['/health', 200, { health: 'GOOD' }],
  [
    '/api/admin/ui-config',
    200,
    {
      service: { version: '8.2.0', environment: text, maintenanceMode: false },
      sandbox: { version: '8.2.0', environment: text },
      because: 'the sandbox has no maintenance',
    },
  ],
  [
    '/api/admin/projects',
    200,
    {
      service: { projects: [listedDefault] },
      sandbox: { projects: [listedDefault, listed(project, flags.length)] },
      because: 'the open-source build lists only the default project',
    },
  ],
  [
    `/api/admin/projects/${project}/overview`,
    200,
    {
      name: 'Reads',
      mode: text,
      featureNaming: expect.any(Object),
      linkTemplates: expect.any(Array),
      environments: [{ environment: 'development' }, { environment: 'production' }],
    },
  ],
  ['/api/admin/projects/no-such-project/overview', 404, { name: 'NotFoundError', message: text }],
  [
    `/api/admin/projects/${project}/features`,
    200,
    {
      features: expect.arrayContaining([
        feature('reads-stopped', false, null, seen),
        feature('reads-unused', false, null, null),
        feature('reads-used', true, seen, seen),
      ]),
    },
  ],
  ['/api/admin/projects/no-such-project/features', 200, { features: [] }],
  [
    '/api/admin/metrics/unknown-flags',
    200,
    {
      unknownFlags: expect.arrayContaining([
        expect.objectContaining({
          name: misspelt,
          lastSeenAt: time,
          reports: expect.arrayContaining([
            reportOf('mobile-ios', 'production'),
            reportOf('web-shop', 'development'),
          ]),
        }),
      ]),
    },
  ],
  ['/api/admin/client-metrics/features/reads-unused/raw?hoursBack=48', 200, noRecords],
  ['/api/admin/client-metrics/features/no-such-flag/raw?hoursBack=48', 200, noRecords],
]
