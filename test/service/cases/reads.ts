import { expect } from 'vitest'
import { type Expected, headersOf, type Target } from './target.ts'

/** The project that these cases read, and its flags. */
export const project = 'reads'
export const flags = ['reads-stopped', 'reads-unused', 'reads-used'] as const
/** The flag that is on in development; all others are off everywhere. */
export const enabledFlag = 'reads-used'

interface Report {
  flag: string
  appName: string
  environment: 'development' | 'production'
  hoursAgo: number
  yes: number
  no: number
  variants?: Record<string, number>
}

const web = { appName: 'web-shop', environment: 'development' } as const
const ios = { appName: 'mobile-ios', environment: 'production' } as const

/** What was reported of these flags, into which hour before the current one. */
export const reports: readonly Report[] = [
  { flag: 'reads-used', ...web, hoursAgo: 0, yes: 3, no: 1, variants: { blue: 2, green: 1 } },
  { flag: 'reads-used', ...web, hoursAgo: 3, yes: 5, no: 2 },
  { flag: 'reads-used', ...ios, hoursAgo: 47, yes: 7, no: 0 },
  { flag: 'reads-stopped', ...ios, hoursAgo: 30, yes: 4, no: 0 },
]

/** A name without a flag, and who asks for it. */
export const misspelt = 'reads-misspelt'
export const misspeltReports: readonly Report[] = [
  { flag: misspelt, ...web, hoursAgo: 0, yes: 1, no: 0 },
  { flag: misspelt, ...ios, hoursAgo: 0, yes: 1, no: 0 },
]

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
const text = expect.any(String)

export interface Read {
  name?: string
  method?: 'POST' | 'PUT'
  path: string
  body?: object
  key?: 'full' | 'limited' | 'none'
  answer: Expected<{ status: number; body?: object }>
}

/** Sends a request that flagadm may send, with nothing between. */
export function send(target: Target, { method, path, body, key = 'full' }: Omit<Read, 'answer'>) {
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
    description: null,
    stale: false,
    createdAt: time,
    impressionData: false,
    environments: [
      { name: 'development', type: 'development', enabled, lastSeenAt: development },
      { name: 'production', type: 'production', enabled: false, lastSeenAt: production },
    ],
  }
}

function listed(id: string, featureCount: unknown) {
  return {
    id,
    name: text,
    mode: text,
    featureCount,
    createdAt: time,
    archivedAt: null,
    health: expect.any(Number),
    memberCount: expect.any(Number),
  }
}

const missing = { name: 'NotFoundError', message: text }

