import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm, type World } from '../support/flagadm.ts'
import { json, type Received, serve, someUsage } from '../support/server.ts'
import { ending } from '../support/text.ts'

// Without warnings, no more is asked than the usage.
const usage = ['feature', 'usage', 'some-flag', '--quiet']
const path = '/api/admin/client-metrics/features/some-flag'
const text = JSON.stringify(someUsage)

type Respond = (response: ServerResponse, count: number, request: Received) => unknown

/** Runs flagadm against a service, which is called S in the output; returns the pauses, too. */
async function against(respond: Respond, argv: readonly string[] = usage, world: World = {}) {
  const { url, received } = await serve((response, request, count) =>
    respond(response, count, request),
  )
  const { clock, waits } = patientClock()
  const outcome = await flagadm(argv, { env: environment(url), clock, ...world })
  const { code, stdout, stderr } = outcome
  return { code, stdout, stderr: stderr.replaceAll(url, 'S'), waits, received, url }
}

const busy = (status: number, wait?: string, body: object = { message: 'busy' }) => {
  return (response: ServerResponse) => {
    if (wait !== undefined) response.setHeader('Retry-After', wait)
    json(response, status, body)
  }
}

it('a GET and a PUT have exactly these headers', async () => {
  const server = await serve((response, { method }) =>
    method === 'PUT' ? response.writeHead(200).end() : json(response, 200, someUsage),
  )
  const env = environment(server.url)
  await flagadm(usage, { env })
  await flagadm(['project', 'settings', 'set', 'p', '--no-read', '--example', 'ü'], { env })
  const common = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate',
    authorization: CANARY,
    connection: 'keep-alive',
    host: new URL(server.url).host,
    'user-agent': `flagadm/${manifest.version}`,
    'x-unleash-appname': 'flagadm',
  }
  const [get, put, ...more] = server.received
  expect(get?.headers).toEqual(common)
  expect(get?.body).toBe('')
  expect(put?.headers).toEqual({
    ...common,
    'content-length': '34',
    'content-type': 'application/json',
  })
  expect(put?.body).toBe('{"featureNaming":{"example":"ü"}}')
  expect(more).toEqual([])
})

it('path segments are percent-encoded after the path prefix of the address', async () => {
  const { url, received } = await serve((response) => response.writeHead(204).end())
  const argv = ['feature', 'usage', 'a b/ü:projectId']
  const { stderr } = await flagadm(argv, { env: environment(`${url}/unleash/`) })
  const requested = '/unleash/api/admin/client-metrics/features/a%20b%2F%C3%BC%3AprojectId'
  expect(received.map((request) => request.url)).toEqual([requested])
  expect(stderr).toContain(`${url}${requested} returned 204 instead of 200\n`)
})

it.each([
  [usage.with(2, '\ud800'), 'the flag name is not valid Unicode', 'check how the text is encoded'],
  [usage.with(2, '..'), "invalid flag name '..'", "a flag name cannot be empty, '.' or '..'"],
  [
    ['project', 'settings', 'set', '..', '--mode', 'open'],
    "invalid project id '..'",
    "a project id cannot be empty, '.' or '..'",
  ],
])('a name that no URL can have is refused: %j', async (argv, problem, hint) => {
  const { code, stderr } = await flagadm(argv, { env: environment('https://x.test') })
  expect([code, stderr]).toEqual([2, `error: ${problem}\nhint: ${hint}\n`])
})

