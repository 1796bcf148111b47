import { describe, expect, it } from 'vitest'
import { sandboxKeys } from '../../src/sandbox/routes.ts'
import { type Operation, operations } from '../../src/service/operations.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm, type World } from '../support/flagadm.ts'
import { documentFor } from '../support/operations.ts'
import { userFile } from '../support/profile.ts'
import { anyJson, json, type Received, serve } from '../support/server.ts'

const check = ['profile', 'check']
const now = Date.UTC(2026, 10, 20, 16)
const KEY = '*:*.0123456789abcdef0123456789abcdef'

interface Answer {
  status?: number
  body?: object
  /** Whether no version of Unleash sends the body. */
  isWrong?: boolean
}

/** A service with the documents of the fixtures, and other answers for some paths. */
function service(answers: Record<string, Answer> = {}, date = new Date(now).toUTCString()) {
  return serve((response, { method, url }: Received) => {
    const { status = 200, body = documentFor(method, url) ?? {}, isWrong } = answers[url] ?? {}
    response.setHeader('Date', date)
    return isWrong ? anyJson(response, status, body) : json(response, status, body)
  })
}

/** Runs the check; returns the code, and the line of each check by its name. */
async function run(world: World, argv: readonly string[] = []) {
  const { clock } = patientClock(now)
  const { code, stdout, stderr } = await flagadm([...check, ...argv], { clock, ...world })
  const lines = stdout.trimEnd().split('\n')
  const checks = lines.map((line) => {
    const [, mark = '', name = '', text = ''] = /^(.) (\w+) +(.*)$/.exec(line) ?? []
    return [name, `${mark} ${text}`] as const
  })
  return { code, stderr, checks: Object.fromEntries(checks) }
}

async function checkService(answers: Record<string, Answer>, key = KEY, date?: string) {
  const { url, received } = await service(answers, date)
  const { code, stderr, checks } = await run({ env: environment(url, key) })
  const shown = Object.entries(checks).map(([name, text]) => [name, text.replaceAll(url, 'S')])
  return { code, stderr, received, checks: Object.fromEntries(shown) }
}

const user = '/api/admin/user'
const config = '/api/admin/ui-config'
const unknownFlags = '/api/admin/metrics/unknown-flags'
const probe = '/api/admin/client-metrics/features/flagadm-check'
const notFound = { status: 404, body: { name: 'NotFoundError', message: 'none' } }
const optional = {
  '/api/admin/projects': notFound,
  '/api/admin/projects/default/overview': notFound,
  '/api/admin/projects/default/features': notFound,
  [unknownFlags]: notFound,
  [`${probe}/raw?hoursBack=1`]: notFound,
}
const specified = { '/health': notFound, [user]: notFound, [config]: notFound, ...optional }
const refuse = (path: string, status: number, message: string) => {
  return { [path]: { status, body: { message } } }
}

