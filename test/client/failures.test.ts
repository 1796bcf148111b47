import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag', '--retries', '0']
const path = '/api/admin/client-metrics/features/some-flag'

test('a 403 for a client token explains which kind of token is needed', async () => {
  const message = 'invalid token: expected a different token type for this endpoint'
  const hint =
    'use an admin token, a service account token (Admin settings → API access) ' +
    'or a personal access token (Profile → Personal API tokens)'
  const server = await serve((response) => json(response, 403, { message }))
  const { code, stderr } = await flagadm(usage, { env: environment(server.url) })
  expect([code, stderr]).toEqual([5, `error: some-flag: 403: ${message}\nhint: ${hint}\n`])
})

test('errors show the address with its path prefix', async () => {
  const server = await serve((response) => response.writeHead(204).end())
  const { stderr } = await flagadm(usage, { env: environment(`${server.url}/flags`) })
  expect(stderr.split('\n')[0]).toBe(
    `error: some-flag: ${server.url}/flags${path} returned 204 instead of 200`,
  )
})

describe('the hint for a 503', () => {
  const now = Date.UTC(2026, 10, 20, 16, 0, 0, 250)
  test.each([
    [
      'Fri, 20 Nov 2026 16:01:00 GMT',
      'the service asks for a wait of 60 s: raise --retries or --timeout, or try again after that',
    ],
    [
      '2',
      'the service asks for a wait of 2 s: raise --retries or --timeout, or try again after that',
    ],
    ['0', 'try again later'],
    ['Fri, 20 Nov 2026 15:00:00 GMT', 'try again later'],
  ])('with Retry-After: %s is: %s', async (header, hint) => {
    const server = await serve((response) => {
      response.setHeader('Retry-After', header)
      json(response, 503, { message: 'busy' })
    })
    const { clock } = patientClock(now)
    const { code, stderr } = await flagadm(usage, { env: environment(server.url), clock })
    expect([code, stderr]).toEqual([8, `error: some-flag: 503: busy\nhint: ${hint}\n`])
  })
})

describe('the hint for a 429', () => {
  async function hintFor(wait: string | undefined, options: readonly string[]) {
    const server = await serve((response) => {
      if (wait !== undefined) response.setHeader('Retry-After', wait)
      json(response, 429, { message: 'too many requests' })
    })
    const { clock } = patientClock()
    const argv = ['feature', 'usage', 'some-flag', ...options]
    const { code, stderr } = await flagadm(argv, { env: environment(server.url), clock })
    return [code, ...stderr.trimEnd().split('\n')]
  }

  const asks = (seconds: number) =>
    `hint: the service asks for a wait of ${seconds} s: raise --retries or --timeout, or try again after that`

  test.each([
    [undefined, [], ', 3 attempts', 'hint: raise --retries, or try again later'],
    ['1', [], ', 3 attempts', asks(1)],
    ['30', [], '', asks(30)],
    ['6', [], ', 2 attempts', asks(6)],
    ['6', ['--timeout', '1m'], ', 3 attempts', asks(6)],
  ])('with Retry-After: %s and the options %j', async (wait, options, attempts, hint) => {
    const error = `error: some-flag: 429: too many requests${attempts}`
    expect(await hintFor(wait, options)).toEqual([8, error, hint])
  })
})

describe('an error body', () => {
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

  const noMessage = `no error message from S${path} (application/json)`

  test.each([
    [
      'with empty fields shows none of them',
      { id: '', name: '', message: '' },
      { message: noMessage },
    ],
    ['that is null shows no fields', null, { message: noMessage }],
    ['with details of another type shows none', { details: 'no' }, { message: noMessage }],
    ['with empty details shows none', { details: ['', {}, null] }, { message: noMessage }],
    [
      'with details shows them in order',
      { message: 'no', details: [{ message: 'one' }, null, '', 'two'] },
      { message: 'no', details: ['one', 'two'] },
    ],
    [
      'with its message among the details shows it once',
      { name: 'BadDataError', message: 'no', details: [{ message: 'one' }, 3, { message: 'no' }] },
      { name: 'BadDataError', message: 'no', details: ['one'] },
    ],
    ['that is a string shows no fields', '"no"', { message: noMessage }],
  ])('%s', async (_what, body, error) => {
    expect(await errorOf(body)).toEqual(error)
  })

  test('with details shows them as text after the message', async () => {
    const body = { id: '1', message: 'no', details: [{ message: 'one' }, 'two'] }
    const server = await serve((response) => json(response, 400, body))
    const { stderr } = await flagadm(usage, { env: environment(server.url) })
    expect(stderr).toBe('error: some-flag: 400: no (one; two) (id 1)\n')
  })

  test('shows at most 2000 characters of a text and 20 details', async () => {
    const details = Array.from({ length: 21 }, (_, index) => `detail ${index}`)
    const message = 'm'.repeat(2001)
    expect(await errorOf({ message, details })).toEqual({
      message: `${'m'.repeat(2000)}…`,
      details: details.slice(0, 20),
    })
    const whole = { message: 'm'.repeat(2000) }
    expect(await errorOf(whole)).toEqual(whole)
  })

  test('without JSON is replaced by its content type without parameters', async () => {
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
