import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/host.ts'
import { startDeadline } from '../../src/service/retry.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
}

test('a deadline that is cleared keeps neither the process nor a listener', () => {
  const { signal } = new AbortController()
  const before = timers()
  const deadline = startDeadline(60_000, systemClock, signal)
  expect([timers(), getEventListeners(signal, 'abort').length]).toEqual([before + 1, 1])
  deadline.clear()
  expect([timers(), getEventListeners(signal, 'abort').length]).toEqual([before, 0])
})

test('a deadline of a run that is interrupted is over', () => {
  expect(startDeadline(60_000, systemClock, AbortSignal.abort()).signal.aborted).toBe(true)
})

test('no timer keeps the process when a run is over', async () => {
  const server = await serve((response) => json(response, 200, someUsage))
  const timersAfterRun = async () => {
    await flagadm(['feature', 'usage', 'a', 'b'], { env: environment(server.url) })
    return timers()
  }
  // The first run leaves behind what the server waits with.
  const first = await timersAfterRun()
  expect(await timersAfterRun()).toBeLessThanOrEqual(first)
})
