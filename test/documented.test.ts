// What the services of tests may send: test/support/documented.ts.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkDocument } from './support/documented.ts'
import { json, serve } from './support/server.ts'

const projects = '/api/admin/projects'
const list = `${projects}/shop/features`
const own = `${list}/flag`
const overview = `${projects}/shop/overview`
const search = '/api/admin/search/features?archived=IS:true&limit=100&query=flag'
const usage = '/api/admin/client-metrics/features/flag'

const time = '2026-11-20T16:00:00.000Z'
const createdBy = { id: 1, name: 'admin', imageUrl: 'https://a.test' }

/** What is wrong with a document that a GET returns with the status 200; undefined if nothing is. */
function problemOf(url: string, document: object, version?: string): string | undefined {
  try {
    checkDocument({ method: 'GET', url, status: 200, document }, version)
    return undefined
  } catch (error) {
    return `${error}`.replace(/^Error: not what Unleash \S+ sends for GET \S+: /, '')
  }
}

test.each<[string, string, object, string?]>([
  ['a list of flags', list, { features: [{ name: 'flag', createdAt: time }] }],
  ['null where it is documented', list, { features: [{ description: null }] }],
  ['who created a flag, in its own document', own, { createdBy }],
  ['archived flags', search, { features: [{ archivedAt: time }], total: 1 }],
  ['an example of a rule, which is not documented', overview, { featureNaming: { example: 'a' } }],
  ['more about usage than it does', usage, { lastHourUsage: [{ other: 1 }] }],
  ['what an older version did', list, { features: [{ lastSeenAt: time }] }, '7.6.5'],
  ['null where an older version did', list, { features: [{ lastSeenAt: null }] }, '7.6.5'],
])('Unleash sends %s', (_, url, document, version) => {
  expect(problemOf(url, document, version)).toBe(undefined)
})

test.each<[string, string, object, string, string?]>([
  [
    'who created a flag, in the list',
    list,
    { features: [{ name: 'flag' }, { createdBy }] },
    '/features/1/createdBy is unknown',
  ],
  [
    'an unknown property where its document allows any',
    overview,
    { featureNaming: { flags: 'i' } },
    '/featureNaming/flags is unknown',
  ],
  [
    'another type',
    list,
    { features: [{ stale: 'yes' }] },
    '/features/0/stale is string, not boolean',
  ],
  [
    'null for a time',
    list,
    { features: [{ createdAt: null }] },
    '/features/0/createdAt is null, not string',
  ],
  ['another text for a time', own, { createdAt: 'soon' }, '/createdAt is not a time'],
  ['another word', overview, { mode: 'closed' }, '/mode is none of open, protected, private'],
  [
    'none of several shapes',
    overview,
    { onboardingStatus: { status: 1 } },
    '/onboardingStatus/status is number, not string',
  ],
  [
    'a document of another path',
    `${projects}/shop`,
    {},
    'test/service/openapi.json has no document for the status 200',
  ],
  [
    'what an older version did',
    list,
    { features: [{ lastSeenAt: time }] },
    '/features/0/lastSeenAt is unknown',
  ],
  [
    'what an older version did not',
    list,
    { features: [{ createdBy }] },
    '/features/0/createdBy is unknown',
    '7.6.5',
  ],
  [
    'null where an older version did not',
    list,
    { features: [{ stale: null }] },
    '/features/0/stale is null, not boolean',
    '7.6.5',
  ],
  [
    'items that no document of an older version has',
    own,
    { children: ['a'] },
    '/children/0 is unknown',
    '7.6.5',
  ],
  [
    'what is not recorded',
    '/api/admin/events/flag',
    {},
    'test/service/versions/7.6.5 has no document for the status 200',
    '7.6.5',
  ],
])('Unleash does not send %s', (_, url, document, problem, version) => {
  expect(problemOf(url, document, version)).toBe(problem)
})

test('Unleash archives without a document', () => {
  const request = { method: 'POST', url: `${projects}/shop/archive`, status: 202 }
  expect(() => checkDocument({ ...request, document: {} })).toThrow(
    `not what Unleash 8.2.0 sends for POST ${projects}/shop/archive: test/service/openapi.json has no document for the status 202`,
  )
})

test.fails('a test fails if its service sends something else, even if it does not matter', async () => {
  const { url } = await serve((response) => json(response, 200, { features: [{ createdBy }] }))
  await fetch(`${url}${list}`)
})

// A fault, a recording, or a service that is not Unleash.
const unchecked = [
  'api/api.test.ts',
  'check/check.test.ts',
  'client/documents.test.ts',
  'client/faults/fault.ts',
  'client/limits.test.ts',
  'client/proxy.test.ts',
  'client/requests.test.ts',
  'flags/service.ts',
  'fuzz/responses.test.ts',
  'history/history.test.ts',
  'hostile-text.test.ts',
  'package/memory.check.ts',
  'project/list.test.ts',
  'support/growing.ts',
  'support/recipes.ts',
  'support/recorded.ts',
  'support/relay.ts',
  'support/server.ts',
]

// These start real services, and have packages of their own.
const apart = new Set(['service', 'windows'])

test('only these files send anything that is not checked', () => {
  const root = new URL('.', import.meta.url)
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !apart.has(name))
  const files = entries.flatMap((entry) => {
    if (entry.isFile()) return [entry.name]
    const folder = new URL(`${entry.name}/`, root)
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return paths.map((path) => `${entry.name}/${path.replaceAll('\\', '/')}`)
  })
  const sending = files.filter((file) => {
    if (!file.endsWith('.ts') || file === 'documented.test.ts') return false
    return /\banyJson\(|(?<!stdin\?)\.end\([^)]/.test(readFileSync(new URL(file, root), 'utf8'))
  })
  expect(sending.sort()).toEqual(unchecked)
})