describe('retries', () => {
  it('have pauses that grow, and an error that counts the attempts', async () => {
    const fail = busy(500, undefined, { name: 'Oops', message: 'sorry' })
    expect(await against(fail, [...usage, '--retries', '3'])).toMatchObject({
      code: 8,
      stdout: '',
      stderr: 'error: some-flag: 500 Oops: sorry, 4 attempts\nhint: try again later\n',
      waits: [100, 200, 400],
    })
  })

  it.each([
    [undefined, 100],
    ['3', 3000],
    ['Fri, 20 Nov 2026 16:00:05 GMT', 5000],
    ['2 s', 100],
  ])('begin after a pause that follows Retry-After: %s (%i ms)', async (wait, pause) => {
    const { code, waits } = await against((response, count) =>
      count > 1 ? json(response, 200, someUsage) : busy(429, wait)(response),
    )
    expect([code, waits]).toEqual([0, [pause]])
  })

  const asks = (seconds: number) =>
    `the service asks for a wait of ${seconds} s: raise --retries or --timeout, or try again after that`
  it.each([
    [429, undefined, [], [100, 200], 'raise --retries, or try again later'],
    [429, '30', [], [], asks(30)],
    [503, '6', [], [6000], asks(6)],
    // A pause that would last until the deadline.
    [503, '10', [], [], asks(10)],
    [503, '6', ['--timeout', '1m'], [6000, 6000], asks(6)],
    [503, 'Fri, 20 Nov 2026 16:01:00 GMT', [], [], asks(60)],
    [503, 'Fri, 20 Nov 2026 15:00:00 GMT', ['--retries', '0'], [], 'try again later'],
    [503, '9'.repeat(400), [], [], 'the service asks for a wait of more than a day'],
  ])(
    'after %i with Retry-After: %s and %j pause for %j',
    async (status, wait, argv, waits, hint) => {
      const attempts = waits.length > 0 ? `, ${waits.length + 1} attempts` : ''
      expect(await against(busy(status, wait), [...usage, ...argv])).toMatchObject({
        code: 8,
        stderr: `error: some-flag: ${status}: busy${attempts}\nhint: ${hint}\n`,
        waits,
      })
    },
  )

  it.each([40, -40])('are not affected if the clock is set by %i days', async (days) => {
    const { clock, waits, step } = patientClock()
    const argv = ['feature', 'usage', 'a', 'b', '--concurrency', '1', '--quiet']
    const respond: Respond = (response, count) => {
      if (count > 3) return json(response, 200, someUsage)
      step(days * 86_400_000)
      return busy(429, count < 3 ? '3' : '9')(response)
    }
    const { code, received } = await against(respond, argv, { clock })
    // The third pause would exceed the deadline of the first flag.
    expect({ code, waits }).toEqual({
      code: 10,
      waits: [3000, 3000],
    })
    expect(received).toHaveLength(4)
  })

  it('end at the deadline', async () => {
    const sleep = (_: number, signal?: AbortSignal) => delay(60_000, undefined, { signal })
    const clock = { ...patientClock().clock, sleep }
    expect(ending(await against(busy(503), [...usage, '--timeout', '0.3'], { clock }))).toBe(
      '8 error: some-flag: no complete response from S within 0.3 s\nhint: try again, or raise --timeout\n',
    )
  })

  it('are logged with --verbose, and so is a failure', async () => {
    const { stderr, url } = await against(
      (response, count) => {
        if (count === 1) return busy(503)(response)
        return count === 2 ? response.destroy() : json(response, 200, someUsage)
      },
      [...usage, '--json', '--verbose'],
    )
    const lines = stderr.trim().split('\n')
    const messages = lines.map((line) => JSON.parse(line).debug.message.replaceAll(url, 'S'))
    const closed = 'the connection was closed before the response was complete'
    expect(messages.slice(1)).toEqual([
      `503 in 0 ms, next attempt in 100 ms: GET ${path}`,
      `${closed} in 0 ms, next attempt in 200 ms: GET ${path}`,
      `200 in 0 ms: GET ${path}`,
    ])
  })
})

it('is logged on one line of a narrow terminal', async () => {
  const world = { columns: 40, talksToTerminal: true }
  const { stderr } = await against(
    (response) => json(response, 200, someUsage),
    [...usage, '--verbose', '--no-color'],
    world,
  )
  expect(stderr).toMatch(new RegExp(`^debug: 200 in \\d+ ms: GET ${path}$`, 'm'))
})

describe('a compressed response', () => {
  const compressed =
    (encoding: string, bytes: Buffer): Respond =>
    (response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding })
        .end(bytes)

  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
  ])('in %s is read', async (encoding, bytes) => {
    const { code, stdout } = await against(compressed(encoding, bytes), [...usage, '--json'])
    expect([code, stdout]).toEqual([0, `${text}\n`])
  })

  it.each([
    ['malformed', 'Z_DATA_ERROR', Buffer.from('not gzip at all')],
    ['cut off', 'Z_BUF_ERROR', gzipSync(text).subarray(0, 40)],
  ])('that is %s is reported', async (_what, problem, bytes) => {
    expect(await against(compressed('gzip', bytes))).toMatchObject({
      code: 8,
      stdout: '',
      stderr:
        `error: some-flag: S: the response is malformed (${problem})\n` +
        'hint: check that this is the address of the service\n',
    })
  })
})