/** The permissions of a key in an edition. */
function allowed(permissions: object[], environment = 'Enterprise') {
  return {
    [user]: { body: { user: {}, permissions } },
    [config]: { body: { version: '8.2.0', environment } },
  }
}
const update = { permission: 'UPDATE_PROJECT' }
const updates = ['a', 'b', 'a'].map((project) => ({ ...update, project }))
const archive = [{ permission: 'DELETE_FEATURE', project: 'b' }, { permission: 'CREATE_FEATURE' }]
const switches = [
  { permission: 'UPDATE_FEATURE_ENVIRONMENT', project: 'b', environment: 'production' },
  { permission: 'UPDATE_FEATURE_ENVIRONMENT', project: 'c' },
  { permission: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
]
const form = 'invalid token: expected a different token type for this endpoint'
const usable =
  'use an admin token, a service account token (Admin settings → API access) or a personal access token (Profile → Personal API tokens)'
const personal = 'personal access token or service account token'
const clientKey = '*:development.0123456789abcdef'
const wrongKey =
  'admin token: 401: log in → check the API key, which must be an admin, service account or personal access token; --verbose shows where it comes from'
// The wrong fields contain the token, which is not shown.
const leak = {
  [user]: { body: { user: { type: { [CANARY]: CANARY } }, permissions: CANARY }, isWrong: true },
}
const wrongShape =
  'S/api/admin/user returned JSON of the wrong shape (user.type: expected string) → check that this is the address of the service and not of a proxy or a login page'
const bad = { '/health': { body: { health: 'BAD' } } }
const unversioned = { [config]: { body: { version: null }, isWrong: true } }
const maintained = { version: '8.2.0', environment: 'Pro', maintenanceMode: true }
const inMaintenance = '8.2.0, Pro, in maintenance mode, which refuses changes'
const projects = { body: { projects: [{ id: 'default', name: 'D' }] } }
const noFlags = { ...optional, '/api/admin/projects': projects }
const nowhere = { ...specified, [probe]: notFound }
const wrongAddress =
  'the service returned 404 for each request so far → check the path of the address, or read the usage of a flag that exists'
const mayNot = 'use a key that has this permission'
const settings = '✓ may read usage; change the settings of'

it.each<[number, string, string, Record<string, Answer>, string?]>([
  [0, 'token', '✓ admin token', {}],
  [0, 'token', `✓ ${personal}`, {}, 'user:0123456789abcdef'],
  [
    5,
    'token',
    `✗ client or frontend token: 403: ${form} → the API key is a client or frontend token: ${usable}`,
    refuse(user, 403, form),
    clientKey,
  ],
  [4, 'token', `✗ ${wrongKey}`, refuse(user, 401, 'log in')],
  [8, 'token', `✗ ${wrongShape}`, leak],
  [0, 'permission', `${settings} all projects`, allowed([update])],
  [0, 'permission', `${settings} a, b`, allowed(updates)],
  [0, 'permission', '✓ may read usage; archive flags of b', allowed(archive)],
  [
    0,
    'permission',
    '✓ may read usage; switch on and off flags of b (production), c; add strategies to flags of all projects (development)',
    allowed(switches),
  ],
  // That edition has no settings to change.
  [0, 'permission', '✓ may read usage', allowed([update], 'Open Source')],
  [0, 'version', '✓ unknown version, unknown edition', unversioned],
  [0, 'version', `✓ ${inMaintenance}`, { [config]: { body: maintained } }],
  [5, 'permission', `✗ 403: no → ${mayNot}`, refuse(probe, 403, 'no'), sandboxKeys.none],
  [8, 'health', '✗ the service reports BAD → check the log of the service', bad],
  [5, 'reads', `✗ unknown names: 403: no → ${mayNot}`, refuse(unknownFlags, 403, 'no')],
  [
    0,
    'reads',
    '✓ projects; not found (404): settings, flags, unknown names, hourly usage',
    noFlags,
  ],
  [0, 'health', '— the service has no public /health', specified],
  [0, 'token', '— admin token by its format; the service does not report it', specified],
  [0, 'permission', '✓ may read usage', specified],
  [0, 'version', '— the service does not report it', specified],
  [0, 'reads', '— none; the service has only the operations in the specification', specified],
  [6, 'permission', `✗ ${wrongAddress}`, nowhere],
])('profile check exits %i with the %s %s', async (code, name, line, answers, key) => {
  const { stderr, checks, ...outcome } = await checkService(answers, key)
  expect([outcome.code, stderr]).toEqual([code, code ? 'error: a check failed\n' : ''])
  expect(checks[name]).toBe(line)
})

describe('profile check', () => {
  it.each([['--verbose'], ['--verbose', '--json']])(
    'never prints what the service reports about the user, which contains the token: %j',
    async (...options) => {
      const reported = { username: CANARY, secret: CANARY, type: 'admin' }
      const body = { user: reported, permissions: [], secret: CANARY }
      const { url } = await service({ [user]: { body, isWrong: true } })
      // The output is searched for the canary, which is not masked, because it is not the key of the run.
      expect((await flagadm([...check, ...options], { env: environment(url, KEY) })).code).toBe(0)
    },
  )

  it('reads health without the key, and sends only GET', async () => {
    const { received } = await checkService({})
    const requests = received.map(({ method, url, headers }) => {
      return [method, url, headers.authorization]
    })
    expect(requests).toEqual([
      ['GET', '/health', undefined],
      ...[user, config, probe, ...Object.keys(optional)].map((path) => ['GET', path, KEY]),
      // Whether usage arrives.
      ['GET', '/api/admin/projects', KEY],
      ['GET', '/api/admin/projects/default/features', KEY],
    ])
  })

  it('prints JSON, and the failure on stderr', async () => {
    const { url } = await service({ '/health': { body: { health: 'BAD' } } })
    const env = environment(url, KEY)
    const { code, stdout, stderr } = await flagadm([...check, '--json'], { env })
    const { ok, exitCode, checks } = JSON.parse(stdout)
    expect({ code, ok, exitCode }).toEqual({
      code: 8,
      ok: false,
      exitCode: 8,
    })
    const next = { hint: 'check the log of the service', exitCode: 8 }
    expect(checks.slice(1, 4)).toEqual([
      { name: 'proxy', status: 'skipped', message: 'none' },
      { name: 'health', status: 'failed', message: 'the service reports BAD', ...next },
      { name: 'token', status: 'skipped', message: 'not checked' },
    ])
    expect(JSON.parse(stderr)).toEqual({
      error: { kind: 'unavailable', exitCode: 8, message: 'a check failed' },
    })
  })

  it('shows the command of a hint', async () => {
    const { code, checks } = await run({ env: {} })
    expect(code).toBe(3)
    expect(checks.configuration).toBe(
      '✗ no service is configured → set FLAGADM_BASE_URL and FLAGADM_API_KEY, try it with -p sandbox, or add a profile: flagadm profile add',
    )
  })

  it('checks the profile of its argument', async () => {
    const { url } = await service()
    const profiles = { a: { baseUrl: url, apiKeyEnv: 'A_KEY' }, b: { baseUrl: 'https://b.test' } }
    const files = { [userFile]: JSON.stringify({ profiles }) }
    const { code, checks } = await run({ files, env: { A_KEY: KEY } }, ['a'])
    expect([code, checks.configuration]).toEqual([0, `✓ a, ${url}; API key from apiKeyEnv A_KEY`])
  })

  it('of the embedded sandbox may change everything', async () => {
    const { code, checks } = await run({ env: { FLAGADM_PROFILE: 'sandbox' } })
    const all = Object.values<Operation>(operations).flatMap(({ grants, further }) => {
      return [grants ?? [], further?.grants ?? []].flat()
    })
    const may = [...new Set(all)].map((grants) => `${grants} all projects`)
    const granted = ['read usage', ...may].join('; ')
    expect({ code, permission: checks.permission }).toEqual({
      code: 0,
      permission: `✓ may ${granted}`,
    })
  })

  it.each([
    [4, '✓ good'],
    [5, "✓ good; its clock is 5 s ahead of this machine's"],
    [-3600, "✓ good; its clock is 3600 s behind this machine's"],
    [Number.NaN, '✓ good'],
  ])('shows a difference of %i s between the clocks as %j', async (seconds, text) => {
    const date = Number.isNaN(seconds) ? 'yesterday' : new Date(now + seconds * 1000).toUTCString()
    const { code, checks } = await checkService({}, KEY, date)
    expect([code, checks.health]).toEqual([0, text])
  })

  it('needs a proxy that can be reached, whose credentials are not shown', async () => {
    const HTTPS_PROXY = 'http://me:canary@127.0.0.1:1'
    const env = { ...environment('https://unleash.test', KEY), HTTPS_PROXY }
    const { code, checks } = await run({ env }, ['--retries', '0'])
    expect({ code, proxy: checks.proxy, health: checks.health, token: checks.token }).toEqual({
      code: 8,
      proxy: '✓ http://127.0.0.1:1 from HTTPS_PROXY',
      health:
        '✗ https://unleash.test: the proxy http://127.0.0.1:1 cannot be reached → check HTTPS_PROXY and NO_PROXY',
      token: '— not checked',
    })
  })
})
