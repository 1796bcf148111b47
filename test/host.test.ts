import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '../src/host.ts'

test('a pause longer than the longest timer does not end immediately', async () => {
  const interruption = new AbortController()
  const pause = systemClock.sleep(2 ** 31 + 60_000, interruption.signal)
  const outcome = pause.then(
    () => 'over',
    () => 'aborted',
  )
  expect(await Promise.race([outcome, delay(50, 'pending')])).toBe('pending')
  interruption.abort()
  expect(await outcome).toBe('aborted')
})

test('a pause takes its full time on the monotonic clock', async () => {
  const start = systemClock.monotonic()
  await systemClock.sleep(5.5)
  expect(systemClock.monotonic() - start).toBeGreaterThanOrEqual(5.5)
})