describe('an error body', () => {
  const none = `no error message from S${path} (application/json)`
  const texts = Array.from({ length: 21 }, (_, index) => `detail ${index}`)

  it.each<[string, unknown, object]>([
    ['that is a string shows no fields', '"no"', { message: none }],
    ['with empty details shows none', { details: ['', {}, null] }, { message: none }],
    [
      'with details shows them in order, without the message',
      { name: 'N', message: 'no', details: [{ message: 'one' }, 3, '', 'two', { message: 'no' }] },
      { name: 'N', message: 'no', details: ['one', 'two'] },
    ],
    [
      'shows at most 2000 characters of a text and 20 details',
      { message: 'm'.repeat(2001), details: texts },
      { message: `${'m'.repeat(2000)}…`, details: texts.slice(0, 20) },
    ],
  ])('%s', async (_what, body, fields) => {
    const { code, stdout, stderr } = await against(
      (response) => json(response, 400, body),
      [...usage, '--json'],
    )
    expect([code, stdout]).toEqual([7, ''])
    const common = { kind: 'rejected', exitCode: 7, featureName: 'some-flag', status: 400 }
    expect(JSON.parse(stderr).error).toEqual({ ...common, ...fields })
  })

  it.each<[string, Respond, string]>([
    [
      'shows details after the message',
      (response) =>
        json(response, 400, { id: '1', message: 'no', details: [{ message: 'one' }, 'two'] }),
      '400: no (one; two) (id 1)\n',
    ],
    [
      'without JSON is replaced by its content type without parameters',
      (response) =>
        response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' }).end('no'),
      `400: no error message from S${path} (text/plain)\n`,
    ],
    [
      'of a proxy that no variable specifies explains where the credentials go',
      (response) => json(response, 407, { message: 'who?' }),
      '407: who?\nhint: the proxy requires credentials: set HTTPS_PROXY or HTTP_PROXY with user:password@\n',
    ],
    [
      'that contains the key shows none of its forms',
      (response) =>
        json(response, 400, {
          message: [
            CANARY,
            encodeURIComponent(CANARY),
            CANARY.replaceAll('*', '%2a').replace(':', '%3a'),
            Buffer.from(CANARY).toString('hex'),
            Buffer.from(CANARY).toString('base64url'),
          ].join(' '),
        }),
      '400: [redacted] [redacted] [redacted] [redacted] [redacted]\n',
    ],
  ])('%s', async (_what, respond, stderr) => {
    expect((await against(respond)).stderr).toBe(`error: some-flag: ${stderr}`)
  })
})

it('a key from the environment is masked even as the value of another option', async () => {
  const env = environment('https://flags.example.com')
  const { code, stderr } = await flagadm([...usage, '-p', CANARY], { env })
  expect([code, stderr.split('\n')[0]]).toEqual([3, "error: unknown profile '[redacted]'"])
})

it('the random part of a key is masked if the part before it was changed', async () => {
  const argv = ['naming', 'lint', '--pattern', '.*', '--example', CANARY, '-o', 'json']
  const { stdout } = await flagadm(argv, { env: environment('https://flags.example.com') })
  const [finding] = JSON.parse(stdout).findings
  expect([finding.code, finding.suggestion]).toEqual(['example-illegal', '*-*.[redacted]'])
})

it.each([
  ['as it is', CANARY],
  ['in base64', Buffer.from(CANARY).toString('base64')],
])('a text with the key %s is not sent', async (_how, secret) => {
  const argv = ['project', 'settings', 'set', 'default', '--description', `see ${secret}`]
  const outcome = await against(
    (response) => json(response, 200, {}),
    [...argv, '--pattern', 'a+', '--example', 'a', '--no-read', '--yes'],
  )
  expect({ code: outcome.code, stderr: outcome.stderr.split('\n').slice(-3) }).toEqual({
    code: 2,
    stderr: [
      'error: project default: the request would contain the API key',
      'hint: remove it from the texts that are sent',
      '',
    ],
  })
  expect(outcome.received).toEqual([])
})
