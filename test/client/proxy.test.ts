import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { proxyFor } from '../../src/service/proxy.ts'
import { certificate, certificateKey } from '../support/certificate.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage, listen } from '../support/server.ts'
import { serveTls } from '../support/tls.ts'

const usage = ['feature', 'usage', 'some-flag', '--json']

/** Connects CONNECT requests to a port of this machine, and records them. */
function tunnelTo(port: number) {
  const asked: (string | undefined)[][] = []
  const tunnel = ({ url, headers }: IncomingMessage, socket: Duplex) => {
    asked.push([url, headers.host, headers['proxy-authorization']])
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    socket.on('error', () => upstream.destroy())
    upstream.on('error', () => socket.destroy())
  }
  return { asked, tunnel }
}

function profileOf(baseUrl: string) {
  const profile = { baseUrl, apiKey: CANARY, caFile: 'ca.pem' }
  return {
    'home/.config/flagadm/config.json': JSON.stringify(profile),
    'home/.config/flagadm/ca.pem': certificate,
  }
}

describe('a request over https', () => {
  test.each([
    ['https://unleash.test', 'unleash.test:443'],
    ['https://unleash.test:8443', 'unleash.test:8443'],
  ])('to %s goes through the proxy of HTTPS_PROXY', async (address, target) => {
    const service = await serveTls()
    const { asked, tunnel } = tunnelTo(service.port)
    const port = await listen(createServer().on('connect', tunnel))
    const proxies = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const { code, stderr } = await flagadm(usage, { files: profileOf(address), env: proxies })
    expect([code, stderr, asked, service.keys]).toEqual([
      0,
      '',
      [[target, target, undefined]],
      [CANARY],
    ])
  })

  test.each([
    ['me:pa%20ss', 'me:pa ss'],
    ['me', 'me:'],
    [':pa%3Ass', ':pa:ss'],
    ['me:p@ss', 'me:p@ss'],
    ['me:p/ss', 'me:p/ss'],
    ['me@home:p@/?#:ss', 'me@home:p@/?#:ss'],
    ['me:100%', 'me:100%'],
  ])('sends the proxy the credentials %s', async (credentials, decoded) => {
    const service = await serveTls()
    const { asked, tunnel } = tunnelTo(service.port)
    const port = await listen(createServer().on('connect', tunnel))
    const proxies = { HTTPS_PROXY: `http://${credentials}@127.0.0.1:${port}` }
    const { code } = await flagadm(usage, {
      files: profileOf('https://unleash.test'),
      env: proxies,
    })
    const basic = `Basic ${Buffer.from(decoded).toString('base64')}`
    expect([code, asked]).toEqual([0, [['unleash.test:443', 'unleash.test:443', basic]]])
  })

  test('is not sent when the certificate is for another host', async () => {
    const service = await serveTls()
    const { tunnel } = tunnelTo(service.port)
    const port = await listen(createServer().on('connect', tunnel))
    const proxies = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const { code, stderr } = await flagadm([...usage.slice(0, 3)], {
      files: profileOf('https://other.test'),
      env: proxies,
    })
    expect([code, stderr, service.keys]).toEqual([
      8,
      'error: some-flag: https://other.test: the certificate is for another host\nhint: check the address\n',
      [],
    ])
  })

  test('of several flags makes one connection through the proxy', async () => {
    const service = await serveTls()
    const { asked, tunnel } = tunnelTo(service.port)
    const port = await listen(createServer().on('connect', tunnel))
    const proxies = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const argv = ['feature', 'usage', 'one', 'two', '--concurrency', '1']
    const { code } = await flagadm(argv, { files: profileOf('https://unleash.test'), env: proxies })
    expect([code, asked.length, service.keys.length]).toEqual([0, 1, 2])
  })
})

