import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { turns } from '../support/turns.ts'

const nothing = { lastHourUsage: [] }

test('a Retry-After delays only the request that failed', async () => {
  const { clock, waits } = patientClock()
  const server = await serve((response, { url }, count) => {
    if (!url.endsWith('/b') || count > 2) return json(response, 200, nothing)
    response.setHeader('Retry-After', '5')
    return json(response, 429, { message: 'busy' })
  })
  const argv = ['feature', 'usage', 'a', 'b', 'c', '--concurrency', '1']
  const { code } = await flagadm(argv, { env: environment(server.url), clock })
  expect([code, waits, server.received.length]).toEqual([0, [5000], 4])
})

test('each Retry-After counts', async () => {
  const { clock, waits } = patientClock()
  const server = await serve((response, _request, count) => {
    if (count > 2) return json(response, 200, nothing)
    response.setHeader('Retry-After', count === 1 ? '5' : '1')
    return json(response, 429, {})
  })
  const { code } = await flagadm(['feature', 'usage', 'a'], { env: environment(server.url), clock })
  expect([code, waits]).toEqual([0, [5000, 1000]])
})

test.each([
  ['forward', 40 * 86_400_000],
  ['back', -40 * 86_400_000],
])('setting the clock %s changes neither pauses nor deadlines', async (_direction, by) => {
  const { clock, waits, step } = patientClock()
  const server = await serve((response, _request, count) => {
    if (count > 3) return json(response, 200, nothing)
    step(by)
    response.setHeader('Retry-After', count < 3 ? '3' : '9')
    return json(response, 429, {})
  })
  const argv = ['feature', 'usage', 'a', 'b', '--concurrency', '1']
  const { code } = await flagadm(argv, { env: environment(server.url), clock })
  // The third pause would exceed the deadline of the first flag.
  expect([code, waits, server.received.length]).toEqual([10, [3000, 3000], 4])
})

describe('an interrupted run', () => {
  test('ends immediately while it waits before another attempt', async () => {
    const interruption = new AbortController()
    const server = await serve((response) => {
      response.on('finish', () => void turns().then(() => interruption.abort()))
      json(response, 503, {})
    })
    const sleep = (_milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    const { code, stderr } = await flagadm(['feature', 'usage', 'a'], {
      env: environment(server.url),
      clock: { ...patientClock().clock, sleep },
      signal: interruption.signal,
    })
    expect([code, stderr, server.received.length]).toEqual([130, '', 1])
  })
})
