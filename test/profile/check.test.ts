import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { sandboxKeys } from '../../src/sandbox/routes.ts'
import { certificate } from '../support/certificate.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm, type World } from '../support/flagadm.ts'
import { documentFor } from '../support/operations.ts'
import { json, listen, type Received, serve } from '../support/server.ts'
import { serveTls } from '../support/tls.ts'

const check = ['profile', 'check']
const now = Date.UTC(2026, 10, 20, 16)
const KEY = '*:*.0123456789abcdef0123456789abcdef'

type Answer = { status?: number; body?: object; headers?: Record<string, string> }

/** A service with the documents of the fixtures, and other answers for some paths. */
function service(answers: Record<string, Answer> = {}, date = new Date(now).toUTCString()) {
  return serve((response, { method, url }: Received) => {
    const { status = 200, body = documentFor(method, url) ?? {}, headers = {} } = answers[url] ?? {}
    response.setHeader('Date', date)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    json(response, status, body)
  })
}

/** Runs the check; returns the code, and the line of each check by its name. */
async function run(world: World, argv: readonly string[] = []) {
  const { clock } = patientClock(now)
  const { code, stdout, stderr, folder } = await flagadm([...check, ...argv], { clock, ...world })
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, mark = '', name = '', text = ''] = /^(.) (\w+) +(.*)$/.exec(line) ?? []
      return [name, `${mark} ${text}`.replaceAll(folder, '/tmp')] as const
    })
  return { code, stderr, checks: Object.fromEntries(lines) }
}

async function checkService(answers: Record<string, Answer>, key = KEY, date?: string) {
  const { url, received } = await service(answers, date)
  const { code, stderr, checks } = await run({ env: environment(url, key) })
  const shown = Object.entries(checks).map(([name, text]) => [
    name,
    text.replaceAll(url, 'http://service'),
  ])
  return { code, stderr, received, checks: Object.fromEntries(shown) }
}

const user = '/api/admin/user'
const notFound = { status: 404, body: { name: 'NotFoundError', message: 'none' } }
const optional = {
  '/api/admin/projects': notFound,
  '/api/admin/projects/default/overview': notFound,
  '/api/admin/projects/default/features': notFound,
  '/api/admin/metrics/unknown-flags': notFound,
  '/api/admin/client-metrics/features/flagadm-check/raw?hoursBack=1': notFound,
}
const specified = {
  '/health': notFound,
  [user]: notFound,
  '/api/admin/ui-config': notFound,
  ...optional,
}

describe('profile check', () => {
  test('never prints what the service reports about the user, which contains the token', async () => {
    const { url } = await service({
      [user]: {
        body: {
          user: { username: CANARY, secret: CANARY, type: 'admin' },
          permissions: [],
          secret: CANARY,
        },
      },
    })
    const env = environment(url, KEY)
    for (const options of [[], ['--json'], ['--verbose'], ['--verbose', '--json']]) {
      // The output is searched for the canary, which is not masked, because it is not the key of the run.
      const { code, stdout, stderr } = await flagadm([...check, ...options], { env })
      expect(code, stdout).toBeTypeOf('number')
      expect(stdout + stderr).not.toContain(KEY)
    }
  })

  test('does not print the token if the document has the wrong shape', async () => {
    const body = { user: { type: { [CANARY]: CANARY } }, permissions: CANARY, secret: CANARY }
    const { code, checks } = await checkService({ [user]: { body } })
    expect([code, checks.token]).toEqual([
      8,
      '✗ http://service/api/admin/user returned JSON of the wrong shape (user.type: expected string) → check that this is the address of the service and not of a proxy or a login page',
    ])
  })

  test('reads health without the key, and sends only GET', async () => {
    const { received } = await checkService({})
    expect(
      received.map(({ method, url, headers }) => [method, url, headers.authorization]),
    ).toEqual([
      ['GET', '/health', undefined],
      ['GET', user, KEY],
      ['GET', '/api/admin/ui-config', KEY],
      ['GET', '/api/admin/client-metrics/features/flagadm-check', KEY],
      ...Object.keys(optional).map((path) => ['GET', path, KEY]),
    ])
  })

  test('prints JSON, and the failure on stderr', async () => {
    const { url } = await service({ '/health': { body: { health: 'BAD' } } })
    const env = environment(url, KEY)
    const { code, stdout, stderr } = await flagadm([...check, '--json'], { env })
    const { ok, exitCode, checks } = JSON.parse(stdout)
    expect([code, ok, exitCode]).toEqual([8, false, 8])
    expect(checks.slice(1, 4)).toEqual([
      { name: 'proxy', status: 'skipped', message: 'none' },
      {
        name: 'health',
        status: 'failed',
        message: 'the service reports BAD',
        hint: 'check the log of the service',
        exitCode: 8,
      },
      { name: 'token', status: 'skipped', message: 'not checked' },
    ])
    expect(JSON.parse(stderr)).toEqual({
      error: { kind: 'unavailable', exitCode: 8, message: 'a check failed' },
    })
  })

  test('is also flagadm doctor', async () => {
    const { url } = await service()
    const world = { env: environment(url, KEY), clock: patientClock(now).clock }
    const outcomes = [await flagadm(check, world), await flagadm(['doctor'], world)]
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    expect(outcomes[0]?.stdout).toBe(outcomes[1]?.stdout)
  })

  test('reports hourly usage of the wrong shape', async () => {
    const path = '/api/admin/client-metrics/features/flagadm-check/raw?hoursBack=1'
    const { code, checks } = await checkService({ [path]: { body: { data: {} } } })
    expect([code, checks.reads?.split(' → ')[0]]).toEqual([
      8,
      `✗ hourly usage: http://service${path} returned JSON of the wrong shape (data: expected Array)`,
    ])
  })

  test('exits with the code of the failure', async () => {
    const { code, stderr, checks } = await checkService({
      '/api/admin/metrics/unknown-flags': { status: 403, body: { message: 'no' } },
    })
    expect([code, stderr]).toEqual([5, 'error: a check failed\n'])
    expect(checks.reads).toBe('✗ unknown names: 403: no → use a key that has this permission')
  })
})

