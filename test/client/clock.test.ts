import { expect, onTestFinished, test } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { openConnection } from '../../src/service/connection.ts'
import { operations } from '../../src/service/operations.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve, someUsage } from '../support/server.ts'

const now = Date.parse('2026-11-20T16:00:00Z')
const minute = 60_000

/** A connection to a service whose responses have these dates. */
async function connectTo(dates: readonly (string | undefined)[], status: number) {
  const { url, received } = await serve((response, _request, count) => {
    const date = dates[count - 1]
    response.sendDate = false
    if (date !== undefined) response.setHeader('Date', date)
    json(response, status, someUsage)
  })
  const connection = await openConnection({
    baseUrl: url,
    target: url,
    apiKey: CANARY,
    keyOrigin: 'the test',
    caFile: undefined,
    concurrency: 1,
    timeoutMs: 5000,
    retries: 0,
    refusal: undefined,
    env: {},
    clock: patientClock(now).clock,
    signal: new AbortController().signal,
    debug: () => {},
    redact: (text) => text,
  })
  onTestFinished(() => connection.agent.destroy())
  return { connection, received }
}

/** Reads usage once for each date that the service sends; returns the offset of its clock after each. */
async function offsetsOf(dates: readonly (string | undefined)[], status = 200) {
  const { connection } = await connectTo(dates, status)
  const clock = () => {
    const { offsetMs } = connection.clock
    expect(connection.clock.now()).toBe(now + (offsetMs ?? 0))
    return offsetMs
  }
  const offsets = [clock()]
  for (const _ of dates) {
    const reading = connection.service.read(operations.featureUsage, { featureName: 'some-flag' })
    await reading.catch(() => {})
    offsets.push(clock())
  }
  return offsets
}

const at = (milliseconds: number) => new Date(now + milliseconds).toUTCString()

test('a connection reports the offset of the service clock in the latest response with a date', async () => {
  expect(await offsetsOf([undefined, at(7 * minute), undefined, 'yesterday', at(-minute)])).toEqual(
    [undefined, undefined, 7 * minute, 7 * minute, 7 * minute, -minute],
  )
})

test('the response may be an error', async () => {
  expect(await offsetsOf([at(minute)], 404)).toEqual([undefined, minute])
})

test('reading the time sends a request only if no response has had a date', async () => {
  const { connection, received } = await connectTo([at(minute), at(2 * minute)], 404)
  expect(await connection.clock.read()).toBe(now + minute)
  expect(await connection.clock.read()).toBe(now + minute)
  expect(received.map(({ url }) => url)).toEqual(['/health'])
})

test('the span of a usage is that of the service, whatever the clock of this machine', async () => {
  const sandbox = await sandboxOf(defaultSeed.projects, { seed: defaultSeed })
  const argv = ['feature', 'usage', 'dark-mode', '--since', '24h']
  const outcomes = [0, 60, -60].map(async (days) => {
    const { clock } = patientClock(sandbox.now() + days * 24 * 60 * minute)
    const { stdout } = await flagadm(argv, { env: sandbox.env, clock })
    return stdout
  })
  const [right, ahead, behind] = await Promise.all(outcomes)
  expect(right).toContain('since 2026-01-04 10:00 UTC')
  expect([ahead, behind]).toEqual([right, right])
})
