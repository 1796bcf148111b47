import { expect } from 'vitest'
import { flags, misspelt, project } from './history.ts'
import { type Expected, headersOf, type Target } from './target.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
// The service stores with a delay when a flag was last seen.
const seen = expect.toBeOneOf([null, time])
const text = expect.any(String)

export interface Read {
  name?: string
  method?: string
  path: string
  body?: object
  key?: 'full' | 'limited' | 'none'
  expected: Expected<{ status: number; body?: object }>
}

/** Sends a request without flagadm. */
export function send(target: Target, { method, path, body, key = 'full' }: Omit<Read, 'expected'>) {
  const { Authorization: full, ...headers } = headersOf(target)
  const secret = { full, limited: target.keys.limited, none: undefined }[key]
  return fetch(`${target.url}${path}`, {
    method: method ?? 'GET',
    headers: { ...headers, ...(secret !== undefined && { Authorization: secret }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

function feature(name: string, enabled: boolean, development: unknown, production: unknown) {
  return {
    name,
    type: 'release',
    stale: false,
    createdAt: time,
    environments: [
      { name: 'development', enabled, lastSeenAt: development },
      { name: 'production', enabled: false, lastSeenAt: production },
    ],
  }
}

function listed(id: string, featureCount: unknown) {
  return {
    id,
    name: text,
    mode: text,
    featureCount,
    archivedAt: null,
  }
}

const missing = { name: 'NotFoundError', message: text }

/** The reads beyond the specification. */
export const reads: readonly Read[] = [
  { name: 'health', path: '/health', expected: { status: 200, body: { health: 'GOOD' } } },
  {
    name: 'health without a key',
    path: '/health',
    key: 'none',
    expected: { status: 200, body: { health: 'GOOD' } },
  },
  {
    name: 'version and edition',
    path: '/api/admin/ui-config',
    expected: {
      status: 200,
      body: {
        version: '8.2.0',
        environment: text,
        maintenanceMode: false,
      },
    },
  },
  {
    name: 'the list of projects',
    path: '/api/admin/projects',
    expected: {
      service: {
        status: 200,
        body: { projects: [listed('default', expect.any(Number))] },
      },
      sandbox: {
        status: 200,
        body: {
          projects: [listed('default', expect.any(Number)), listed(project, flags.length)],
        },
      },
      because: 'the open-source build lists only the default project',
    },
  },
  {
    name: 'the overview of a project',
    path: `/api/admin/projects/${project}/overview`,
    expected: {
      status: 200,
      body: {
        name: 'Reads',
        mode: text,
        featureNaming: expect.any(Object),
        linkTemplates: expect.any(Array),
        environments: [{ environment: 'development' }, { environment: 'production' }],
      },
    },
  },
  {
    name: 'the overview of an unknown project',
    path: '/api/admin/projects/no-such-project/overview',
    expected: { status: 404, body: missing },
  },
  {
    name: 'the flags of a project',
    path: `/api/admin/projects/${project}/features`,
    expected: {
      status: 200,
      body: {
        features: expect.arrayContaining(
          [
            feature('reads-stopped', false, null, seen),
            feature('reads-unused', false, null, null),
            feature('reads-used', true, seen, seen),
          ].map((flag) => {
            const environments = flag.environments.map((it) => expect.objectContaining(it))
            return expect.objectContaining({ ...flag, environments })
          }),
        ),
      },
    },
  },
  {
    name: 'the flags of an unknown project',
    path: '/api/admin/projects/no-such-project/features',
    expected: { status: 200, body: { features: [] } },
  },
  {
    name: 'the unknown names that SDKs evaluate',
    path: '/api/admin/metrics/unknown-flags',
    expected: {
      status: 200,
      body: {
        unknownFlags: expect.arrayContaining([
          expect.objectContaining({
            name: misspelt,
            lastSeenAt: time,
            reports: expect.arrayContaining([
              expect.objectContaining({
                appName: 'mobile-ios',
                environments: [
                  expect.objectContaining({ environment: 'production', seenAt: time }),
                ],
              }),
              expect.objectContaining({
                appName: 'web-shop',
                environments: [
                  expect.objectContaining({ environment: 'development', seenAt: time }),
                ],
              }),
            ]),
          }),
        ]),
      },
    },
  },
  {
    name: 'the raw metrics of an unused flag',
    path: '/api/admin/client-metrics/features/reads-unused/raw?hoursBack=48',
    expected: { status: 200, body: { version: 1, maturity: 'stable', data: [] } },
  },
  {
    name: 'the raw metrics of an unknown flag',
    path: '/api/admin/client-metrics/features/no-such-flag/raw?hoursBack=48',
    expected: { status: 200, body: { version: 1, maturity: 'stable', data: [] } },
  },
]

/** Requests that need an admin key and that flagadm does not make. */
export const guarded: readonly Omit<Read, 'expected'>[] = [
  { name: 'raw metrics', path: '/api/admin/client-metrics/features/reads-used/raw' },
]
