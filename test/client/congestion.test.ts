import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/host.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { turns } from '../support/turns.ts'

const nothing = { lastHourUsage: [] }

/** A clock that advances only by pauses, each of which takes much longer than a response. */
function pausingClock(): Clock {
  let now = 0
  return {
    now: () => 0,
    monotonic: () => now,
    sleep: async (milliseconds, signal) => {
      const end = now + milliseconds
      await turns(500)
      signal?.throwIfAborted()
      now = Math.max(now, end)
    },
    random: () => 0.5,
  }
}

/** Reads four flags, two at once; the first request for the second flag fails. */
async function askWhen(status: number, pause: string) {
  const clock = pausingClock()
  const times: number[] = []
  let failed = false
  const server = await serve(async (response, { url }) => {
    times.push(clock.monotonic())
    if (url.endsWith('/b') && !failed) {
      failed = true
      response.setHeader('Retry-After', pause)
      return json(response, status, { message: 'busy' })
    }
    // The failure arrives first.
    await turns()
    return json(response, 200, nothing)
  })
  const argv = ['feature', 'usage', 'a', 'b', 'c', 'd', '--concurrency', '2']
  const { code } = await flagadm(argv, { env: environment(server.url), clock })
  return { code, times }
}

test.each([429, 503])('a Retry-After with a %i delays all requests', async (status) => {
  expect(await askWhen(status, '5')).toEqual({ code: 0, times: [0, 0, 5000, 5000, 5000] })
})

test('a Retry-After with a 500 delays only the request that failed', async () => {
  expect(await askWhen(500, '5')).toEqual({ code: 0, times: [0, 0, 0, 5000, 5000] })
})

test.each(['10', '60'])(
  'a pause of %s s, which exceeds the deadline, does not delay other requests',
  async (pause) => {
    expect(await askWhen(429, pause)).toEqual({ code: 10, times: [0, 0, 0, 0] })
  },
)

test('a short pause does not end a longer one', async () => {
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
  // The third pause would exceed the deadline of the first flag, so only the second one waits for it.
  expect([code, waits, server.received.length]).toEqual([10, [3000, 3000, 9000], 4])
})

test('a request waits for others at most until its deadline', async () => {
  const waits: number[] = []
  let now = 0
  const clock: Clock = {
    now: () => 0,
    monotonic: () => now,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
      now += milliseconds
      await turns(500)
    },
    random: () => 0.5,
  }
  const server = await serve(async (response, { url }) => {
    if (url.endsWith('/c')) return json(response, 200, nothing)
    // While the third request waits because of the first, the response to the second extends the wait.
    if (url.endsWith('/b')) await turns()
    response.setHeader('Retry-After', '9')
    return json(response, 429, {})
  })
  const argv = ['feature', 'usage', 'a', 'b', 'c', '--concurrency', '2', '--retries', '0']
  const { code } = await flagadm(argv, { env: environment(server.url), clock })
  expect([code, waits]).toEqual([10, [9000, 1000]])
})

describe('an interrupted run', () => {
  test('ends immediately while it waits for other requests', async () => {
    const interruption = new AbortController()
    const clock = {
      ...pausingClock(),
      sleep: (_milliseconds: number, signal?: AbortSignal) =>
        new Promise<void>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    const server = await serve(async (response, { url }) => {
      if (url.endsWith('/b')) {
        response.setHeader('Retry-After', '5')
        return json(response, 429, {})
      }
      // The failure arrives first.
      await turns()
      response.on('finish', () => void turns().then(() => interruption.abort()))
      return json(response, 200, nothing)
    })
    const argv = ['feature', 'usage', 'a', 'b', 'c', '--concurrency', '2']
    const world = { env: environment(server.url), clock, signal: interruption.signal }
    const { code, stderr } = await flagadm(argv, world)
    expect([code, stderr, server.received.length]).toEqual([
      130,
      'error: interrupted after 1 of 3 flags\n',
      2,
    ])
  })

  test('ends immediately while it waits before another attempt', async () => {
    const interruption = new AbortController()
    const server = await serve((response) => {
      response.on('finish', () => void turns().then(() => interruption.abort()))
      json(response, 503, {})
    })
    const world = { env: environment(server.url), clock: pausingClock() }
    const { code, stderr } = await flagadm(['feature', 'usage', 'a'], {
      ...world,
      signal: interruption.signal,
    })
    expect([code, stderr, server.received.length]).toEqual([130, '', 1])
  })

  test('prints the results so far', async () => {
    const interruption = new AbortController()
    const server = await serve((response, { url }) => {
      if (url.endsWith('/b')) return interruption.abort()
      return json(response, 200, { lastHourUsage: [{ appName: 'web', yes: 1 }] })
    })
    const argv = ['feature', 'usage', 'a', 'b', 'c', '--concurrency', '1', '-o', 'jsonl']
    const world = { env: environment(server.url), signal: interruption.signal }
    const { code, stdout, stderr } = await flagadm(argv, world)
    const [first = ''] = stdout.split('\n')
    expect([code, JSON.parse(first).application, stderr]).toEqual([
      130,
      'web',
      'error: interrupted after 1 of 3 flags\n',
    ])
  })
})
