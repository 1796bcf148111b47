import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/host.ts'

test('a pause longer than the longest timer lasts until it is interrupted', async () => {
  const warnings: Error[] = []
  const collect = (warning: Error) => warnings.push(warning)
  process.on('warning', collect)
  onTestFinished(() => void process.off('warning', collect))
  const interruption = new AbortController()
  const pause = systemClock.sleep(2 ** 31 + 60_000, interruption.signal)
  // Node.js warns when it shortens a timer to 1 ms.
  await systemClock.sleep(2)
  interruption.abort()
  await expect(pause).rejects.toThrow('aborted')
  expect(warnings).toEqual([])
})

test('a pause takes its full time on the monotonic clock', async () => {
  const start = systemClock.monotonic()
  await systemClock.sleep(5.5)
  expect(systemClock.monotonic() - start).toBeGreaterThanOrEqual(5.5)
})
