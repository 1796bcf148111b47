import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage, listen } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag']

test('a GET and a PUT have exactly these headers', async () => {
  const server = await serve((response, { method }) =>
    method === 'PUT' ? response.writeHead(200).end() : json(response, 200, someUsage),
  )
  const env = environment(server.url)
  await flagadm(usage, { env })
  await flagadm(['project', 'settings', 'set', 'p', '--no-read', '--naming-example', 'ü'], { env })
  const common = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate',
    authorization: CANARY,
    connection: 'keep-alive',
    host: new URL(server.url).host,
    'user-agent': `flagadm/${manifest.version}`,
    'x-unleash-appname': 'flagadm',
  }
  expect(server.received.map(({ headers, body }) => [headers, body])).toEqual([
    [common, ''],
    [
      { ...common, 'content-length': '34', 'content-type': 'application/json' },
      '{"featureNaming":{"example":"ü"}}',
    ],
  ])
})

describe('consecutive requests share one connection', () => {
  test.each([200, 204, 205, 304])('after the status %i', async (status) => {
    let connections = 0
    const server = createServer((_request, response) => {
      if (status === 200) return json(response, 200, someUsage)
      return response.writeHead(status).end()
    })
    server.on('connection', () => {
      connections++
    })
    const env = environment(`http://127.0.0.1:${await listen(server)}`)
    await flagadm(['feature', 'usage', 'a', 'b', 'c', '--concurrency', '1'], { env })
    expect(connections).toBe(1)
  })
})

test('--verbose logs an attempt that failed without a response', async () => {
  const server = await serve(() => {})
  const argv = [...usage, '--verbose', '--timeout', '0.2']
  const { stderr } = await flagadm(argv, { env: environment(server.url) })
  const path = `${server.url}/api/admin/client-metrics/features/some-flag`
  expect(stderr.split('\n')[1]).toMatch(/^debug: GET \S+: failed in \d+ ms$/)
  expect(stderr.split('\n')[1]).toContain(`GET ${path}: `)
})

test('the deadline ends a pause before another attempt', async () => {
  const server = await serve((response) => json(response, 503, {}))
  const { clock } = patientClock()
  const { code, stderr } = await flagadm([...usage, '--timeout', '0.3'], {
    env: environment(server.url),
    clock: { ...clock, sleep: (_milliseconds, signal) => delay(60_000, undefined, { signal }) },
  })
  expect([code, stderr]).toEqual([
    8,
    `error: some-flag: no complete response from ${server.url} within 0.3 s\nhint: try again, or raise --timeout\n`,
  ])
})

test('a request is retried only while the time of earlier pauses leaves enough', async () => {
  const server = await serve((response) => {
    response.setHeader('Retry-After', '6')
    json(response, 503, { message: 'busy' })
  })
  const { clock, waits } = patientClock()
  const { code, stderr } = await flagadm(usage, { env: environment(server.url), clock })
  expect([code, waits, stderr]).toEqual([
    8,
    [6000],
    'error: some-flag: 503: busy, 2 attempts\nhint: the service asks for a wait of 6 s: raise --retries or --timeout, or try again after that\n',
  ])
})

test('a request is not retried if the pause would last until the deadline', async () => {
  const server = await serve((response) => {
    response.setHeader('Retry-After', '10')
    json(response, 503, { message: 'busy' })
  })
  const { clock, waits } = patientClock()
  const { code, stderr } = await flagadm(usage, { env: environment(server.url), clock })
  expect([code, waits, stderr]).toEqual([
    8,
    [],
    'error: some-flag: 503: busy\nhint: the service asks for a wait of 10 s: raise --retries or --timeout, or try again after that\n',
  ])
})
