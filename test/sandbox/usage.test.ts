import { expect, it } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import type { Seed, SeedRow } from '../../src/sandbox/seed.ts'
import type { SandboxOptions } from '../../src/sandbox/server.ts'
import { open } from './support.ts'

interface Row {
  appName: string
  environment: string
  timestamp: string
  yes: number
  no: number
  variants?: Record<string, number>
}

/** A sandbox, and the hours of its flags. */
async function openHours(options: Partial<SandboxOptions>) {
  const { read } = await open(options)
  const hours = async (flag: string, hoursBack: number): Promise<Row[]> =>
    (await read(`client-metrics/features/${flag}/raw?hoursBack=${hoursBack}`)).data
  return { read, hours, last: (flag: string) => read(`client-metrics/features/${flag}`) }
}

function seedOf(usage: SeedRow[]): Seed {
  return { projects: [{ id: 'p', mode: 'open' }], flags: [{ name: 'f', project: 'p', usage }] }
}

const used = (rows: readonly Row[]) => rows.filter(({ yes, no }) => yes + no > 0)

it.each([true, false])('usage has the counts of the seed, frozen: %s', async (frozen) => {
  const { last } = await openHours({ frozen })
  const hour = frozen ? '2026-01-05T10:00:00.000Z' : '2026-03-02T10:00:00.000Z'
  const row = (appName: string, environment: string) => {
    return { featureName: 'checkout-pay', appName, environment, timestamp: hour, variants: {} }
  }
  expect(await last('checkout-pay')).toEqual({
    version: 1,
    maturity: 'stable',
    featureName: 'checkout-pay',
    lastHourUsage: [
      {
        ...row('web-shop', 'production'),
        // Only a sandbox whose time stands still has the times of its seed.
        timestamp: frozen ? '2026-02-01T09:00:00.000Z' : hour,
        yes: 900,
        no: 100,
        variants: { blue: 450, green: 450 },
      },
      { ...row('mobile-ios', 'staging'), yes: 12, no: 0, variants: { blue: 5 } },
      { ...row('web-shop', 'staging'), yes: 0, no: 7 },
    ],
    seenApplications: ['web-shop', 'mobile-ios', 'back-office'],
  })
  expect(await last('unused')).toMatchObject({ lastHourUsage: [], seenApplications: [] })
})

it.each([true, false])('rows with hoursAgo are served in that hour, frozen: %s', async (frozen) => {
  const seed = seedOf([
    { appName: 'a', environment: 'e', hoursAgo: 0, yes: 3, no: 1 },
    { appName: 'a', environment: 'e', hoursAgo: 2, yes: 5, no: 0, variants: { blue: 5 } },
    { appName: 'b', environment: 'e', hoursAgo: 3, yes: 7, no: 0 },
    { appName: 'c', environment: 'e', hoursAgo: 1, yes: 0, no: 0 },
  ])
  const { hours, last } = await openHours({ seed, frozen })
  const at = (time: string) => ({
    featureName: 'f',
    appName: 'a',
    environment: 'e',
    timestamp: `${frozen ? '2026-01-05' : '2026-03-02'}T${time}:00:00.000Z`,
  })
  const newest = { ...at('10'), yes: 3, no: 1, variants: {} }
  expect(await hours('f', 3)).toEqual([
    { ...at('08'), yes: 5, no: 0, variants: { blue: 5 } },
    { ...at('09'), yes: 0, no: 0 },
    newest,
  ])
  expect((await last('f')).lastHourUsage).toEqual([newest])
  expect(used(await hours('f', 48))).toHaveLength(3)
  expect(await hours('f', 48)).toHaveLength(96)
})

it('the default seed has a flag that stopped 30 hours ago and one that was never seen', async () => {
  const { hours, last } = await openHours({ seed: defaultSeed, frozen: true })
  const stopped = used(await hours('checkout-coupon-banner', 48))
  expect(stopped.at(-1)?.timestamp).toBe('2026-01-04T04:00:00.000Z')
  expect(await hours('checkout-coupon-banner', 30)).toEqual([])
  const nothing = { lastHourUsage: [], seenApplications: [] }
  expect(await last('checkout-coupon-banner')).toMatchObject(nothing)
  expect(await hours('legacy-invoice-export', 48)).toEqual([])
})

it('at most 100 applications of a flag are reported', async () => {
  const rows = Array.from({ length: 101 }, (_, index) => {
    return { appName: `app-${index}`, environment: 'e', yes: 1, no: 0 }
  })
  const { hours } = await openHours({ seed: seedOf(rows) })
  expect(await hours('f', 1)).toHaveLength(100)
})
