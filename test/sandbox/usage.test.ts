import { expect, test } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { smallSeed, twentyPast, usage, withSandbox } from './support.ts'

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

test('counts depend only on the time', () =>
  withSandbox(async (sandbox) => {
    const first = await usage(sandbox, 'checkout-pay')
    expect(await usage(sandbox, 'checkout-pay')).toEqual(first)
  }))

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

interface Row {
  appName: string
  environment: string
  yes: number
  no: number
  variants: Record<string, number>
}

function selected({ variants }: { variants?: Record<string, number> }): number {
  return Object.values(variants ?? {}).reduce((sum, count) => sum + count, 0)
}

/** The rows of all default flags every five minutes of an hour. */
async function watchAnHour(): Promise<Row[][]> {
  const hour = Date.parse('2026-03-02T10:00:00Z')
  const seen: Row[][] = []
  let now = hour
  await withSandbox(
    async (sandbox) => {
      for (now = hour + 240_000; now < hour + 3_600_000; now += 300_000) {
        const responses = await Promise.all(
          defaultSeed.flags.map(({ name }) => usage(sandbox, name)),
        )
        seen.push(responses.flatMap(({ body }) => body.lastHourUsage))
      }
    },
    { seed: defaultSeed, now: () => now },
  )
  return seen
}

test('counts grow towards the seed during the hour and never shrink, and variants add up to at most yes', async () => {
  const seen = await watchAnHour()
  const seeds = defaultSeed.flags.flatMap((flag) => flag.usage.filter((row) => !row.hoursAgo))
  let before: Row[] = []
  for (const rows of seen) {
    for (const [index, seed] of seeds.entries()) {
      const row = rows[index]
      expect(row).toBeDefined()
      if (!row) continue
      const earlier = before[index] ?? { yes: 0, no: 0, variants: {} }
      expect(row.yes).toBeGreaterThanOrEqual(earlier.yes)
      expect(row.no).toBeGreaterThanOrEqual(earlier.no)
      for (const [name, count] of Object.entries(earlier.variants)) {
        expect(row.variants[name]).toBeGreaterThanOrEqual(count)
      }
      expect(row.yes).toBeLessThanOrEqual(seed.yes)
      expect(row.no).toBeLessThanOrEqual(seed.no)
      if (seed.variants && selected(seed) === seed.yes) expect(selected(row)).toBe(row.yes)
      expect(selected(row)).toBeLessThanOrEqual(row.yes)
    }
    before = rows
  }
  for (const [index, seed] of seeds.entries()) {
    expect(before[index]?.yes).toBeGreaterThanOrEqual(Math.floor(seed.yes * 0.85))
  }
})

test('two reads a few seconds apart differ, and so do two hours', async () => {
  let now = twentyPast
  await withSandbox(
    async (sandbox) => {
      const first = await usage(sandbox, 'search-autocomplete')
      now += 5_000
      const second = await usage(sandbox, 'search-autocomplete')
      expect(second).not.toEqual(first)
      now = twentyPast + 3_600_000
      const nextHour = await usage(sandbox, 'search-autocomplete')
      expect(nextHour.body.lastHourUsage[0].yes).not.toBe(first.body.lastHourUsage[0].yes)
    },
    { seed: defaultSeed, now: () => now },
  )
})

test('a used flag has counts even at the start of an hour', () =>
  withSandbox(
    async (sandbox) => {
      const { body } = await usage(sandbox, 'checkout-pay')
      expect(body.lastHourUsage.map((row: Row) => row.yes + row.no > 0)).toEqual([true, true, true])
    },
    { now: () => Date.parse('2026-03-02T10:00:00Z') },
  ))

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