describe('a request over http', () => {
  test('goes through the proxy of HTTP_PROXY, on one connection', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createServer((request, response) => {
      asked.push(request.url)
      json(response, 200, someUsage)
    })
    let connections = 0
    proxy.on('connection', () => {
      connections++
    })
    const proxies = { HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}` }
    const argv = ['feature', 'usage', 'one', 'two', '--concurrency', '1', '--allow-http']
    const { code } = await flagadm(argv, {
      env: { ...environment('http://unleash.test'), ...proxies },
    })
    const path = 'http://unleash.test/api/admin/client-metrics/features'
    expect([code, asked, connections]).toEqual([0, [`${path}/one`, `${path}/two`], 1])
  })

  test('with the key of a profile goes to its address even if --base-url repeats it', async () => {
    const proxy = createServer((_request, response) => json(response, 200, someUsage))
    const proxies = { HTTP_PROXY: `http://127.0.0.1:${await listen(proxy)}` }
    const argv = [...usage, '--allow-http', '--base-url', 'http://unleash.test/']
    const { code } = await flagadm(argv, { files: profileOf('http://unleash.test'), env: proxies })
    expect(code).toBe(0)
  })

  test('to this machine never goes through a proxy', async () => {
    const server = await serve((response) => json(response, 200, someUsage))
    const proxies = { HTTP_PROXY: 'http://127.0.0.1:1' }
    const { code } = await flagadm(usage, { env: { ...environment(server.url), ...proxies } })
    expect([code, server.received.length]).toEqual([0, 1])
  })
})

describe('a proxy without a scheme is an http proxy', () => {
  test('for https', async () => {
    const service = await serveTls()
    const { asked, tunnel } = tunnelTo(service.port)
    const port = await listen(createServer().on('connect', tunnel))
    const { code } = await flagadm(usage, {
      files: profileOf('https://unleash.test'),
      env: { https_proxy: `me:pass@127.0.0.1:${port}` },
    })
    const basic = `Basic ${Buffer.from('me:pass').toString('base64')}`
    expect([code, asked]).toEqual([0, [['unleash.test:443', 'unleash.test:443', basic]]])
  })

  test('for http', async () => {
    const proxy = createServer((_request, response) => json(response, 200, someUsage))
    const env = {
      ...environment('http://unleash.test'),
      ALL_PROXY: `127.0.0.1:${await listen(proxy)}`,
    }
    const { code } = await flagadm([...usage, '--allow-http'], { env })
    expect(code).toBe(0)
  })
})

