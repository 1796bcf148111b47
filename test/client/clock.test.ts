import { expect, test } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { patientClock } from '../support/clock.ts'
import { flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

const minute = 60_000

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