describe('the configuration', () => {
  const userFile = 'home/.config/flagadm/config.yaml'

  test('is that of the profile', async () => {
    const { url } = await service()
    const profiles = { a: { baseUrl: url, apiKeyEnv: 'A_KEY' }, b: { baseUrl: 'https://b.test' } }
    const files = { [userFile]: JSON.stringify({ profiles }) }
    const { code, checks } = await run({ files, env: { A_KEY: KEY } }, ['a'])
    expect([code, checks.configuration]).toEqual([0, `✓ a, ${url}; API key from apiKeyEnv A_KEY`])
  })

  test.each([
    ['no service is configured', {}],
    ["profile 'default': not an http or https address", { [userFile]: 'baseUrl: x' }],
    ['no API key for https://a.test', { [userFile]: 'baseUrl: https://a.test' }],
  ])('is reported if it is wrong: %s', async (message, files) => {
    const { code, checks } = await run({ files })
    expect([code, checks.configuration?.split(' → ')[0], checks.health]).toEqual([
      3,
      `✗ ${message}`,
      '— not checked',
    ])
  })
})

describe('the network', () => {
  test('a certificate that is not trusted fails', async () => {
    const { port, keys } = await serveTls()
    const url = `https://localhost:${port}`
    const { code, checks } = await run({ env: environment(url, KEY) })
    expect([code, checks.health, checks.token, keys]).toEqual([
      8,
      `✗ ${url}: the certificate is self-signed → use a certificate from a known authority on the service, or set caFile in the profile to your own authority`,
      '— not checked',
      [],
    ])
  })

  test('a proxy is used, and its credentials are not shown', async () => {
    const { port, connections } = await serveTls()
    const proxy = createServer().on('connect', (_request, socket: Duplex) => {
      const upstream = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      socket.on('error', () => upstream.destroy())
      upstream.on('error', () => socket.destroy())
    })
    const proxyPort = await listen(proxy)
    const profile = { baseUrl: 'https://unleash.test', apiKey: KEY, caFile: 'ca.pem' }
    const files = {
      'home/.config/flagadm/config.json': JSON.stringify(profile),
      'home/.config/flagadm/ca.pem': certificate,
    }
    const env = { HTTPS_PROXY: `http://me:canary@127.0.0.1:${proxyPort}` }
    const { checks } = await run({ files, env })
    expect(checks.proxy).toBe(`✓ http://127.0.0.1:${proxyPort} from HTTPS_PROXY`)
    expect(connections()).toBeGreaterThan(0)
  })

  test('a proxy that cannot be reached is reported', async () => {
    const env = { ...environment('https://unleash.test', KEY), HTTPS_PROXY: 'http://127.0.0.1:1' }
    const { code, checks } = await run({ env })
    expect([code, checks.proxy, checks.health?.includes('http://127.0.0.1:1')]).toEqual([
      8,
      '✓ http://127.0.0.1:1 from HTTPS_PROXY',
      true,
    ])
    expect(checks.token).toBe('— not checked')
  })

  test('a host that does not exist is reported', async () => {
    const { code, checks } = await run({ env: environment('https://flags.invalid', KEY) })
    expect(code).toBe(8)
    // Offline, the resolver cannot know that a host does not exist.
    expect(checks.health).toMatch(
      /^✗ https:\/\/flags\.invalid: (no such host|name resolution failed for now)/,
    )
  })
})

describe('the token', () => {
  const form = 'expected a different token type for this endpoint'

  test.each([
    [KEY, '✓ admin token'],
    ['user:0123456789abcdef', '✓ personal access token or service account token'],
    ['legacy-0123456789abcdef', '✓ admin token'],
  ])('%s is shown as %s', async (key, text) => {
    const { code, checks } = await checkService({}, key)
    expect([code, checks.token]).toEqual([0, text])
  })

  test('a client token is refused by the service', async () => {
    const body = { message: `invalid token: ${form}` }
    const key = '*:development.0123456789abcdef'
    const { code, checks } = await checkService({ [user]: { status: 403, body } }, key)
    expect([code, checks.token, checks.permission]).toEqual([
      5,
      `✗ client or frontend token: 403: invalid token: ${form} → use an admin token, a service account token (Admin settings → API access) or a personal access token (Profile → Personal API tokens)`,
      '— not checked',
    ])
  })

  test('an invalid token fails', async () => {
    const body = { name: 'AuthenticationRequired', message: 'You must log in' }
    const { code, checks } = await checkService({ [user]: { status: 401, body } })
    expect([code, checks.token]).toEqual([
      4,
      '✗ admin token: 401 AuthenticationRequired: You must log in → check the API key; --verbose shows where it comes from',
    ])
  })
})

