import { once } from 'node:events'
import { createServer as createProxy, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ended, start } from './support/binary.ts'
import { certificate } from './support/certificate.ts'
import { CANARY, environment, temporaryFolder } from './support/flagadm.ts'
import { json, serve, someUsage, listen } from './support/server.ts'
import { serveTls } from './support/tls.ts'

const usage = ['feature', 'usage', 'some-flag', '--json']

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const outcome = await ended(await start(argv, env))
  expect(outcome.stdout + outcome.stderr).not.toContain(CANARY)
  return outcome
}

async function userConfiguration(configuration: object) {
  const folder = await temporaryFolder({
    'flagadm/config.json': JSON.stringify(configuration),
    'flagadm/ca.pem': certificate,
  })
  return { XDG_CONFIG_HOME: folder }
}

test('the built flagadm reads usage from a service', async () => {
  const { url } = await serve((response) => json(response, 200, someUsage))
  const { code, stdout, stderr } = await run(usage, environment(url))
  expect([code, JSON.parse(stdout), stderr]).toEqual([0, someUsage, ''])
})

test('the built flagadm runs against its own sandbox', async () => {
  const reading = await run(['feature', 'usage', 'checkout-new-basket', '-p', 'sandbox'])
  const setting = await run([
    'project',
    'settings',
    'set',
    'default',
    '--mode',
    'private',
    '--yes',
    '-p',
    'sandbox',
  ])
  expect([reading.code, setting.code]).toEqual([0, 0])
  expect(reading.stdout).toContain('Total  ')
  expect(setting.stdout).toContain('Updated project default on the embedded sandbox\n')
})