describe('the proxy for an address', () => {
  const env = {
    https_proxy: 'low:1',
    HTTPS_PROXY: 'up:1',
    HTTP_PROXY: 'http://plain:1',
    ALL_PROXY: 'all:1',
  }
  test.each([
    ['https://x.test', env, 'https_proxy http://low:1'],
    ['https://x.test', { ...env, https_proxy: '' }, 'HTTPS_PROXY http://up:1'],
    ['http://x.test', env, 'HTTP_PROXY http://plain:1'],
    ['http://x.test', { ALL_PROXY: 'https://all:1' }, 'ALL_PROXY https://all:1'],
    ['https://x.test', { HTTP_PROXY: 'http://plain:1' }, undefined],
    ['https://localhost', env, undefined],
    ['https://x.test', { ...env, NO_PROXY: 'y.test, X.test' }, undefined],
    ['https://x.test', { ...env, NO_PROXY: 'test' }, undefined],
    ['https://flags.x.test', { ...env, NO_PROXY: 'X.test' }, undefined],
    ['https://flags.x.test.', { ...env, NO_PROXY: 'x.test.' }, undefined],
    ['https://x.test', { ...env, NO_PROXY: 'flags.x.test' }, 'https_proxy http://low:1'],
    ['https://x.test', { ...env, NO_PROXY: '.x.test' }, undefined],
    ['https://x.test:8443', { ...env, NO_PROXY: '.test:8443' }, undefined],
    ['https://10.1.2.3', { ...env, NO_PROXY: '10.1.2.3' }, undefined],
    ['https://10.1.2.3:8443', { ...env, NO_PROXY: '10.1.2.3:443' }, 'https_proxy http://low:1'],
    ['https://10.1.2.3', { ...env, NO_PROXY: '2.3' }, 'https_proxy http://low:1'],
    ['https://10.1.2.3', { ...env, NO_PROXY: '10.0.0.0/8' }, undefined],
    ['https://11.1.2.3', { ...env, NO_PROXY: '10.0.0.0/8' }, 'https_proxy http://low:1'],
    ['https://10.1.2.3', { ...env, NO_PROXY: '10.0.0.0/' }, 'https_proxy http://low:1'],
    ['https://10.1.2.3', { ...env, NO_PROXY: '10.0.0.0/33' }, 'https_proxy http://low:1'],
    ['https://x.test', { ...env, NO_PROXY: '0.0.0.0/0,::/0' }, 'https_proxy http://low:1'],
    ['https://[fd00::1]', { ...env, NO_PROXY: 'fd00::1' }, undefined],
    ['https://[fd00::1]', { ...env, NO_PROXY: '[FD00:0::1]' }, undefined],
    ['https://[fd00::1]:8443', { ...env, NO_PROXY: '[fd00::1]:8443' }, undefined],
    ['https://[fd00::1]', { ...env, NO_PROXY: '[fd00::1]:8443' }, 'https_proxy http://low:1'],
    ['https://[fd00::1]', { ...env, NO_PROXY: 'fd00::/8' }, undefined],
    ['https://[fe00::1]', { ...env, NO_PROXY: 'fd00::/8' }, 'https_proxy http://low:1'],
    ['https://[fd00::1]', { ...env, NO_PROXY: '10.0.0.0/8' }, 'https_proxy http://low:1'],
    ['https://x.test', { ...env, NO_PROXY: '.test' }, undefined],
    ['https://x.test', { ...env, NO_PROXY: '*.test' }, undefined],
    ['https://x.test', { ...env, NO_PROXY: '*' }, undefined],
    ['https://x.test', { ...env, NO_PROXY: 'x.test:443' }, undefined],
    ['https://x.test', { ...env, NO_PROXY: 'x.test:8443' }, 'https_proxy http://low:1'],
    ['https://x.test:8443', { ...env, no_proxy: 'x.test:8443', NO_PROXY: '' }, undefined],
    ['https://x.test', { ...env, NO_PROXY: 'x.test:443x' }, 'https_proxy http://low:1'],
    ['https://x.test', { ...env, NO_PROXY: '*:443' }, undefined],
    ['http://x.test', { ...env, NO_PROXY: 'x.test:80' }, undefined],
    ['http://x.test', { ...env, NO_PROXY: 'x.test:443' }, 'HTTP_PROXY http://plain:1'],
    ['https://ax.test', { ...env, NO_PROXY: 'x.test' }, 'https_proxy http://low:1'],
    ['https://b.a.test', { ...env, NO_PROXY: '.a*.test' }, 'https_proxy http://low:1'],
    ['https://x.test', { ...env, NO_PROXY: ', y.test,,x.test ' }, undefined],
  ])('%s with %j is %s', (address, variables, expected) => {
    const proxy = proxyFor(address, variables)
    expect(proxy && `${proxy.variable} ${proxy.url.origin}`).toBe(expected)
  })
})

