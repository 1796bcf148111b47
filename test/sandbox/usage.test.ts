import { expect, test } from 'vitest'
import { smallSeed, usage, withSandbox } from './support.ts'

test('a frozen sandbox returns the counts and times of its seed', () =>
  withSandbox(
    async (sandbox) => {
      expect(await usage(sandbox, 'checkout-pay')).toEqual({
        status: 200,
        contentType: 'application/json',
        body: {
          version: 1,
          maturity: 'stable',
          featureName: 'checkout-pay',
          lastHourUsage: [
            {
              featureName: 'checkout-pay',
              appName: 'web-shop',
              environment: 'production',
              timestamp: '2026-02-01T09:00:00.000Z',
              yes: 900,
              no: 100,
              variants: { blue: 450, green: 450 },
            },
            {
              featureName: 'checkout-pay',
              appName: 'mobile-ios',
              environment: 'staging',
              timestamp: '2026-01-05T10:00:00.000Z',
              yes: 12,
              no: 0,
              variants: { blue: 5 },
            },
            {
              featureName: 'checkout-pay',
              appName: 'web-shop',
              environment: 'staging',
              timestamp: '2026-01-05T10:00:00.000Z',
              yes: 0,
              no: 7,
              variants: {},
            },
          ],
          seenApplications: ['web-shop', 'mobile-ios', 'back-office'],
        },
      })
    },
    { frozen: true },
  ))

test.each([true, false])('an unused flag has no rows, frozen or not (%s)', (frozen) =>
  withSandbox(
    async (sandbox) => {
      expect((await usage(sandbox, 'unused')).body).toEqual({
        version: 1,
        maturity: 'stable',
        featureName: 'unused',
        lastHourUsage: [],
        seenApplications: [],
      })
    },
    { frozen },
  ),
)

test('every row has the current clock hour in UTC', async () => {
  let now = Date.parse('2026-03-02T10:59:59.999Z')
  await withSandbox(
    async (sandbox) => {
      const times = async () =>
        (await usage(sandbox, 'checkout-pay')).body.lastHourUsage.map(
          (row: { timestamp: string }) => row.timestamp,
        )
      expect(await times()).toEqual(Array(3).fill('2026-03-02T10:00:00.000Z'))
      now += 1
      expect(await times()).toEqual(Array(3).fill('2026-03-02T11:00:00.000Z'))
    },
    { now: () => now },
  )
})

test('a sandbox that is not frozen has the counts of the seed in the current hour', () =>
  withSandbox(async (sandbox) => {
    const { body } = await usage(sandbox, 'checkout-pay')
    const counts = body.lastHourUsage.map(({ yes, no }: { yes: number; no: number }) => [yes, no])
    expect(counts).toEqual([
      [900, 100],
      [12, 0],
      [0, 7],
    ])
  }))

test('a flag name is percent-decoded', () =>
  withSandbox(
    async (sandbox) => {
      expect((await usage(sandbox, '%C3%BCber%2Fflag')).body.featureName).toBe('über/flag')
    },
    {
      seed: {
        ...smallSeed,
        flags: [{ name: 'über/flag', project: 'default', usage: [], seenApplications: [] }],
      },
    },
  ))
