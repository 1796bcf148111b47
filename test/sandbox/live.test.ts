import { expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { flagadm } from '../support/flagadm.ts'

test('the figures of the embedded sandbox move while they are watched', async () => {
  const { clock } = patientClock(Date.UTC(2026, 10, 20, 16, 10))
  const argv = ['feature', 'usage', 'dark-mode', '-p', 'sandbox', '--app', 'web-shop']
  const watch = ['--watch', '--interval', '20m', '--count', '2', '-o', 'jsonl']
  const { stdout } = await flagadm([...argv, ...watch], { clock })
  const [first, second] = stdout
    .trim()
    .split('\n')
    .map((line): { enabled: number } => JSON.parse(line))
  expect(first?.enabled).toBeGreaterThan(0)
  expect(second?.enabled).toBeGreaterThan(first?.enabled ?? 0)
})
