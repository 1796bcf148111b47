import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/host.ts'
import { startDeadline } from '../../src/service/deadline.ts'

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