describe('the permission', () => {
  const update = { permission: 'UPDATE_PROJECT' }

  test.each([
    [[update], '; change the settings of all projects'],
    [[{ ...update, project: '*' }], '; change the settings of all projects'],
    [
      [
        { ...update, project: 'a' },
        { ...update, project: 'b' },
      ],
      '; change the settings of a, b',
    ],
    [[{ permission: 'CREATE_FEATURE', project: 'a' }], ''],
  ])('%j may change %s', async (permissions, text) => {
    const { checks } = await checkService({
      [user]: { body: { user: {}, permissions } },
      '/api/admin/ui-config': { body: { environment: 'Enterprise' } },
    })
    expect(checks.permission).toBe(`✓ may read usage${text}`)
  })

  test('does not include what the edition lacks', async () => {
    const { code, checks } = await checkService({
      [user]: { body: { user: {}, permissions: [update] } },
      '/api/admin/ui-config': { body: { version: '8.2.0', environment: 'Open Source' } },
    })
    expect([code, checks.version, checks.permission]).toEqual([
      0,
      '✓ 8.2.0, Open Source',
      '✓ may read usage',
    ])
  })

  // Operations that are added later follow, so they need no change here.
  test('the key of the embedded sandbox, that of an admin, may change all settings', async () => {
    const { code, checks } = await run({ env: { FLAGADM_PROFILE: 'sandbox' } })
    expect(code).toBe(0)
    expect(checks.permission).toMatch(
      /^✓ may read usage; change the settings of all projects(?:;|$)/,
    )
  })

  test('a key without permissions fails', async () => {
    const body = { name: 'NoAccessError', message: 'You need READ_FEATURE' }
    const probe = '/api/admin/client-metrics/features/flagadm-check'
    const { code, checks } = await checkService(
      { [probe]: { status: 403, body } },
      sandboxKeys.none,
    )
    expect([code, checks.permission, checks.reads]).toEqual([
      5,
      '✗ 403 NoAccessError: You need READ_FEATURE → use a key that has this permission',
      '— not checked',
    ])
  })
})

describe('a service that has only the specified operations', () => {
  test('passes; the others are not checked', async () => {
    const { code, checks } = await checkService(specified)
    expect(code).toBe(0)
    expect(checks).toMatchObject({
      health: '— the service has no public /health',
      token: '— admin token by its format; the service does not report it',
      permission: '✓ may read usage',
      version: '— the service does not report it',
      reads: '— none; the service has only the operations in the specification',
    })
  })

  test.each([401, 403])('passes if /health without a key is refused with %i', async (status) => {
    const { code, checks } = await checkService({ ...specified, '/health': { status } })
    expect([code, checks.health, checks.permission]).toEqual([
      0,
      '— the service has no public /health',
      '✓ may read usage',
    ])
  })

  test('fails if it answers 404 to every request', async () => {
    const probe = '/api/admin/client-metrics/features/flagadm-check'
    const { code, checks } = await checkService({ ...specified, [probe]: notFound })
    expect([code, checks.permission]).toEqual([
      6,
      '✗ the service returns 404 for every request → check the path of the address, or read the usage of a flag that exists',
    ])
  })

  test('lists the reads that are missing', async () => {
    const { '/api/admin/projects': _, ...missing } = optional
    const { code, checks } = await checkService(missing)
    expect([code, checks.reads]).toEqual([
      0,
      '✓ projects; missing: overview, flags, unknown names, hourly usage',
    ])
  })
})

test.each([
  [{ version: null }, '✓ unknown version, unknown edition'],
  [
    { version: '8.2.0', environment: 'Enterprise', maintenanceMode: true },
    '✓ 8.2.0, Enterprise, in maintenance mode, which refuses changes',
  ],
])('the version of %j is %s', async (body, text) => {
  const { checks } = await checkService({ '/api/admin/ui-config': { body } })
  expect(checks.version).toBe(text)
})

test.each([
  [4, '✓ good'],
  [-4, '✓ good'],
  [5, "✓ good; its clock is 5 s ahead of this machine's"],
  [-3600, "✓ good; its clock is 3600 s behind this machine's"],
])('a difference of %i s between the clocks is shown as %j', async (seconds, text) => {
  const date = new Date(now + seconds * 1000).toUTCString()
  const { code, checks } = await checkService({}, KEY, date)
  expect([code, checks.health]).toEqual([0, text])
})

test.each(['', 'yesterday'])('the date %j is ignored', async (date) => {
  const { checks } = await checkService({}, KEY, date)
  expect(checks.health).toBe('✓ good')
})
