import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const usage = { lastHourUsage: [], seenApplications: ['web'] }
const jump = fc.oneof(
  fc.integer({ min: -40 * 86_400_000, max: 40 * 86_400_000 }),
  fc.integer({ min: -40_000, max: 40_000 }),
)

test('a gate waits for its whole span however the clock is set, and tolerates only small steps', async () => {
  let onRequest = () => {}
  const { url } = await serve((response) => {
    onRequest()
    return json(response, 200, usage)
  })
  const property = fc.asyncProperty(
    fc.array(fc.option(jump, { freq: 4 }), { maxLength: 12 }),
    fc.integer({ min: 1, max: 120 }),
    fc.integer({ min: 1, max: 20 }),
    async (jumps, span, interval) => {
      const { clock, waits, step } = patientClock()
      const pending = [...jumps]
      const steps: number[] = []
      onRequest = () => {
        const by = pending.shift() ?? 0
        steps.push(by)
        step(by)
      }
      const argv = ['feature', 'usage', 'f', '--expect', 'unused', '--quiet']
      const { code, stdout } = await flagadm(
        [...argv, '--for', `${span}s`, '--interval', `${interval}`],
        { env: environment(url), clock },
      )
      const isSteady = steps.every((by) => Math.abs(by) <= 3 * interval * 1000)
      expect([code, waits.reduce((sum, wait) => sum + wait, 0)]).toEqual([
        isSteady ? 0 : 9,
        span * 1000,
      ])
      expect(stdout.includes('the clock jumped')).toBe(!isSteady)
    },
  )
  await fc.assert(property)
})
