import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/host.ts'
import { startDeadline } from '../../src/service/transport.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
}

test('a cleared deadline leaves neither a timer nor a listener', () => {
  const { signal } = new AbortController()
  const before = timers()
  const deadline = startDeadline(60_000, systemClock, signal)
  expect([timers(), getEventListeners(signal, 'abort').length]).toEqual([before + 1, 1])
  deadline.clear()
  expect([timers(), getEventListeners(signal, 'abort').length]).toEqual([before, 0])
})

test('the deadline of an interrupted run has passed', () => {
  expect(startDeadline(60_000, systemClock, AbortSignal.abort()).signal.aborted).toBe(true)
})

test('no timer keeps the process alive after a run', async () => {
  const server = await serve((response) => json(response, 200, someUsage))
  const timersAfterRun = async () => {
    await flagadm(['feature', 'usage', 'a', 'b'], { env: environment(server.url) })
    return timers()
  }
  // The first run leaves timers of the server behind.
  const first = await timersAfterRun()
  expect(await timersAfterRun()).toBeLessThanOrEqual(first)
})