describe('proxies', () => {
  test('a request over https goes through the proxy of HTTPS_PROXY', async () => {
    const service = await serveTls()
    const targets: (string | undefined)[] = []
    const proxy = createProxy()
    proxy.on('connect', ({ url }: IncomingMessage, socket) => {
      targets.push(url)
      const upstream = connect(service.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
    })
    const config = { baseUrl: 'https://unleash.test', apiKey: CANARY, caFile: 'ca.pem' }
    const { code } = await run(usage, {
      ...(await userConfiguration(config)),
      HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
    })
    expect([code, targets, service.keys]).toEqual([0, ['unleash.test:443'], [CANARY]])
  })

  test('a request to a host in NO_PROXY does not go through a proxy', async () => {
    const { code, stderr } = await run([...usage, '--retries', '0'], {
      ...environment('https://unleash.test'),
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: '.test',
    })
    expect(code).toBe(8)
    expect(stderr).toContain('no such host')
  })

  test('a request over http goes through the proxy of HTTP_PROXY', async () => {
    const requested: (string | undefined)[] = []
    const proxy = createProxy((request, response) => {
      requested.push(request.url)
      json(response, 200, someUsage)
    })
    const { code } = await run([...usage, '--allow-http'], {
      ...environment('http://unleash.test'),
      HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
    })
    expect([code, requested]).toEqual([
      0,
      ['http://unleash.test/api/admin/client-metrics/features/some-flag'],
    ])
  })

  test('a request to this machine does not go through a proxy', async () => {
    const { url } = await serve((response) => json(response, 200, someUsage))
    const { code } = await run(usage, { ...environment(url), HTTP_PROXY: 'http://127.0.0.1:1' })
    expect(code).toBe(0)
  })
})

describe('a proxy that fails', () => {
  const through = (port: number) => ({
    ...environment('https://unleash.test'),
    HTTPS_PROXY: `http://me:pa%20ss@127.0.0.1:${port}`,
  })
  const argv = [...usage.slice(0, 3), '--retries', '0']
  const report = (port: number, what: string) =>
    `error: some-flag: https://unleash.test: the proxy http://127.0.0.1:${port} ${what}\nhint: check HTTPS_PROXY and NO_PROXY\n`

  test('is reported as the proxy, not as the service', async () => {
    const port = await listen(
      createProxy().on('connect', (_request, socket) => {
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      }),
    )
    expect(await run(argv, through(port))).toEqual({
      code: 8,
      stdout: '',
      stderr: report(port, 'refused the connection (502)'),
    })
  })

  test('by closing the connection is reported', async () => {
    const port = await listen(createProxy().on('connect', (_request, socket) => socket.destroy()))
    expect(await run(argv, through(port))).toMatchObject({
      code: 8,
      stderr: report(port, 'cannot be reached'),
    })
  })

  test('by hanging is reported at the deadline', async () => {
    const port = await listen(createProxy().on('connect', () => {}))
    const { code, stderr } = await run([...argv, '--timeout', '0.3'], through(port))
    expect([code, stderr.split('\n')[0]]).toEqual([
      8,
      'error: some-flag: no complete response from https://unleash.test within 0.3 s',
    ])
  })

  test('because its address is invalid is refused before anything is sent', async () => {
    const { code, stderr } = await run(argv, {
      ...environment('https://unleash.test'),
      HTTPS_PROXY: 'socks://me:secret@127.0.0.1:1',
    })
    expect([code, stderr]).toEqual([
      3,
      'error: HTTPS_PROXY is not an http or https address\n' +
        'hint: set HTTPS_PROXY to http://host:port, or exempt the service with NO_PROXY\n',
    ])
  })
})

test('no library prints headers when DEBUG is set', async () => {
  const proxy = createProxy((_request, response) => json(response, 200, someUsage))
  const { code, stderr } = await run([...usage, '--allow-http'], {
    ...environment('http://unleash.test'),
    HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
    DEBUG: '*',
  })
  expect([code, stderr]).toEqual([0, ''])
})

test('the built flagadm reads YAML', async () => {
  const folder = await temporaryFolder({ 's.yaml': 'mode: open # for all\n' })
  const argv = ['project', 'settings', 'set', 'default', '-p', 'sandbox']
  const { code, stdout } = await run([...argv, '--file', join(folder, 's.yaml'), '--json'])
  expect([code, JSON.parse(stdout).settings]).toEqual([0, { mode: 'open' }])
})

describe('certificates', () => {
  test('one that no known authority signed is refused without a retry', async () => {
    const service = await serveTls()
    const url = `https://localhost:${service.port}`
    const { code, stdout, stderr } = await run(usage.slice(0, 3), environment(url))
    expect([code, stdout, service.keys]).toEqual([8, '', []])
    expect(stderr).toBe(
      `error: some-flag: ${url}: the certificate is self-signed\n` +
        'hint: use a certificate from a known authority on the service, or set caFile in the profile to your own authority\n',
    )
  })

  test('one in caFile of a user profile is trusted', async () => {
    const service = await serveTls()
    const url = `https://localhost:${service.port}`
    const config = { baseUrl: url, apiKey: CANARY, caFile: 'ca.pem' }
    const { code } = await run(usage, await userConfiguration(config))
    expect([code, service.keys]).toEqual([0, [CANARY]])
  })

  test('one in NODE_EXTRA_CA_CERTS is trusted', async () => {
    const service = await serveTls()
    const folder = await temporaryFolder({ 'ca.pem': certificate })
    const { code } = await run(usage, {
      ...environment(`https://localhost:${service.port}`),
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    })
    expect([code, service.keys]).toEqual([0, [CANARY]])
  })
})

describe('flagadm sandbox', () => {
  test('prints its address and keys, serves, and ends with Ctrl-C', async () => {
    const child = await start(['sandbox', '--port', '0'])
    const end = ended(child)
    const [text] = await once(child.stdout ?? child, 'data')
    const [, url, key] = /export FLAGADM_BASE_URL=(\S+) FLAGADM_API_KEY='(\S+)'\n/.exec(text) ?? []
    const reading = await run(usage.with(2, 'dark-mode'), environment(`${url}`, `${key}`))
    child.kill('SIGINT')
    const { code, stdout, stderr } = await end
    expect([code, reading.code]).toEqual([130, 0])
    expect(stdout).toContain(`The sandbox is running at ${url}; press Ctrl-C to stop it.`)
    expect(stderr).toBe('note: GET /api/admin/client-metrics/features/dark-mode 200\n')
  })

  test.each([
    { options: [], status: 200 },
    { options: ['--spec-only'], status: 404 },
  ])('with $options, the overview of a project gets $status', async (it) => {
    const child = await start(['sandbox', '--port', '0', '--json', ...it.options])
    const end = ended(child)
    const [text] = await once(child.stdout ?? child, 'data')
    const { baseUrl, keys } = JSON.parse(text)
    const overview = `${baseUrl}/api/admin/projects/checkout/overview`
    const { status } = await fetch(overview, { headers: { Authorization: keys.full } })
    child.kill('SIGINT')
    await end
    expect(status).toBe(it.status)
  })
})
