import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { serveRaw } from '../support/raw.ts'
import { json, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag']
const settings = ['project', 'settings', 'set', 'default', '--mode', 'private']
const operations = [
  ['feature usage', usage, 'some-flag'],
  ['project settings set', settings, 'project default'],
] as const
const usagePath = '/api/admin/client-metrics/features/some-flag'
const settingsPath = '/api/admin/projects/default/settings'

function head(length: number, type = 'application/json'): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
}

test('both requests are exactly as specified', async () => {
  const server = await serve((response, { method }) =>
    method === 'PUT' ? response.writeHead(200).end() : json(response, 200, someUsage),
  )
  const env = environment(`${server.url}/unleash/`)
  await flagadm(['feature', 'usage', 'a b/ü', '--json'], { env })
  await flagadm(settings, { env })
  expect(server.received.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', '/unleash/api/admin/client-metrics/features/a%20b%2F%C3%BC', ''],
    ['PUT', '/unleash/api/admin/projects/default/settings', '{"mode":"private"}'],
  ])
  expect(server.received.map(({ headers }) => headers)).toMatchObject([
    { accept: 'application/json', authorization: CANARY },
    { authorization: CANARY, 'content-type': 'application/json' },
  ])
  expect(server.received[0]?.headers['user-agent']).toMatch(/^flagadm\/\d+\.\d+\.\d+$/)
})

describe('retries', () => {
  test('an answer 503 is followed by another attempt', async () => {
    const server = await serve((response, _request, count) =>
      count === 1 ? json(response, 503, {}) : json(response, 200, someUsage),
    )
    const { clock, waits } = patientClock()
    const { code } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, waits]).toEqual([0, [100]])
  })

  test.each(operations)(
    'the pauses of %s grow and the error counts the attempts',
    async (_name, argv, subject) => {
      const server = await serve((response) =>
        json(response, 500, { name: 'Oops', message: 'sorry' }),
      )
      const { clock, waits } = patientClock()
      const world = { env: environment(server.url), clock }
      const { code, stdout, stderr } = await flagadm([...argv, '--retries', '3'], world)
      expect([code, stdout, waits]).toEqual([8, '', [100, 200, 400]])
      expect(stderr).toBe(`error: ${subject}: 500 Oops: sorry, 4 attempts\nhint: try again later\n`)
    },
  )

  test.each([
    ['in seconds', '3', 3000],
    ['as a date', 'Fri, 20 Nov 2026 16:00:05 GMT', 5000],
    ['that makes no sense', 'soon', 100],
    ['with a unit', '2 s', 100],
    ['in words', 'about 2', 100],
  ])('Retry-After %s is the least that is waited after 429', async (_what, header, wait) => {
    const server = await serve((response, _request, count) => {
      if (count > 1) return json(response, 200, someUsage)
      response.setHeader('Retry-After', header)
      return json(response, 429, {})
    })
    const { clock, waits } = patientClock()
    const { code } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, waits]).toEqual([0, [wait]])
  })

  test('a Retry-After beyond the deadline ends the attempts at once', async () => {
    const server = await serve((response) => {
      response.setHeader('Retry-After', '60')
      json(response, 429, { name: 'TooMany', message: 'slow down' })
    })
    const { code, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stderr, server.received.length]).toEqual([
      8,
      'error: some-flag: 429 TooMany: slow down\n' +
        'hint: the service asks to wait 60 s; raise --timeout or try then\n',
      1,
    ])
  })

  test('a connection that is reset in the middle of the body is tried again', async () => {
    const text = JSON.stringify(someUsage)
    let answers = 0
    const server = await serveRaw((socket) => {
      socket.on('data', () => {
        answers++
        if (answers > 1) return socket.end(head(text.length) + text)
        socket.write(head(text.length) + text.slice(0, 20))
        return setTimeout(() => socket.resetAndDestroy(), 20)
      })
    })
    const { clock } = patientClock()
    const { code, stderr } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, stderr, server.connections()]).toEqual([0, '', 2])
  })
})

