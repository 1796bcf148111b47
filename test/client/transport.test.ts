import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { resetWhenRead, serveRaw } from '../support/raw.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag']

function head(length: number, type = 'application/json'): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
}

test('path segments are percent-encoded after the path prefix of the address', async () => {
  const server = await serve((response) => json(response, 200, someUsage))
  const env = environment(`${server.url}/unleash/`)
  await flagadm(['feature', 'usage', 'a b/ü:projectId', '--json'], { env })
  expect(server.received.map(({ url }) => url)).toEqual([
    '/unleash/api/admin/client-metrics/features/a%20b%2F%C3%BC%3AprojectId',
  ])
})

describe('retries', () => {
  test('a 503 is retried', async () => {
    const server = await serve((response, _request, count) =>
      count === 1 ? json(response, 503, {}) : json(response, 200, someUsage),
    )
    const { clock, waits } = patientClock()
    const { code } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, waits]).toEqual([0, [100]])
  })

  test('the pauses grow and the error counts the attempts', async () => {
    const server = await serve((response) =>
      json(response, 500, { name: 'Oops', message: 'sorry' }),
    )
    const { clock, waits } = patientClock()
    const world = { env: environment(server.url), clock }
    const { code, stdout, stderr } = await flagadm([...usage, '--retries', '3'], world)
    expect([code, stdout, waits]).toEqual([8, '', [100, 200, 400]])
    expect(stderr).toBe('error: some-flag: 500 Oops: sorry, 4 attempts\nhint: try again later\n')
  })

  test.each([
    ['in seconds', '3', 3000],
    ['as a date', 'Fri, 20 Nov 2026 16:00:05 GMT', 5000],
    ['with a unit', '2 s', 100],
    ['in words', 'about 2', 100],
  ])('a Retry-After %s (%s) makes the pause at least %i ms', async (_form, header, wait) => {
    const server = await serve((response, _request, count) => {
      if (count > 1) return json(response, 200, someUsage)
      response.setHeader('Retry-After', header)
      return json(response, 429, {})
    })
    const { clock, waits } = patientClock()
    const { code } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, waits]).toEqual([0, [wait]])
  })

  test('a connection reset in the middle of the body is retried', async () => {
    const text = JSON.stringify(someUsage)
    let attempts = 0
    const server = await serveRaw((socket) => {
      socket.on('data', () => {
        attempts++
        if (attempts > 1) return socket.end(head(text.length) + text)
        socket.write(head(text.length) + text.slice(0, 20))
        return resetWhenRead(socket)
      })
    })
    const { clock } = patientClock()
    const { code, stderr } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, stderr, server.connections()]).toEqual([0, '', 2])
  })
})

describe('a compressed response', () => {
  const compressed = (encoding: string, bytes: Buffer) =>
    serve((response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding })
        .end(bytes),
    )
  const text = JSON.stringify(someUsage)

  test.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['identity', Buffer.from(text)],
  ])('in %s is read', async (encoding, bytes) => {
    const server = await compressed(encoding, bytes)
    const argv = [...usage, '--json']
    const { code, stdout } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stdout]).toEqual([0, `${text}\n`])
  })

  test('that is malformed is reported', async () => {
    const server = await compressed('gzip', Buffer.from('not gzip at all'))
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout]).toEqual([8, ''])
    expect(stderr).toBe(
      `error: some-flag: ${server.url}: the response is malformed (Z_DATA_ERROR)\n` +
        'hint: check that this is the address of the service\n',
    )
  })

  test('that is cut off is reported', async () => {
    const server = await compressed('gzip', gzipSync(text).subarray(0, 40))
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout, stderr]).toEqual([
      8,
      '',
      `error: some-flag: ${server.url}: the response is malformed (Z_BUF_ERROR)\n` +
        'hint: check that this is the address of the service\n',
    ])
  })
})

test('a key that the service sends back is masked in every form', async () => {
  const forms = [
    CANARY,
    encodeURIComponent(CANARY),
    CANARY.replaceAll('*', '%2a').replace(':', '%3a'),
    Buffer.from(CANARY).toString('hex'),
    Buffer.from(CANARY).toString('base64url'),
  ]
  const server = await serve((response) => json(response, 400, { message: forms.join(' ') }))
  const { stderr } = await flagadm(usage, { env: environment(server.url) })
  expect(stderr).toBe(
    'error: some-flag: 400: [redacted] [redacted] [redacted] [redacted] [redacted]\n',
  )
})

test('the random part of a key is masked if the part before it was changed', async () => {
  const argv = ['naming', 'lint', '--pattern', '.*', '--example', CANARY, '-o', 'json']
  const { stdout } = await flagadm(argv, { env: environment('https://flags.example.com') })
  expect(JSON.parse(stdout).findings[0]).toMatchObject({
    code: 'example-illegal',
    suggestion: '*-*.[redacted]',
  })
})

test('a key from the environment is masked even as the value of another option', async () => {
  const { code, stderr } = await flagadm([...usage, '-p', CANARY], {
    env: environment('https://flags.example.com'),
  })
  expect([code, stderr.split('\n')[0]]).toEqual([3, "error: unknown profile '[redacted]'"])
})

test('--verbose logs each attempt', async () => {
  const server = await serve((response, _request, count) =>
    count === 1 ? json(response, 503, {}) : json(response, 200, someUsage),
  )
  const { clock } = patientClock()
  const argv = [...usage, '--json', '--verbose']
  const { stderr } = await flagadm(argv, { env: environment(server.url), clock })
  const messages = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).debug.message)
  const path = `${server.url}/api/admin/client-metrics/features/some-flag`
  expect(messages.slice(1)).toEqual([
    `GET ${path}: 503 in 0 ms, next attempt in 100 ms`,
    `GET ${path}: 200 in 0 ms`,
  ])
})

test('an interrupted request exits 130 without output', async () => {
  const interruption = new AbortController()
  const server = await serveRaw((socket) => {
    socket.on('data', () => interruption.abort())
  })
  const world = { env: environment(server.url), signal: interruption.signal }
  const { code, stdout, stderr } = await flagadm(usage, world)
  expect([code, stdout, stderr]).toEqual([130, '', ''])
})
