import { describe, expect, it, test } from 'vitest'
import {
  daysAgo,
  feature,
  type FeatureWorld,
  type FlagSeed,
  type Projects,
} from '../flags/service.ts'

const world: FeatureWorld = { keepsDays: true }

/** Evaluations on each of some days. */
const onDays = (...days: readonly number[]) => days.map((ago) => ({ daysAgo: ago, yes: 10, no: 0 }))

const range = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)

/** A flag that is used all the time, of a service that has these days. */
const steady = (days: readonly number[]): FlagSeed => ({
  production: { on: true, seen: 0.01 },
  usage: range(47, 0).map((hoursAgo) => ({ hoursAgo, yes: 1, no: 0 })),
  days: onDays(...days),
})

const usage = (argv: readonly string[], shop: Projects[string], more: FeatureWorld = {}) =>
  feature(['usage', ...argv], { shop }, { ...world, ...more })

const incomplete = (stdout: string) => stdout.split('\n').filter((line) => /^Incomplete/.test(line))
const heading = (stdout: string) => stdout.split('\n')[0]?.replace(/^.*?, /, '')

describe('days begin with the first one on which any flag was used', () => {
  const rare: FlagSeed = { usage: [{ hoursAgo: 3, yes: 1, no: 0 }], production: { seen: 12 } }

  it('also one that was not asked about', async () => {
    const argv = ['rare', '--project', 'shop', '--since', '30d']
    const { stdout, asked } = await usage(argv, { rare, steady: steady(range(12, 1)) })
    expect(heading(stdout)).toBe('since 2026-11-08 (12 of 30 UTC days; hours for the last two)')
    expect(incomplete(stdout)).toEqual([
      'Incomplete: the service covers 12 of 30 days (since 2026-11-08 00:00 UTC)',
    ])
    expect(asked.filter((path) => path.includes('/raw?'))).toEqual([
      'client-metrics/features/rare/raw?hoursBack=48',
      'client-metrics/features/rare/raw?hoursBack=737',
      'client-metrics/features/steady/raw?hoursBack=737',
    ])
  })

  it('and rows have it in data', async () => {
    const argv = ['rare', '--project', 'shop', '--since', '30d', '-o', 'jsonl']
    const { stdout } = await usage(argv, { rare, steady: steady(range(12, 1)) })
    expect(JSON.parse(stdout.split('\n')[0] ?? '').from).toBe('2026-11-08T00:00:00.000Z')
  })

  it('and a day without any usage is a hole', async () => {
    const days = range(30, 1).filter((ago) => ago !== 6 && ago !== 7)
    const argv = ['rare', '--project', 'shop', '--since', '30d']
    const { stdout } = await usage(argv, { rare, steady: steady(days) })
    expect(heading(stdout)).toBe(
      'since 2026-10-21 (30 UTC days, 2 of them without any usage; hours for the last two)',
    )
    expect(incomplete(stdout)).toEqual([])
  })

  it('is not known without lists, unless the flag itself was used then', async () => {
    const shop = { rare, steady: steady(range(30, 1)) }
    const { stdout } = await usage(['rare', '--since', '30d'], shop)
    expect(heading(stdout)).toBe('since 2026-11-18 17:00 UTC (47h 10m of 30 days)')
    expect(incomplete(stdout)).toEqual([
      'Incomplete: it is not known whether the service has usage of days before 2026-11-18',
    ])
    const used = await usage(['steady', '--since', '30d'], shop)
    expect(heading(used.stdout)).toBe('since 2026-10-21 (30 UTC days; hours for the last two)')
    expect(incomplete(used.stdout)).toEqual([])
  })

  it('is looked for in at most five flags, the oldest ones that were seen lately', async () => {
    const witnesses = Object.fromEntries(
      range(60, 40).map((age) => [
        `w-${age}`,
        { production: { seen: 0.5 }, createdAt: daysAgo(age) },
      ]),
    )
    const shop = {
      rare,
      ...witnesses,
      young: { production: { seen: 0.01 }, createdAt: daysAgo(10), days: onDays(9) },
    }
    const { asked } = await usage(['rare', '--project', 'shop', '--since', '30d'], shop)
    const read = asked.flatMap((path) => /features\/(w-\d+|young)\/raw/.exec(path)?.[1] ?? [])
    expect(read).toEqual(['w-60', 'w-59', 'w-58', 'w-57', 'w-56'])
  })
})

