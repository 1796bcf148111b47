import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { proxyFor } from '../../src/service/proxy.ts'
import { certificate } from '../support/certificate.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { json, listen, serve, someUsage } from '../support/server.ts'
import { ending } from '../support/text.ts'
import { serveTls } from '../support/tls.ts'

// Without warnings, no more is asked than the usage.
const usage = ['feature', 'usage', 'some-flag', '--quiet']

function profileOf(baseUrl: string) {
  const profile = { baseUrl, apiKey: CANARY, caFile: 'ca.pem' }
  return {
    'home/.config/flagadm/config.json': JSON.stringify(profile),
    'home/.config/flagadm/ca.pem': certificate,
  }
}

/** Reads usage of an https service through a proxy, which is the host of `variables`. */
async function throughTunnel(
  address: string,
  variable: string,
  proxy: string,
  more: string[] = [],
) {
  const service = await serveTls()
  const asked: (string | undefined)[][] = []
  const tunnel = ({ url, headers }: IncomingMessage, socket: Duplex) => {
    asked.push([url, headers.host, headers['proxy-authorization']])
    const upstream = connect(service.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    socket.on('error', () => upstream.destroy())
    upstream.on('error', () => socket.destroy())
  }
  const port = await listen(createServer().on('connect', tunnel))
  const env = { [variable]: `${proxy}127.0.0.1:${port}` }
  const outcome = await flagadm([...usage, ...more], { files: profileOf(address), env })
  return { ...outcome, asked, keys: service.keys }
}

/** A proxy for http that answers itself, and what it was asked. */
async function forward() {
  const asked: (string | undefined)[] = []
  let connections = 0
  const proxy = createServer((request, response) => {
    asked.push(request.url)
    json(response, 200, someUsage)
  }).on('connection', () => connections++)
  return { asked, host: `127.0.0.1:${await listen(proxy)}`, connections: () => connections }
}

const target = 'unleash.test:443'

describe('a request over https', () => {
  it('makes one connection through the proxy of HTTPS_PROXY for several flags', async () => {
    const outcome = await throughTunnel('https://unleash.test', 'HTTPS_PROXY', 'http://', [
      'two',
      '--concurrency',
      '1',
    ])
    const { code, stderr, asked, keys } = outcome
    expect({ code, stderr, asked }).toEqual({
      code: 0,
      stderr: '',
      asked: [[target, target, undefined]],
    })
    expect(keys).toEqual([CANARY, CANARY])
  })

  it.each([
    ['http://me:pa%20ss', 'me:pa ss'],
    ['http://:pa%3Ass', ':pa:ss'],
    ['http://me@home:p@/?#:ss', 'me@home:p@/?#:ss'],
    ['http://me:100%', 'me:100%'],
    ['me:pass', 'me:pass'],
  ])('sends the proxy the credentials of %s', async (credentials, decoded) => {
    const proxy = `${credentials}@`
    const { code, asked } = await throughTunnel('https://unleash.test', 'https_proxy', proxy)
    const basic = `Basic ${Buffer.from(decoded).toString('base64')}`
    expect([code, asked]).toEqual([0, [[target, target, basic]]])
  })

  it('is not sent when the certificate is for another host', async () => {
    const { code, stderr, keys } = await throughTunnel('https://a.test', 'ALL_PROXY', 'http://')
    const what = 'error: some-flag: https://a.test: the certificate is for another host\n'
    expect({ code, stderr, keys }).toEqual({
      code: 8,
      stderr: `${what}hint: check the address\n`,
      keys: [],
    })
  })
})

describe('a request over http', () => {
  it('makes one connection through the proxy of HTTP_PROXY for several flags', async () => {
    const { asked, host, connections } = await forward()
    const env = { ...environment('http://unleash.test'), HTTP_PROXY: `http://${host}` }
    const argv = [...usage, 'two', '--concurrency', '1', '--allow-http']
    const { code } = await flagadm(argv, { env })
    const path = 'http://unleash.test/api/admin/client-metrics/features'
    expect({ code, asked, connections: connections() }).toEqual({
      code: 0,
      asked: [`${path}/some-flag`, `${path}/two`],
      connections: 1,
    })
  })

  it('to this machine never goes through a proxy', async () => {
    const { url, received } = await serve((response) => json(response, 200, someUsage))
    const env = { ...environment(url), HTTP_PROXY: 'http://127.0.0.1:1' }
    expect([(await flagadm(usage, { env })).code, received.length]).toEqual([0, 1])
  })
})

describe('the proxy for an address', () => {
  const env = {
    https_proxy: 'low:1',
    HTTPS_PROXY: 'up:1',
    HTTP_PROXY: 'http://plain:1',
    ALL_PROXY: 'all:1',
  }
  it.each<[string, Record<string, string>, string | undefined]>([
    ['https://x.test', env, 'https_proxy http://low:1'],
    ['https://x.test', { ...env, https_proxy: '' }, 'HTTPS_PROXY http://up:1'],
    ['http://x.test', env, 'HTTP_PROXY http://plain:1'],
    ['http://x.test', { ALL_PROXY: 'https://all:1' }, 'ALL_PROXY https://all:1'],
    ['https://x.test', { HTTP_PROXY: 'http://plain:1' }, undefined],
    ['https://localhost', env, undefined],
    ['https://x.test:8443', { ...env, no_proxy: 'x.test:8443', NO_PROXY: '' }, undefined],
  ])('%s with %j is %s', (address, variables, expected) => {
    const proxy = proxyFor(address, variables)
    expect(proxy && `${proxy.variable} ${proxy.url.origin}`).toBe(expected)
  })

  it.each([
    ['https://x.test', 'y.test, X.test', true],
    ['https://x.test', 'test', true],
    ['https://x.test', '*.test', true],
    ['https://flags.x.test.', 'X.test.', true],
    ['https://x.test', 'flags.x.test', false],
    ['https://ax.test', 'x.test', false],
    ['https://x.test', '*', true],
    ['https://x.test', 'x.test:8443', false],
    ['https://x.test:8443', '.test:8443', true],
    ['https://10.1.2.3:8443', '10.1.2.3:443', false],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.0.0.0/33', false],
    ['https://x.test', '0.0.0.0/0,::/0', false],
    ['https://[fd00::1]', '[FD00:0::1]', true],
    ['https://[fd00::1]:8443', '[fd00::1]:8443', true],
    ['https://[fd00::1]', 'fd00::/8', true],
    ['https://[fe00::1]', 'fd00::/8', false],
  ])('%s is exempt with NO_PROXY=%j: %s', (address, NO_PROXY, isExempt) => {
    expect(proxyFor(address, { ...env, NO_PROXY }) === undefined).toBe(isExempt)
  })
})

describe('a proxy that fails', () => {
  const argv = [...usage, '--retries', '1']

  /** Reads usage with a proxy in a variable. */
  async function through(variable: string, proxy: string, more: string[] = []) {
    const { clock, waits } = patientClock()
    const service = variable === 'http_proxy' ? 'http://unleash.test' : 'https://unleash.test'
    const env = { ...environment(service), [variable]: proxy }
    const outcome = await flagadm([...argv, '--allow-http', ...more], { env, clock })
    return { ...outcome, waits }
  }
  const report = (proxy: string, what: string, variable = 'HTTPS_PROXY', scheme = 'https') =>
    `error: some-flag: ${scheme}://unleash.test: the proxy ${proxy} ${what}\nhint: check ${variable} and NO_PROXY\n`

  it('with the status 201 is reported as a failure of the proxy', async () => {
    let left = 0
    const proxy = createServer().on('connect', (_request, socket) => {
      socket.resume().once('end', () => left++)
      socket.write('HTTP/1.1 201 Created\r\n\r\n')
    })
    const address = `http://127.0.0.1:${await listen(proxy)}`
    const { code, stdout, stderr, waits } = await through('HTTPS_PROXY', address)
    expect({ code, stdout, waits }).toEqual({
      code: 8,
      stdout: '',
      waits: [100],
    })
    expect(stderr).toBe(report(address, 'refused the connection (201), 2 attempts'))
    await expect.poll(() => left).toBe(2)
  })

  it.each(['https_proxy', 'http_proxy'])(
    'by asking for other credentials (%s) exits 3, without a retry and without the password',
    async (variable) => {
      let asked = 0
      const proxy = createServer((_request, response) => {
        asked++
        response.writeHead(407).end()
      }).on('connect', (_request, socket) => {
        asked++
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      })
      const host = `127.0.0.1:${await listen(proxy)}`
      const credentials = `http://me:se/cr@et@${host}`
      const { code, stderr, waits } = await through(variable, credentials, ['--verbose'])
      expect({ code, asked, waits }).toEqual({
        code: 3,
        asked: 1,
        waits: [],
      })
      expect(stderr).toContain(
        `unleash.test: the proxy http://${host} wants other credentials (407)`,
      )
      const way = `check the user and password in ${variable}, or exempt the service with NO_PROXY`
      expect(stderr).toContain(`\nhint: ${way}\n`)
      expect(stderr).not.toMatch(/se\/|cr@|et@/)
    },
  )

  it.each(['me:se@cret@', 'me:12/cret@'])(
    'is shown without its credentials %s',
    async (credentials) => {
      const { code, stderr } = await through('http_proxy', `${credentials}127.0.0.1:1`)
      const what = 'cannot be reached, 2 attempts'
      expect([code, stderr]).toEqual([8, report('http://127.0.0.1:1', what, 'http_proxy', 'http')])
    },
  )

  it.each(['socks://127.0.0.1:1', 'http://a b'])(
    'because its variable is not an address (%s) is refused before anything is sent',
    async (address) => {
      expect(ending(await through('HTTPS_PROXY', address))).toBe(
        '3 error: HTTPS_PROXY is not an http or https address\nhint: set HTTPS_PROXY to http://host:port, or exempt the service with NO_PROXY\n',
      )
    },
  )
})
