import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag', '--retries', '0']
const path = '/api/admin/client-metrics/features/some-flag'

describe('the status alone decides on exit code and hint', () => {
  test.each([
    [400, 7, ''],
    [401, 4, 'hint: check the API key; --verbose shows where it comes from\n'],
    [403, 5, 'hint: use a key that has this permission\n'],
    [404, 6, 'hint: check the name and the address (URL); some editions lack some operations\n'],
    [405, 7, ''],
    [408, 8, 'hint: try again later\n'],
    [415, 7, ''],
    [429, 8, 'hint: try again later\n'],
    [499, 7, ''],
    [500, 8, 'hint: try again later\n'],
    [599, 8, 'hint: try again later\n'],
  ])('%i', async (status, exit, hint) => {
    const server = await serve((response) =>
      json(response, status, { name: 'AnyName', message: 'no' }),
    )
    const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stdout, stderr.replace(server.url + path, 'URL')]).toEqual([
      exit,
      '',
      `error: some-flag: ${status} AnyName: no\n${hint}`,
    ])
  })
})

describe('a 403', () => {
  const message = 'invalid token: expected a different token type for this endpoint'
  const hint =
    'use an admin token, a service account token (Admin settings → API access) ' +
    'or a personal access token (Profile → Personal API tokens)'

  test('for a client token shows which kind of token is needed', async () => {
    const server = await serve((response) => json(response, 403, { message }))
    const env = environment(server.url)
    const { code, stderr } = await flagadm(usage, { env })
    expect([code, stderr]).toEqual([5, `error: some-flag: 403: ${message}\nhint: ${hint}\n`])
  })

  test('names the project as text and as JSON', async () => {
    const server = await serve((response) => json(response, 403, { message }))
    const env = environment(server.url)
    const set = ['project', 'settings', 'set', 'p', '--mode', 'open']
    const { stderr } = await flagadm(set, { env })
    expect(stderr).toBe(`error: project p: 403: ${message}\nhint: ${hint}\n`)
    const asJson = await flagadm([...set, '--json'], { env })
    expect(JSON.parse(asJson.stderr).error).toEqual({
      kind: 'forbidden',
      exitCode: 5,
      projectId: 'p',
      status: 403,
      message,
      hint,
    })
  })
})

test('the address is shown with the path prefix of the service', async () => {
  const server = await serve((response) => response.writeHead(204).end())
  const { stderr } = await flagadm(usage, { env: environment(`${server.url}/flags`) })
  expect(stderr.split('\n')[0]).toBe(
    `error: some-flag: ${server.url}/flags${path} answered with 204 instead of 200`,
  )
})

describe('a redirect', () => {
  test.each([
    [300, 'https://other.test/a?b#c', 'https://other.test'],
    [399, 'https://other.test/a?b#c', 'https://other.test'],
    [302, '/login', 'S'],
    [302, 'mailto:me@other.test', 'mailto:'],
    [302, 'http://[', 'an invalid address'],
    [302, undefined, 'an invalid address'],
  ])('%i to %s names where it leads', async (status, location, target) => {
    const server = await serve((response) => {
      if (location !== undefined) response.setHeader('Location', location)
      response.writeHead(status).end()
    })
    const { code, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stderr.replaceAll(server.url, 'S')]).toEqual([
      8,
      `error: some-flag: ${status}: S${path} redirects to ${target}, which is not followed\n` +
        'hint: set the base URL to the address of the service itself\n',
    ])
  })
})

describe('a pause that the service asks for', () => {
  const now = Date.UTC(2026, 10, 20, 16, 0, 0, 250)
  test.each([
    ['Fri, 20 Nov 2026 16:01:00 GMT', 'the service asks to wait 60 s; raise --timeout or try then'],
    ['2', 'the service asks to wait 2 s; raise --timeout or try then'],
    ['0', 'try again later'],
    ['Fri, 20 Nov 2026 15:00:00 GMT', 'try again later'],
    ['2 s', 'try again later'],
    ['about 2', 'try again later'],
  ])('with Retry-After: %s is told', async (header, hint) => {
    const server = await serve((response) => {
      response.setHeader('Retry-After', header)
      json(response, 503, { message: 'busy' })
    })
    const { clock } = patientClock(now)
    const { code, stderr } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, stderr]).toEqual([8, `error: some-flag: 503: busy\nhint: ${hint}\n`])
  })
})

describe('of an error body', () => {
  async function errorOf(body: unknown) {
    const server = await serve((response) => json(response, 400, body))
    const argv = [...usage, '--json']
    const { stdout, stderr } = await flagadm(argv, { env: environment(server.url) })
    expect(stdout).toBe('')
    const { error } = JSON.parse(stderr.replaceAll(server.url, 'S'))
    expect(error).toMatchObject({
      kind: 'rejected',
      exitCode: 7,
      featureName: 'some-flag',
      status: 400,
    })
    const { kind, exitCode, featureName, status, ...rest } = error
    return rest
  }

  const silent = `no error message from S${path} (application/json)`

  test.each([
    ['empty fields are left out', { id: '', name: '', message: '' }, { message: silent }],
    ['null is nothing', null, { message: silent }],
    ['details that are no list are left out', { details: 'no' }, { message: silent }],
    ['empty details are left out', { details: ['', {}, null] }, { message: silent }],
    [
      'details keep their order',
      { message: 'no', details: [{ message: 'one' }, null, '', 'two'] },
      { message: 'no', details: ['one', 'two'] },
    ],
  ])('%s', async (_what, body, error) => {
    expect(await errorOf(body)).toEqual(error)
  })

  test('that is one long text is not looked through', async () => {
    const server = await serve((response) => json(response, 404, JSON.stringify('a'.repeat(1e7))))
    const { code, stderr } = await flagadm(usage, { env: environment(server.url) })
    expect([code, stderr.split('\n')[0]]).toEqual([
      6,
      `error: some-flag: 404: no error message from ${server.url}${path} (application/json)`,
    ])
  })

  test('no more than 2000 characters of a text and 20 details are shown', async () => {
    const details = Array.from({ length: 21 }, (_, index) => `detail ${index}`)
    const message = 'm'.repeat(2001)
    expect(await errorOf({ message, details })).toEqual({
      message: `${'m'.repeat(2000)}…`,
      details: details.slice(0, 20),
    })
    const whole = { message: 'm'.repeat(2000) }
    expect(await errorOf(whole)).toEqual(whole)
  })

  test('the type that stands for it is told without its parameters', async () => {
    const server = await serve((response) => {
      response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      response.writeHead(400).end('no')
    })
    const { stderr } = await flagadm(usage, { env: environment(server.url) })
    expect(stderr).toBe(
      `error: some-flag: 400: no error message from ${server.url}${path} (text/plain)\n`,
    )
  })
})
