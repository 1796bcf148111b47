import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const names = Array.from({ length: 300 }, (_, index) => `flag-${index}`)
const firstTen = names.slice(0, 10).join(', ')

describe('one cause is one message', () => {
  test('for unknown names, with the first ten and a count', async () => {
    const { env } = await sandboxOf([{ id: 'default', mode: 'open' }])
    const { code, stdout, stderr } = await flagadm(['feature', 'usage', ...names], { env })
    expect([code, stdout, stderr]).toEqual([
      6,
      '',
      `error: 300 flags not found: ${firstTen} and 290 more\n` +
        'hint: flagadm feature list --all-projects lists those that exist\n',
    ])
  })

  test('for unknown names of a project, all of them with --verbose', async () => {
    const { env } = await sandboxOf([{ id: 'default', mode: 'open' }])
    const argv = ['feature', 'usage', ...names, '--project', 'default', '--verbose']
    const { code, stderr } = await flagadm(argv, { env })
    const errors = stderr.split('\n').filter((line) => !line.startsWith('debug'))
    expect([code, errors]).toEqual([
      6,
      [
        `error: 300 flags not found: ${names.join(', ')}`,
        'hint: flagadm feature list --all-projects lists those that exist',
        '',
      ],
    ])
  })

  test('for a wrong key, after the first requests', async () => {
    const sandbox = await sandboxOf([{ id: 'default', mode: 'open' }])
    const env = environment(sandbox.url, 'wrong')
    for (const more of [[], ['--watch', '--count', '1'], ['--expect', 'used']]) {
      const { code, stdout, stderr } = await flagadm(['feature', 'usage', ...names, ...more], {
        env,
      })
      expect([code, stdout, stderr.split('\n').length, more]).toEqual([4, '', 3, more])
      expect(stderr).toMatch(/^error: 401 AuthenticationRequired: /)
    }
    expect(sandbox.requests().length).toBeLessThan(60)
  })

  test('for a closed port, after the first requests', async () => {
    const env = environment('http://127.0.0.1:9')
    const argv = ['feature', 'usage', ...names, '--retries', '0']
    const { code, stdout, stderr } = await flagadm(argv, { env })
    expect([code, stdout, stderr]).toEqual([
      8,
      '',
      'error: http://127.0.0.1:9: connection refused\nhint: check the address and that the service is up\n',
    ])
  })

  test('for a client token', async () => {
    const message = 'Access forbidden. Expected a different token type for this endpoint'
    const server = await serve((response) => json(response, 403, { message }))
    const argv = ['feature', 'usage', ...names]
    const { code, stderr } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stderr.split('\n').length]).toEqual([5, 3])
    expect(stderr).toMatch(/^error: 403: Access forbidden/)
  })

  test('but a 403 or 404 of one flag fails that flag alone', async () => {
    const server = await serve((response, { url }) => {
      const status = url.endsWith('/b') ? 403 : url.endsWith('/c') ? 404 : 200
      json(response, status, status === 200 ? { lastHourUsage: [] } : { message: 'no' })
    })
    const argv = ['feature', 'usage', 'a', 'b', 'c', '-o', 'jsonl']
    const { code, stderr } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stderr.split('\n').filter((line) => line.startsWith('error'))]).toEqual([
      10,
      ['error: b: 403: no', 'error: c: 404: no', 'error: 2 of 3 flags could not be read'],
    ])
  })
})

describe('one problem of many flags is one warning', () => {
  const deprecated = 'this operation of the service is deprecated'
  const usage = async (...more: string[]) => {
    const server = await serve((response) =>
      json(response, 200, { lastHourUsage: [], maturity: 'deprecated' }),
    )
    const argv = ['feature', 'usage', ...names, ...more]
    const { clock } = patientClock()
    return (await flagadm(argv, { env: environment(server.url), clock })).stderr
  }

  test('with the first ten flags and a count', async () => {
    expect(await usage()).toBe(`warning: 300 flags (${firstTen} and 290 more): ${deprecated}\n`)
  })

  test('each with --verbose', async () => {
    const lines = (await usage('--verbose')).split('\n')
    expect(lines.filter((line) => !line.startsWith('debug'))).toEqual([
      ...names.map((name) => `warning: ${name}: ${deprecated}`),
      '',
    ])
  })

  test('of a gate that keeps reading', async () => {
    const stderr = await usage('--expect', 'unused', '--for', '10s', '-e', 'x')
    expect(stderr.split('\n')[0]).toBe(
      `warning: 300 flags (${firstTen} and 290 more): no application has ever reported them; check the names`,
    )
  })
})

test('an unknown flag is named once', async () => {
  const { env, url } = await sandboxOf([{ id: 'default', mode: 'open' }])
  const { code, stderr } = await flagadm(['feature', 'usage', 'nosuch'], { env })
  expect([code, stderr]).toEqual([
    6,
    'error: 404 NotFoundError: No feature flag with the name nosuch exists\n' +
      `hint: check the name (flagadm feature list --all-projects lists those that exist) and the address (${url})\n`,
  ])
})