describe('redirects are not followed', () => {
  const cases = [300, 301, 302, 303, 307, 308].flatMap((status) =>
    operations.map(([name, argv, subject]) => [status, name, argv, subject] as const),
  )
  test.each(cases)(
    '%i of %s: the other origin receives nothing',
    async (status, _name, argv, subject) => {
      const other = await serve((response) => json(response, 200, someUsage))
      const server = await serve((response) => {
        response.writeHead(status, { Location: `${other.url}/login?key=1` }).end()
      })
      const { code, stdout, stderr } = await flagadm(argv, { env: environment(server.url) })
      expect([code, stdout, other.received, server.received.length]).toEqual([8, '', [], 1])
      const url = `${server.url}${server.received[0]?.url}`
      expect(stderr).toBe(
        `error: ${subject}: ${status}: ${url} redirects to ${other.url}, which is not followed\n` +
          'hint: set the base URL to the address of the service itself\n',
      )
    },
  )
})

describe('an answer that is not what the specification says', () => {
  const notTheService =
    'hint: check that the address is that of the service and not of a proxy or a login page\n'
  test.each([
    ['no content type', '', '{}', 'no content type instead of JSON'],
    [
      'truncated JSON',
      'application/json',
      '{"lastHourUsage":[',
      'JSON that is malformed or cut off',
    ],
    ['a number that is none', 'application/json', 'NaN', 'JSON that is malformed or cut off'],
    [
      'no records',
      'application/json',
      '{"version":1}',
      'a usage document of the wrong shape (lastHourUsage: missing)',
    ],
    [
      'a list',
      'application/json',
      '[]',
      'a usage document of the wrong shape (document: expected an object)',
    ],
    [
      'a count that is text',
      'application/json',
      '{"lastHourUsage":[{"yes":"many"}]}',
      'a usage document of the wrong shape (lastHourUsage[0].yes: expected an integer)',
    ],
    [
      'variants that are a list',
      'application/json',
      '{"lastHourUsage":[{},{"variants":[1]}]}',
      'a usage document of the wrong shape (lastHourUsage[1].variants: expected an object)',
    ],
    [
      'a variant count that is text',
      'application/json',
      '{"lastHourUsage":[{"variants":{"a":"b"}}]}',
      'a usage document of the wrong shape (lastHourUsage[0].variants: expected integers)',
    ],
  ])('%s is reported', async (_what, type, text, problem) => {
    const server = await serve((response) => {
      if (type) response.setHeader('Content-Type', type)
      response.end(text)
    })
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout]).toEqual([8, ''])
    expect(stderr).toBe(
      `error: some-flag: ${server.url}${usagePath} answered with ${problem}\n${notTheService}`,
    )
  })

  test('202 is no success of a settings change', async () => {
    const server = await serve((response) => response.writeHead(202).end())
    const { code, stdout, stderr } = await flagadm(settings, { env: environment(server.url) })
    expect([code, stdout]).toEqual([8, ''])
    expect(stderr).toBe(
      `error: project default: ${server.url}${settingsPath} answered with 202 instead of 200\n${notTheService}`,
    )
  })

  test('a body of more than 32 MiB is refused while it arrives', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20)
    let sent = 0
    const server = await serve((response) => {
      response.setHeader('Content-Type', 'application/json')
      const more = () => {
        while (sent < 200 && !response.destroyed) {
          sent++
          if (!response.write(chunk)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    })
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout]).toEqual([8, ''])
    expect(stderr).toBe(
      `error: some-flag: ${server.url}: the answer is larger than 32 MiB\n` +
        'hint: check that the address is that of the service\n',
    )
    expect(sent).toBeLessThan(200)
  })
})

test('an answer that switches protocols is reported at once', async () => {
  const server = await serveRaw((socket) => {
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    )
  })
  const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
  expect([code, stdout]).toEqual([8, ''])
  expect(stderr).toContain('the answer is garbled (HPE_UNEXPECTED_UPGRADE)')
})

