import { expect, onTestFinished, test } from 'vitest'
import { hostOf, systemClock } from '../src/host.ts'

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

test('a home directory that is a relative path is ignored', () => {
  const child = Object.create(process, { env: { value: { HOME: 'here' } } })
  expect(hostOf(child).home).toBe(undefined)
})
