import { expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../src/service/connection.ts'
import { operations } from '../../src/service/operations.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const now = Date.parse('2026-11-20T16:00:00Z')
const minute = 60_000

/** Reads usage once for each date that the service sends; returns the offset of its clock after each. */
async function offsetsOf(dates: readonly (string | undefined)[], status = 200) {
  const { url } = await serve((response, _request, count) => {
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