describe('a proxy that fails', () => {
  const argv = [...usage.slice(0, 3), '--retries', '1']
  const env = environment('https://unleash.test')
  const report = (proxy: string, what: string) =>
    `error: some-flag: https://unleash.test: the proxy ${proxy} ${what}\nhint: check HTTPS_PROXY and NO_PROXY\n`

  test('with the status 201 is reported as a failure of the proxy', async () => {
    let left = 0
    const proxy = createServer().on('connect', (_request, socket) => {
      socket.resume().once('end', () => left++)
      socket.write('HTTP/1.1 201 Created\r\n\r\n')
    })
    const proxies = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` }
    const { clock, waits } = patientClock()
    const { code, stdout, stderr } = await flagadm(argv, { env: { ...env, ...proxies }, clock })
    expect([code, stdout, waits]).toEqual([8, '', [100]])
    expect(stderr).toBe(report(proxies.HTTPS_PROXY, 'refused the connection (201), 2 attempts'))
    await expect.poll(() => left).toBe(2)
  })

  test('by closing the connection is reported', async () => {
    const proxy = createServer().on('connect', (_request, socket) => socket.destroy())
    const proxies = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` }
    const { clock } = patientClock()
    const { code, stderr } = await flagadm(argv, { env: { ...env, ...proxies }, clock })
    expect([code, stderr]).toEqual([
      8,
      report(proxies.HTTPS_PROXY, 'cannot be reached, 2 attempts'),
    ])
  })

  test.each(['https', 'http'])(
    'by asking for other credentials for %s exits 3, without a retry and without the password',
    async (protocol) => {
      let asked = 0
      const proxy = createServer((_request, response) => {
        asked++
        response.writeHead(407).end()
      }).on('connect', (_request, socket) => {
        asked++
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      })
      const host = `127.0.0.1:${await listen(proxy)}`
      const { clock, waits } = patientClock()
      const address = `${protocol}://unleash.test`
      const { code, stderr } = await flagadm([...argv, '--allow-http', '--verbose'], {
        env: { ...environment(address), ALL_PROXY: `http://me:se/cr@et@${host}` },
        clock,
      })
      const [error, hint] = stderr.split('\n').slice(-3)
      expect([code, error, hint, asked, waits]).toEqual([
        3,
        `error: some-flag: ${address}: the proxy http://${host} wants other credentials (407)`,
        'hint: check the user and password in ALL_PROXY, or exempt the service with NO_PROXY',
        1,
        [],
      ])
      expect(stderr).not.toMatch(/se\/|cr@|et@/)
    },
  )

  test.each(['me:secret@', 'me:se@cret@', 'me:se/cret@', 'me:12/cret@'])(
    'is shown without its credentials %s',
    async (credentials) => {
      const { clock } = patientClock()
      const { code, stderr } = await flagadm([...argv, '--allow-http'], {
        env: { ...environment('http://unleash.test'), http_proxy: `${credentials}127.0.0.1:1` },
        clock,
      })
      expect([code, stderr]).toEqual([
        8,
        'error: some-flag: http://unleash.test: the proxy http://127.0.0.1:1 cannot be reached, 2 attempts\n' +
          'hint: check http_proxy and NO_PROXY\n',
      ])
    },
  )

  test('to respond is reported at the deadline', async () => {
    let left = 0
    const proxy = createServer().on('connect', (_request, socket) => {
      socket.resume().once('end', () => left++)
    })
    const proxies = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` }
    const { code, stderr } = await flagadm([...argv, '--timeout', '0.2'], {
      env: { ...env, ...proxies },
    })
    expect([code, stderr]).toEqual([
      8,
      'error: some-flag: no complete response from https://unleash.test within 0.2 s\n' +
        'hint: try again, or raise --timeout\n',
    ])
    await expect.poll(() => left).toBe(1)
  })

  test('because of an untrusted certificate is reported', async () => {
    let asked = 0
    const proxy = createTlsServer({ cert: certificate, key: certificateKey }, () => asked++)
    const proxies = { HTTPS_PROXY: `https://127.0.0.1:${await listen(proxy)}` }
    const { clock } = patientClock()
    const { code, stderr } = await flagadm(argv, { env: { ...env, ...proxies }, clock })
    expect([code, stderr, asked]).toEqual([
      8,
      report(proxies.HTTPS_PROXY, 'cannot be reached, 2 attempts'),
      0,
    ])
  })

  test.each(['socks://127.0.0.1:1', 'xhttp://127.0.0.1:1', 'http://a b'])(
    'because its variable is not an address (%s) is refused before anything is sent',
    async (address) => {
      const proxies = { HTTPS_PROXY: address }
      const { code, stderr } = await flagadm(argv, { env: { ...env, ...proxies } })
      expect([code, stderr]).toEqual([
        3,
        'error: HTTPS_PROXY is not an http or https address\n' +
          'hint: set HTTPS_PROXY to http://host:port, or exempt the service with NO_PROXY\n',
      ])
    },
  )
})
