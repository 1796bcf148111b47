import { describe, expect, it, test } from 'vitest'
import { daysAgo, feature, type FeatureWorld, type FlagSeed } from '../flags/service.ts'

const days = { keepsDays: true }

/** The review of a flag, by a service that keeps days. */
async function reviewed(seed: FlagSeed, argv: readonly string[] = [], world: FeatureWorld = days) {
  const outcome = await feature(
    ['review', 'flag', '--project', 'shop', '--json', '--quiet', ...argv],
    { shop: { flag: seed, steady } },
    world,
  )
  const [row] = JSON.parse(outcome.stdout).flags
  const read = outcome.asked
    .filter((path) => path.includes('features/flag/raw?'))
    .map((path) => path.split('?')[1])
  return { ...outcome, row, read }
}

/** A job that runs once a month. */
const monthly: FlagSeed = {
  production: { seen: 40 },
  days: [{ daysAgo: 10, yes: 36_000, no: 0, appName: 'billing' }],
}

/** A flag that shows which days the service has. */
const steady: FlagSeed = {
  production: { seen: 0.01 },
  days: Array.from({ length: 90 }, (_, index) => ({ daysAgo: index + 1, yes: 1, no: 0 })),
}

describe('usage of days', () => {
  it('makes a flag in use that the hours do not show', async () => {
    const { row, read } = await reviewed(monthly)
    expect(row).toMatchObject({ verdict: 'in-use', usage: 'used', yes: 36_000 })
    expect(row.reasons).toEqual([
      '36,000 evaluations in 30 d',
      'last used 10 d ago by billing in production',
    ])
    // From the start of the day 30 days ago, and all hours.
    expect(read.toSorted()).toEqual(['hoursBack=48', 'hoursBack=737'])
    const shown = await feature(
      ['review', '--project', 'shop'],
      { shop: { flag: monthly, steady } },
      days,
    )
    expect(shown.stdout).toContain(', since 2026-10-21 (30 UTC days; hours for the last two)\n')
  })

  it('and of hours are added up, and no day counts twice', async () => {
    const { row } = await reviewed({
      usage: [
        { hoursAgo: 2, yes: 1, no: 0 },
        // Yesterday, which the days have as well.
        { hoursAgo: 20, yes: 10, no: 0 },
      ],
      days: [
        { daysAgo: 1, yes: 10, no: 0 },
        { daysAgo: 2, yes: 100, no: 0 },
        { daysAgo: 30, yes: 1_000, no: 0 },
        // Before the span.
        { daysAgo: 31, yes: 10_000, no: 0 },
      ],
    })
    expect(row.yes).toBe(1_111)
  })

  it('is not asked for if the service does not keep it, or for up to 48 hours', async () => {
    const without = await reviewed(monthly, [], {})
    expect(without.row.verdict).toBe('removable')
    expect(without.read).toEqual(['hoursBack=48'])
    const short = await reviewed(monthly, ['--since', '48h'])
    expect(short.read).toEqual(['hoursBack=48'])
    expect(short.asked).not.toContain('ui-config')
  })

  it('is not believed if the service returns hours instead', async () => {
    const seed = { usage: [{ hoursAgo: 2, yes: 5, no: 3 }] }
    const world = { keepsDays: true, ignoresDays: true }
    const { row } = await reviewed(seed, ['--since', '90d'], world)
    expect(row).toMatchObject({ yes: 5, from: '2026-11-18T17:00:00.000Z' })
  })

  it('without figures proves that the flag was not used', async () => {
    const { row } = await reviewed({ production: { seen: 100 } }, ['--since', '90d'])
    expect(row).toMatchObject({ verdict: 'removable', from: '2026-08-22T00:00:00.000Z' })
    const { row: longer } = await reviewed({}, ['--since', '91d'])
    expect(longer.reasons[0]).toMatch(/ 90 of 91 days /)
  })
})