describe('a compressed answer', () => {
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
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('in %s is read', async (encoding, bytes) => {
    const server = await compressed(encoding, bytes)
    const argv = [...usage, '--json']
    const { code, stdout } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stdout]).toEqual([0, `${text}\n`])
  })

  test('that is garbled is reported', async () => {
    const server = await compressed('gzip', Buffer.from('not gzip at all'))
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout]).toEqual([8, ''])
    expect(stderr).toBe(
      `error: some-flag: ${server.url}: the answer is garbled (Z_DATA_ERROR)\n` +
        'hint: check that the address is that of the service\n',
    )
  })

  test('that is cut off is reported', async () => {
    const server = await compressed('gzip', gzipSync(text).subarray(0, 40))
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout, stderr]).toEqual([
      8,
      '',
      `error: some-flag: ${server.url}: the answer is garbled (Z_BUF_ERROR)\n` +
        'hint: check that the address is that of the service\n',
    ])
  })
})

describe('an error body', () => {
  const id = '4f6c1d0a-0000-4000-8000-000000000000'
  test.each([
    [
      'as specified',
      403,
      { id, name: 'NoAccessError', message: 'You need permission=X' },
      5,
      `403 NoAccessError: You need permission=X (id ${id})`,
    ],
    ['without a name', 403, { id, message: 'No' }, 5, `403: No (id ${id})`],
    ['without an id', 404, { name: 'NotFoundError', message: 'No' }, 6, '404 NotFoundError: No'],
    [
      'with details',
      400,
      {
        name: 'BadDataError',
        message: 'Failed',
        details: [{ message: 'one' }, 'two', 3, { message: 'Failed' }],
      },
      7,
      '400 BadDataError: Failed (one; two)',
    ],
    [
      'with the name that another status has',
      415,
      { name: 'AuthenticationRequired', message: 'No' },
      7,
      '415 AuthenticationRequired: No',
    ],
    [
      'with the specified spelling',
      415,
      { name: 'ContentTypeerror', message: 'No' },
      7,
      '415 ContentTypeerror: No',
    ],
    ['that is no object', 401, '"no"', 4, '401: no error message from S (application/json)'],
    [
      'that is not JSON',
      401,
      '<html>\u001b[31m',
      4,
      '401: no error message from S (application/json)',
    ],
    [
      'with fields of other types',
      404,
      { id: 1, name: [], message: {} },
      6,
      '404: no error message from S (application/json)',
    ],
  ])('%s is shown', async (_what, status, body, exit, line) => {
    const server = await serve((response) => json(response, status, body))
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([
      exit,
      '',
      `error: some-flag: ${line.replace(/\bS\b/, server.url + usagePath)}`,
    ])
  })

  test('becomes one JSON object with --json', async () => {
    const server = await serve((response) =>
      json(response, 400, {
        id,
        name: 'BadDataError',
        message: 'Failed',
        details: [{ message: 'one' }],
      }),
    )
    const { code, stdout, stderr } = await flagadm(['--json', ...settings], {
      env: environment(server.url),
    })
    expect([code, stdout]).toEqual([7, ''])
    expect(stderr).toBe(
      `{"error":{"kind":"rejected","exitCode":7,"projectId":"default","status":400,"name":"BadDataError","id":"${id}","message":"Failed","details":["one"]}}\n`,
    )
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

test('the random part of a key is masked where the part before it was changed', async () => {
  const argv = ['naming', 'lint', '--pattern', '.*', '--example', CANARY, '-o', 'json']
  const { stdout } = await flagadm(argv, { env: environment('https://flags.example.com') })
  expect(JSON.parse(stdout).findings[0]).toMatchObject({
    code: 'example-illegal',
    suggestion: '*-*.[redacted]',
  })
})

test('a key of the environment is masked even where it does not belong', async () => {
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
  expect(messages.slice(2)).toEqual([
    `GET ${path}: 503 in 0 ms, next attempt in 100 ms`,
    `GET ${path}: 200 in 0 ms`,
  ])
})

test('an interrupted request ends with 130 and says nothing', async () => {
  const interruption = new AbortController()
  const server = await serveRaw((socket) => {
    socket.on('data', () => interruption.abort())
  })
  const world = { env: environment(server.url), signal: interruption.signal }
  const { code, stdout, stderr } = await flagadm(usage, world)
  expect([code, stdout, stderr]).toEqual([130, '', ''])
})