/** What can be read beyond the specification. */
export const reads: readonly Read[] = [
  { name: 'health', path: '/health', answer: { status: 200, body: { health: 'GOOD' } } },
  {
    name: 'health without a key',
    path: '/health',
    key: 'none',
    answer: { status: 200, body: { health: 'GOOD' } },
  },
  {
    name: 'version and edition',
    path: '/api/admin/ui-config',
    answer: {
      status: 200,
      body: {
        version: '8.2.0',
        environment: text,
        versionInfo: { current: { oss: '8.2.0', enterprise: '' } },
        flags: { extendedUsageMetrics: false },
        maintenanceMode: false,
      },
    },
  },
  {
    name: 'the list of projects',
    path: '/api/admin/projects',
    answer: {
      service: {
        status: 200,
        body: { version: 1, projects: [listed('default', expect.any(Number))] },
      },
      sandbox: {
        status: 200,
        body: {
          version: 1,
          projects: [listed('default', expect.any(Number)), listed(project, flags.length)],
        },
      },
      because: 'the open-source build lists only the default project',
    },
  },
  {
    name: 'the overview of a project',
    path: `/api/admin/projects/${project}/overview`,
    answer: {
      status: 200,
      body: {
        name: 'Reads',
        description: null,
        mode: text,
        featureNaming: expect.any(Object),
        linkTemplates: expect.any(Array),
        environments: [{ environment: 'development' }, { environment: 'production' }],
        defaultStickiness: 'default',
        health: expect.any(Number),
        featureTypeCounts: [{ type: 'release', count: flags.length }],
        members: expect.any(Number),
        createdAt: time,
        updatedAt: time,
        version: 1,
      },
    },
  },
  {
    name: 'the overview of an unknown project',
    path: '/api/admin/projects/no-such-project/overview',
    answer: { status: 404, body: missing },
  },
  {
    name: 'the flags of a project',
    path: `/api/admin/projects/${project}/features`,
    answer: {
      status: 200,
      body: {
        version: 2,
        features: expect.arrayContaining(
          [
            feature('reads-stopped', false, null, time),
            feature('reads-unused', false, null, null),
            feature('reads-used', true, time, time),
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
    answer: { status: 200, body: { version: 2, features: [] } },
  },
  {
    name: 'the names that SDKs ask for and no flag has',
    path: '/api/admin/metrics/unknown-flags',
    answer: {
      status: 200,
      body: {
        unknownFlags: expect.arrayContaining([
          {
            name: misspelt,
            lastSeenAt: time,
            lastEventAt: null,
            reports: [
              {
                appName: 'mobile-ios',
                environments: [{ environment: 'production', seenAt: time }],
              },
              { appName: 'web-shop', environments: [{ environment: 'development', seenAt: time }] },
            ],
          },
        ]),
      },
    },
  },
  {
    name: 'the raw metrics of an unused flag',
    path: '/api/admin/client-metrics/features/reads-unused/raw?hoursBack=48',
    answer: { status: 200, body: { version: 1, maturity: 'stable', data: [] } },
  },
  {
    name: 'the raw metrics of an unknown flag',
    path: '/api/admin/client-metrics/features/no-such-flag/raw?hoursBack=48',
    answer: { status: 200, body: { version: 1, maturity: 'stable', data: [] } },
  },
]

/** The paths that need a key, and answer a client key with 403. */
export const guarded: readonly Omit<Read, 'answer'>[] = [
  { name: 'the list of projects', path: '/api/admin/projects' },
  { name: 'an overview', path: `/api/admin/projects/${project}/overview` },
  { name: 'the flags of a project', path: `/api/admin/projects/${project}/features` },
  { name: 'unknown names', path: '/api/admin/metrics/unknown-flags' },
  { name: 'raw metrics', path: '/api/admin/client-metrics/features/reads-used/raw' },
  {
    name: 'a new name',
    method: 'POST',
    path: '/api/admin/features/validate',
    body: { name: 'free' },
  },
]

const refused = { name: 'BadDataError', message: text }
const refusedHere = { id: text, name: 'ValidationError', message: text }

function illegal(name: string, body: object): NewName {
  return {
    name,
    body,
    answer: {
      service: { status: 400, body: refused },
      sandbox: { status: 400, body: refusedHere },
      because: 'the specification calls it ValidationError',
    },
  }
}

interface NewName extends Pick<Read, 'name' | 'answer'> {
  body: object
}

/** Names for new flags; the project's rule is `reads-.+`. */
export const newNames: readonly NewName[] = [
  { name: 'a free name', body: { name: 'free' }, answer: { status: 200 } },
  {
    name: 'a free name that follows the rule',
    body: { name: 'reads-new', projectId: project },
    answer: { status: 200 },
  },
  {
    name: 'a free name in an unknown project',
    body: { name: 'free', projectId: 'no-such-project' },
    answer: { status: 200 },
  },
  {
    name: 'a free name without a project',
    body: { name: 'free', projectId: null },
    answer: { status: 200 },
  },
  {
    name: 'a name that is taken',
    body: { name: 'reads-used' },
    answer: { status: 409, body: { name: 'NameExistsError', message: text } },
  },
  {
    name: 'a name that is taken, in another project',
    body: { name: 'reads-used', projectId: 'default' },
    answer: { status: 409, body: { name: 'NameExistsError', message: text } },
  },
  {
    name: 'a name against the rule',
    body: { name: 'free', projectId: project },
    answer: {
      service: { status: 400, body: { name: 'PatternError', message: text } },
      sandbox: { status: 400, body: refusedHere },
      because: 'the sandbox has one name for every 400, that of the specification',
    },
  },
  illegal('a name with a space', { name: 'a b' }),
  illegal('an empty name', { name: '' }),
  illegal('two dots', { name: '..' }),
  illegal('a name of 101 characters', { name: 'x'.repeat(101) }),
  illegal('no name', {}),
]

/** Spans of raw metrics in hours, as sent, and the number of hour buckets that come back. */
export const spans: readonly [query: string, buckets: number][] = [
  ['?hoursBack=1', 1],
  ['?hoursBack=2', 2],
  ['?hoursBack=4', 4],
  ['?hoursBack=24', 24],
  ['?hoursBack=48', 48],
  ['?hoursBack=1.5', 2],
  ['?hoursBack=49', 24],
  ['?hoursBack=72', 24],
  ['?hoursBack=0', 24],
  ['?hoursBack=-1', 24],
  ['?hoursBack=abc', 24],
  ['?hoursBack=', 24],
  ['?hoursBack=2&hoursBack=3', 24],
  ['', 24],
]

interface RawRecord {
  appName: string
  environment: string
  hoursAgo: number
  yes: number
  no: number
  variants?: Record<string, number>
}

/** The records that a span of the used flag has: each application in each environment, in each hour. */
export function recordsOf(buckets: number): RawRecord[] {
  const reported = reports.filter(
    ({ flag, hoursAgo }) => flag === enabledFlag && hoursAgo < buckets,
  )
  const environments = new Set(reported.map(({ environment }) => environment))
  const applications = new Set(reported.map(({ appName }) => appName))
  return Array.from({ length: buckets }, (_, hoursAgo) => hoursAgo).flatMap((hoursAgo) =>
    [...environments].flatMap((environment) =>
      [...applications].map((appName) => {
        const own = { appName, environment, hoursAgo }
        const report = reported.find(
          (it) =>
            it.appName === appName && it.environment === environment && it.hoursAgo === hoursAgo,
        )
        if (!report) return { ...own, yes: 0, no: 0 }
        const { yes, no, variants = {} } = report
        return { ...own, yes, no, variants }
      }),
    ),
  )
}

/** The settings before each update. */
export const settingsBefore = {
  mode: 'protected',
  featureNaming: { pattern: 'reads-.+', example: 'reads-one', description: 'As it was' },
  linkTemplates: [
    { title: 'Issue', urlTemplate: 'https://tracker.test/{{feature}}' },
    { urlTemplate: 'no address' },
  ],
}

const { featureNaming: rule } = settingsBefore
const cleared = { pattern: '', example: '', description: '' }

/** What is sent, and what is different afterwards. */
export const updates: readonly [sent: object, changed: Partial<typeof settingsBefore> | object][] =
  [
    [{}, { linkTemplates: [] }],
    [{ mode: 'open' }, { mode: 'open', linkTemplates: [] }],
    [
      { featureNaming: { pattern: 'reads-[a-z]+' } },
      {
        featureNaming: { pattern: 'reads-[a-z]+', example: null, description: null },
        linkTemplates: [],
      },
    ],
    [
      { featureNaming: { pattern: 'reads-.+', example: 'reads-two', description: '' } },
      {
        featureNaming: { pattern: 'reads-.+', example: 'reads-two', description: null },
        linkTemplates: [],
      },
    ],
    [
      { featureNaming: { pattern: '' } },
      { featureNaming: { ...rule, pattern: '' }, linkTemplates: [] },
    ],
    [{ featureNaming: cleared }, { featureNaming: cleared, linkTemplates: [] }],
    [{ linkTemplates: [] }, { linkTemplates: [] }],
    [
      { linkTemplates: [{ title: null, urlTemplate: '' }] },
      { linkTemplates: [{ title: null, urlTemplate: '' }] },
    ],
    [
      {
        mode: 'private',
        featureNaming: rule,
        linkTemplates: [{ title: '"<é>\t\n', urlTemplate: 'https://a.test/?{{project}}' }],
      },
      {
        mode: 'private',
        linkTemplates: [{ title: '"<é>\t\n', urlTemplate: 'https://a.test/?{{project}}' }],
      },
    ],
  ]

/** Link templates that are refused. */
export const illegalTemplates: readonly unknown[] = [null, {}, 'a', [{ title: 'a' }], ['a']]
