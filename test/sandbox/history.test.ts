import { expect, test } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import type { Seed } from '../../src/sandbox/seed.ts'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { call, smallSeed, usage, withSandbox } from './support.ts'

interface Row {
  appName: string
  environment: string
  timestamp: string
  yes: number
  no: number
  variants?: Record<string, number>
}

async function history(sandbox: Sandbox, flag: string, hoursBack: number): Promise<Row[]> {
  const path = `/api/admin/client-metrics/features/${flag}/raw?hoursBack=${hoursBack}`
  return (await call(sandbox, 'GET', path)).body.data
}

function used(rows: Row[]): Row[] {
  return rows.filter(({ yes, no }) => yes + no > 0)
}

const exactSeed: Seed = {
  projects: [{ id: 'p', mode: 'open' }],
  flags: [
    {
      name: 'f',
      project: 'p',
      usage: [
        { appName: 'a', environment: 'e', hoursAgo: 0, yes: 3, no: 1 },
        { appName: 'a', environment: 'e', hoursAgo: 2, yes: 5, no: 0, variants: { blue: 5 } },
        { appName: 'b', environment: 'e', hoursAgo: 3, yes: 7, no: 0 },
        { appName: 'c', environment: 'e', hoursAgo: 1, yes: 0, no: 0 },
      ],
      seenApplications: [],
    },
  ],
}

test.each([true, false])(
  'rows with hoursAgo are served unchanged in that hour, frozen or not (%s)',
  (frozen) =>
    withSandbox(
      async (sandbox) => {
        const start = frozen ? '2026-01-05T' : '2026-03-02T'
        const at = (time: string) => ({
          featureName: 'f',
          environment: 'e',
          timestamp: start + time,
        })
        expect(await history(sandbox, 'f', 3)).toEqual([
          { ...at('08:00:00.000Z'), appName: 'a', yes: 5, no: 0, variants: { blue: 5 } },
          { ...at('09:00:00.000Z'), appName: 'a', yes: 0, no: 0 },
          { ...at('10:00:00.000Z'), appName: 'a', yes: 3, no: 1, variants: {} },
        ])
        expect((await usage(sandbox, 'f')).body.lastHourUsage).toEqual([
          { ...at('10:00:00.000Z'), appName: 'a', yes: 3, no: 1, variants: {} },
        ])
        expect(used(await history(sandbox, 'f', 48))).toHaveLength(3)
        expect(await history(sandbox, 'f', 48)).toHaveLength(96)
      },
      { seed: exactSeed, frozen },
    ),
)

test('a row with hoursAgo replaces that hour of a row without', () => {
  const row = { appName: 'a', environment: 'e', yes: 1_000, no: 0 }
  const usage = [row, { ...row, hoursAgo: 2, yes: 1 }, { ...row, hoursAgo: 3, yes: 0 }]
  const flag = { name: 'f', project: 'p', usage, seenApplications: [] }
  return withSandbox(
    async (sandbox) => {
      const counts = (await history(sandbox, 'f', 4)).map(({ yes }) => yes)
      expect(counts).toEqual([0, 1, expect.any(Number), 1_000])
      expect(counts[2]).toBeGreaterThan(700)
    },
    { seed: { ...exactSeed, flags: [flag] }, frozen: true },
  )
})

test.each([true, false])(
  'the newest bucket of every flag is what the last hour reports, frozen or not (%s)',
  (frozen) =>
    withSandbox(
      async (sandbox) => {
        for (const { name } of defaultSeed.flags) {
          const { lastHourUsage } = (await usage(sandbox, name)).body
          const newest = used(await history(sandbox, name, 1))
          const byName = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort()
          expect(byName(newest)).toEqual(byName(lastHourUsage))
        }
      },
      { seed: defaultSeed, frozen },
    ),
)

test('usage is several times higher in the afternoon than at night', () =>
  withSandbox(
    async (sandbox) => {
      const rows = (await history(sandbox, 'checkout-new-basket', 48)).filter(
        ({ appName, environment }) => appName === 'web-shop' && environment === 'production',
      )
      expect(rows).toHaveLength(48)
      const at = (time: string) => rows.find(({ timestamp }) => timestamp === time)?.yes ?? 0
      expect(at('2026-01-04T14:00:00.000Z')).toBe(184_210)
      expect(at('2026-01-04T02:00:00.000Z')).toBe(36_842)
      for (const { yes, variants = {} } of rows) {
        const sum = Object.values(variants).reduce((total, count) => total + count, 0)
        expect(sum).toBeLessThanOrEqual(yes)
      }
    },
    { seed: defaultSeed, frozen: true },
  ))

test('a frozen sandbox returns the same at any time', async () => {
  const bodies: unknown[] = []
  for (const now of [0, Date.parse('2026-11-21T23:30:00Z')]) {
    await withSandbox(
      async (sandbox) => {
        bodies.push(await history(sandbox, 'dark-mode', 48))
        bodies.push((await call(sandbox, 'GET', '/api/admin/projects/default/features')).body)
        bodies.push((await call(sandbox, 'GET', '/api/admin/metrics/unknown-flags')).body)
      },
      { seed: defaultSeed, frozen: true, now: () => now },
    )
  }
  expect(bodies.slice(3)).toEqual(bodies.slice(0, 3))
})

test('the default seed has a flag that stopped 30 hours ago and one that was never seen', () =>
  withSandbox(
    async (sandbox) => {
      const stopped = used(await history(sandbox, 'checkout-coupon-banner', 48))
      expect(stopped.at(-1)?.timestamp).toBe('2026-01-04T04:00:00.000Z')
      expect(await history(sandbox, 'checkout-coupon-banner', 30)).toEqual([])
      expect((await usage(sandbox, 'checkout-coupon-banner')).body).toMatchObject({
        lastHourUsage: [],
        seenApplications: [],
      })
      expect(await history(sandbox, 'legacy-invoice-export', 48)).toEqual([])
    },
    { seed: defaultSeed, frozen: true },
  ))

test('at most 100 applications of a flag are reported', () => {
  const usage = Array.from({ length: 101 }, (_, index) => {
    return { appName: `app-${index}`, environment: 'e', yes: 1, no: 0 }
  })
  const flag = { name: 'f', project: 'p', usage, seenApplications: [] }
  return withSandbox(
    async (sandbox) => {
      expect(await history(sandbox, 'f', 1)).toHaveLength(100)
    },
    { seed: { ...smallSeed, projects: exactSeed.projects, flags: [flag] } },
  )
})
