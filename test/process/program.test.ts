import { once } from 'node:events'
import { createServer as createProxy, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, start } from '../support/binary.ts'
import { certificate } from '../support/certificate.ts'
import { CANARY, environment, temporaryFolder } from '../support/flagadm.ts'
import { json, listen, serve, someUsage } from '../support/server.ts'
import { serveTls } from '../support/tls.ts'

const usage = ['feature', 'usage', 'some-flag', '--json']

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const outcome = await ended(await start(argv, env))
  expect(outcome.stdout + outcome.stderr).not.toContain(CANARY)
  return outcome
}

async function userConfiguration(baseUrl: string) {
  const configuration = { baseUrl, apiKey: CANARY, caFile: 'ca.pem' }
  const folder = await temporaryFolder({
    'flagadm/config.json': JSON.stringify(configuration),
    'flagadm/ca.pem': certificate,
  })
  return { XDG_CONFIG_HOME: folder }
}

describe('the built flagadm', () => {
  it('reads usage from a service, and writes no file', async () => {
    const { url } = await serve((response) => json(response, 200, someUsage))
    const home = await temporaryFolder()
    const cache = await temporaryFolder()
    const env = { ...environment(url), HOME: home, XDG_CACHE_HOME: cache }
    const { code, stdout, stderr } = await run(usage, env)
    expect({ code, document: JSON.parse(stdout), stderr }).toEqual({
      code: 0,
      document: someUsage,
      stderr: '',
    })
    expect([await readdir(home), await readdir(cache)]).toEqual([[], []])
  })

  it('runs against its own sandbox, and reads YAML', async () => {
    const folder = await temporaryFolder({ 's.yaml': 'mode: open # for all\n' })
    const set = ['project', 'settings', 'set', 'default', '--file', join(folder, 's.yaml')]
    const { code, stdout } = await run([...set, '-p', 'sandbox', '--json'])
    expect([code, JSON.parse(stdout).settings]).toEqual([0, { mode: 'open' }])
  })

  it('sends a request through the proxy of HTTPS_PROXY, and no library prints headers', async () => {
    const service = await serveTls()
    const targets: (string | undefined)[] = []
    const proxy = createProxy().on('connect', ({ url }: IncomingMessage, socket) => {
      targets.push(url)
      const upstream = connect(service.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
    })
    const configuration = await userConfiguration('https://unleash.test')
    const HTTPS_PROXY = `http://127.0.0.1:${await listen(proxy)}`
    const { code, stderr } = await run(usage, { ...configuration, HTTPS_PROXY, DEBUG: '*' })
    expect({ code, stderr, targets, keys: service.keys }).toEqual({
      code: 0,
      stderr: '',
      targets: ['unleash.test:443'],
      keys: [CANARY],
    })
  })

  it('trusts a certificate in caFile or NODE_EXTRA_CA_CERTS, and no other', async () => {
    const service = await serveTls()
    const url = `https://localhost:${service.port}`
    const folder = await temporaryFolder({ 'ca.pem': certificate })
    const extra = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
    const runs = [
      await run(usage, await userConfiguration(url)),
      await run(usage, { ...environment(url), ...extra }),
      await run(usage, environment(url)),
    ]
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 8])
    expect(service.keys).toEqual([CANARY, CANARY])
  })

  it.each([
    [[], 200],
    [['--spec-only'], 404],
  ])('serves a sandbox until Ctrl-C, with %j', async (options, status) => {
    const child = await start(['sandbox', '--port', '0', ...options])
    const end = ended(child)
    const [text] = await once(child.stdout ?? child, 'data')
    const [, url, key = ''] = /FLAGADM_BASE_URL=(\S+) FLAGADM_API_KEY='(\S+)'\n/.exec(text) ?? []
    const path = '/api/admin/projects/checkout/overview'
    const response = await fetch(`${url}${path}`, { headers: { Authorization: key } })
    child.kill('SIGINT')
    const { code, stdout, stderr } = await end
    expect({ code, status: response.status, stderr }).toEqual({
      code: 130,
      status,
      stderr: `note: GET ${path} ${status}\n`,
    })
    expect(stdout).toContain(`The sandbox is running at ${url}; press Ctrl-C to stop it.`)
  })
})