test.each<[string, string[], FeatureWorld, string]>([
  ['a service that keeps no days', ['--since', '90d'], {}, 'unclear'],
  ['a service that keeps no days, by default', [], {}, 'removable'],
  ['a service that keeps days, by default', [], days, 'removable'],
])('a flag without usage, on %s', async (_, argv, world, verdict) => {
  expect((await reviewed({}, argv, world)).row.verdict).toBe(verdict)
})

describe('by default', () => {
  it('a flag is too recent for 30 days', async () => {
    const seen = await reviewed({ production: { seen: 29 } }, [], {})
    expect(seen.row.reasons[0]).toBe('too recent until 2026-11-21 16:10 UTC (--not-seen-for 30d)')
    expect((await reviewed({ production: { seen: 31 } }, [], {})).row.verdict).toBe('removable')
    // With days, the span is as long.
    expect((await reviewed({ production: { seen: 29 } })).row.verdict).toBe('in-use')
  })

  it('a flag that is younger than the span, but not too recent, may be removable', async () => {
    const young = {
      createdAt: daysAgo(10),
      own: { lifecycle: { stage: 'initial', enteredStageAt: daysAgo(9.9) } },
    }
    const { row } = await reviewed(young, ['--not-seen-for', '7d'])
    expect(row.verdict).toBe('removable')
    const explicit = await reviewed(young, ['--not-seen-for', '7d', '--since', '30d'])
    expect(explicit.row.reasons[0]).toBe('younger than the 30 d looked at')
  })
})

describe('feature usage over days', () => {
  const seed = {
    shop: {
      flag: {
        usage: [{ hoursAgo: 2, yes: 1, no: 1 }],
        days: [
          { daysAgo: 10, yes: 36_000, no: 0, appName: 'billing' },
          { daysAgo: 40, yes: 35_000, no: 0, appName: 'billing' },
        ],
      },
      steady,
    },
  }
  const usage = (argv: readonly string[], world: FeatureWorld = days) =>
    feature(['usage', 'flag', '--project', 'shop', ...argv], seed, world)

  it('adds up days and hours', async () => {
    const { stdout } = await usage(['--since', '30d'])
    expect(stdout).toContain(', since 2026-10-21 (30 UTC days; hours for the last two)\n')
    expect(stdout).toMatch(/\nbilling +production +36,000 +0 +36,000 +100\.0% +10 d ago\n/)
    expect(stdout).toMatch(/\nweb +production +1 +1 +2 +50\.0% +2 h ago\n/)
    expect((await usage(['--since', '90d'])).stdout).toMatch(/\nbilling +production +71,000 /)
  })

  it('has a row for each day', async () => {
    const { stdout } = await usage(['--since', '90d', '--by', 'day', '-o', 'jsonl'])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ timestamp, enabled }) => `${timestamp} ${enabled}`)).toEqual([
      '2026-10-11T00:00:00.000Z 35000',
      '2026-11-10T00:00:00.000Z 36000',
      '2026-11-20T00:00:00.000Z 1',
    ])
    const { code, stderr } = await usage(['--since', '49h', '--by', 'hour'])
    expect([code, stderr]).toEqual([
      2,
      'error: --by hour covers at most 48h\nhint: use --by day, or --since 48h\n',
    ])
  })

  it('has a label for each day in OpenMetrics', async () => {
    const { stdout } = await usage(['--since', '30d', '--by', 'day', '-o', 'openmetrics'])
    expect(stdout).toContain(',day="2026-11-10",span="30d",result="enabled"} 36000\n')
    expect(stdout).not.toContain('hour=')
  })

  it('as JSON is both documents of the service, one per line', async () => {
    const { stdout } = await usage(['--since', '30d', '--json'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ data }) => data.at(-1).timestamp)).toEqual([
      '2026-11-20T16:00:00.000Z',
      '2026-10-20T23:59:59.999Z',
    ])
  })

  it('says how much a service without days keeps', async () => {
    const { stdout } = await usage(['--since', '90d'], {})
    expect(stdout).toContain(
      'since 2026-11-18 17:00 UTC (47h 10m of 90 days: this Unleash keeps two days of hours)\n',
    )
  })
})