describe('a service that has no days yet', () => {
  // Two days ago in part, yesterday and today; yesterday is in the days as well.
  const shop = { steady: { ...steady([1]), createdAt: daysAgo(300) } }

  it('is answered with all hours', async () => {
    const { stdout } = await usage(['--project', 'shop', '--since', '30d'], shop)
    expect(heading(stdout)).toBe(
      'since 2026-11-18 17:00 UTC (47h 10m of 30 days: this Unleash has no usage of days yet)',
    )
    expect(stdout).toMatch(/\nweb +production +48 /)
    expect(incomplete(stdout)).toEqual([
      'Incomplete: the service covers only 47h 10m of the 30 d requested (since 2026-11-18 17:00 UTC)',
    ])
  })

  it('does not call a flag unused that was seen in the span', async () => {
    const flags = {
      ...shop,
      seen: { production: { seen: 12 } },
      idle: { production: { seen: 50 } },
    }
    const { stdout } = await usage(['--project', 'shop', '--since', '30d', '--unused'], flags)
    expect(stdout).toMatch(/\nidle /)
    expect(stdout).not.toMatch(/\nseen /)
    expect(incomplete(stdout)).toContainEqual(
      expect.stringMatching(/the service saw the flag in production at 2026-11-08 .* \(seen\)$/),
    )
  })
})

test('the hours of the day before yesterday count only where that day has no figures', async () => {
  const hours = [
    { hoursAgo: 44, yes: 1, no: 0 },
    { hoursAgo: 44, yes: 1, no: 0, appName: 'ios' },
  ]
  const flag = { usage: hours, days: [{ daysAgo: 2, yes: 7, no: 0 }] }
  const argv = ['flag', '--project', 'shop', '--since', '30d', '-o', 'csv']
  const { stdout } = await usage(argv, { flag, steady: steady(range(30, 1)) })
  expect(stdout).toMatch(/,web,production,,7,0,/)
  expect(stdout).toMatch(/,ios,production,,1,0,/)
})

describe('a name that was another flag before', () => {
  const createdAt = daysAgo(5 / 24)
  const flag: FlagSeed = {
    createdAt,
    production: { on: true, seen: 12 },
    usage: [
      { hoursAgo: 40, yes: 100, no: 0, appName: 'old' },
      { hoursAgo: 1, yes: 3, no: 0 },
    ],
  }

  it('has only the usage since it was created', async () => {
    const argv = ['--project', 'shop', '--since', '48h']
    const { stdout } = await usage(argv, { flag })
    expect(stdout).toMatch(/\nweb +production +3 /)
    expect(stdout).not.toContain('old')
    expect(incomplete(stdout)).toEqual([])
  })

  it('has only the sightings since it was created', async () => {
    const { stdout } = await feature(['list', '--project', 'shop', '--never-seen', '-o', 'names'], {
      shop: { flag },
    })
    expect(stdout).toBe('flag\n')
  })

  it('has its hour of creation, and sightings of clocks that differ by a few minutes', async () => {
    const recent: FlagSeed = {
      createdAt: daysAgo(2 / 24),
      production: { seen: 2.05 / 24 },
      usage: [{ hoursAgo: 2, yes: 5, no: 0 }],
    }
    const { stdout } = await usage(['--project', 'shop', '--since', '48h'], { flag: recent })
    expect(stdout).toMatch(/\nweb +production +5 /)
    const seen = await feature(['list', '--project', 'shop', '--never-seen', '-o', 'names'], {
      shop: { flag: recent },
    })
    expect(seen.stdout).toBe('')
  })

  it('is not in use because of the other flag', async () => {
    const former = { ...flag, usage: [{ hoursAgo: 40, yes: 100, no: 0 }] }
    const argv = ['review', 'flag', '--project', 'shop', '--expect', 'in-use', '--json']
    const { code, stdout } = await feature(argv, { shop: { flag: former } })
    expect([code, JSON.parse(stdout).flags[0].yes]).toEqual([9, 0])
  })
})

describe('usage that is ahead', () => {
  const ahead = (appName: string, hours: number) => ({ hoursAgo: -hours, yes: 1, no: 0, appName })
  const zone = /^Incomplete: all usage is 5h ahead of the service's clock: its hours are not in UTC/

  it('by the same time is of another time zone, which is said once', async () => {
    const shop = {
      a: { usage: [ahead('web', 5), ahead('web', -3)] },
      b: { usage: [ahead('ios', 5)] },
      c: { usage: [ahead('job', 4)] },
    }
    const { stdout } = await usage(['--project', 'shop', '--since', '24h'], shop)
    expect(incomplete(stdout)).toEqual([expect.stringMatching(zone)])
  })

  it.each([
    ['of one application only', [ahead('web', 5)]],
    ['by different times', [ahead('web', 5), ahead('ios', 2)]],
    ['while another application is not', [ahead('web', 5), ahead('ios', 5), ahead('job', 0)]],
  ])('%s is of a wrong clock', async (_, uses) => {
    const { stdout } = await usage(['--project', 'shop', '--since', '24h'], { a: { usage: uses } })
    expect(incomplete(stdout)[0]).toMatch(/which is in the future$/)
  })
})
