import { describe, expect, it, test } from 'vitest'
import { daysAgo, type FlagSeed, review } from './service.ts'

/** The verdict on a flag beside others of its project. */
async function verdictOn(
  seed: FlagSeed,
  argv: readonly string[] = [],
  others: Record<string, FlagSeed> = {},
  hours?: number,
) {
  const world = hours === undefined ? {} : { hours }
  const { stdout } = await review(
    ['--json', '--quiet', '--retries', '0', '--name', 'flag', ...argv],
    { shop: { flag: seed, ...others } },
    world,
  )
  return JSON.parse(stdout).flags[0]
}

const since = 'since 2026-11-18 17:00 UTC'

describe('a flag is removable', () => {
  test.each<[string, FlagSeed, string[]]>([
    [
      'that was never seen',
      {},
      [`no usage ${since}`, 'off everywhere, never seen, created 300 d ago'],
    ],
    [
      'that is on but was last seen before --not-seen-for',
      { production: { on: true, seen: 8 } },
      [`no usage ${since}`, 'on in production, last seen 8 d ago, created 300 d ago'],
    ],
    [
      'of which every dependency is known',
      { dependencies: [], children: [] },
      [`no usage ${since}`, 'off everywhere, never seen, created 300 d ago'],
    ],
  ])('%s', async (_, seed, reasons) => {
    expect(await verdictOn(seed)).toMatchObject({ verdict: 'removable', reasons })
  })
})

describe('a flag is in use', () => {
  test.each<[string, FlagSeed, string[]]>([
    [
      'that was used in the span',
      {
        usage: [
          [3, 2, 1],
          [47, 1000, 0],
        ],
      },
      ['1,003 evaluations, last used in the hour from 2026-11-20 13:00 UTC by web in production'],
    ],
    [
      'that was used, even if it is known to have been seen long ago',
      { production: { seen: 30 }, usage: [[46, 0, 1]] },
      ['1 evaluation, last used in the hour from 2026-11-18 18:00 UTC by web in production'],
    ],
    [
      'that was last seen in the span, in any environment',
      { production: { on: true, seen: 30 }, development: { seen: 1.9 } },
      ['on in production, last seen 1 d ago'],
    ],
  ])('%s', async (_, seed, reasons) => {
    expect(await verdictOn(seed)).toMatchObject({ verdict: 'in use', reasons })
  })
})

describe('a flag is unclear', () => {
  test.each<[string, FlagSeed, string[]]>([
    [
      'that was last seen within --not-seen-for',
      { production: { on: true, seen: 5 } },
      [
        'on in production, last seen 5 d ago',
        'too recent until 2026-11-22 16:10 UTC (--not-seen-for 7 d)',
      ],
    ],
    [
      'that is too young',
      { createdAt: daysAgo(0.1) },
      [
        'off everywhere, never seen, created 2 h ago',
        'too recent until 2026-11-27 13:46 UTC (--not-seen-for 7 d)',
      ],
    ],
    [
      'whose age is not known',
      { createdAt: null },
      ['off everywhere, never seen', 'the service does not report when it was created'],
    ],
    [
      'of which the service does not report when it was seen',
      { production: { seen: undefined } },
      ['off everywhere', 'the service does not report when it was last seen'],
    ],
    [
      'whose last use has no readable time',
      { environments: [{ name: 'production', enabled: true, lastSeenAt: 'recently' }] },
      ['on in production', 'the service does not report when it was last seen'],
    ],
    [
      'whose usage cannot be read',
      { status: 500 },
      ['off everywhere, never seen', 'the usage could not be read: 500: database is down'],
    ],
    [
      'with a record without counts',
      { usage: [[3, null, null]] },
      [
        'off everywhere, never seen',
        `the service has usage by web in production that is missing from the hourly figures ${since}: the clock of an application may be ahead`,
        'a record has neither of the counts yes and no, or a negative one',
      ],
    ],
    [
      'that others depend on',
      { children: ['other'], dependencyType: 'parent' },
      ['off everywhere, never seen', 'other depends on it'],
    ],
    [
      'that unnamed others depend on',
      { dependencyType: 'parent' },
      ['off everywhere, never seen', 'another flag depends on it'],
    ],
  ])('%s', async (_, seed, reasons) => {
    expect(await verdictOn(seed)).toMatchObject({ verdict: 'unclear', reasons })
  })

  test('that others list as a dependency', async () => {
    const others = {
      b: { dependencies: [{ feature: 'flag' }] },
      a: { dependencies: [{ feature: 'flag' }, { feature: 'b' }] },
    }
    expect(await verdictOn({ dependencies: [] }, [], others)).toMatchObject({
      verdict: 'unclear',
      reasons: ['off everywhere, never seen', 'a, b depend on it'],
      hasDependents: true,
      dependents: ['a', 'b'],
    })
  })

  test('if the service covers only a part of the span', async () => {
    const seed: FlagSeed = { production: { seen: 30 }, usage: [[40, 1, 0]] }
    expect(await verdictOn(seed, [], {}, 24)).toMatchObject({
      verdict: 'unclear',
      reasons: [
        'off everywhere, last seen 30 d ago',
        'the service covers only 23 h 10 min of the 48 h requested (since 2026-11-19 17:00 UTC)',
        expect.stringMatching(/^the service has usage by web in production/),
      ],
    })
  })
})

describe('a flag is permanent', () => {
  test.each(['kill-switch', 'permission'])('of the type %s, used or not', async (type) => {
    const permanent = { verdict: 'permanent', reasons: [`type ${type}`] }
    expect(await verdictOn({ type, usage: [[1, 1, 1]] })).toMatchObject(permanent)
    expect(await verdictOn({ type, status: 500 })).toMatchObject(permanent)
    expect(await verdictOn({ type }, ['--include-permanent'])).toMatchObject({
      verdict: 'removable',
    })
  })
})

describe('a release flag that is on for everyone', () => {
  const on = { on: true, seen: 0 }
  const old: FlagSeed = {
    createdAt: daysAgo(62.5),
    production: on,
    development: on,
    usage: [[1, 7, 0]],
  }
  const use = '7 evaluations, last used in the hour from 2026-11-20 15:00 UTC by web in production'
  const advice = 'on everywhere for 62 d: make it permanent in code'

  it('should become permanent after its expected lifetime', async () => {
    expect(await verdictOn(old)).toMatchObject({ verdict: 'in use', reasons: [use, advice] })
  })

  test.each<[string, FlagSeed]>([
    ['is younger', { createdAt: daysAgo(39) }],
    ['has another type', { type: 'experiment' }],
    ['is off in an environment', { development: { on: false, seen: 0 } }],
  ])('is not advised to if it %s', async (_, changed) => {
    expect(await verdictOn({ ...old, ...changed })).toMatchObject({
      verdict: 'in use',
      reasons: [use],
    })
  })

  it('is not advised to if some evaluations were disabled', async () => {
    const { reasons } = await verdictOn({ ...old, usage: [[1, 6, 1]] })
    expect(reasons).toEqual([use])
  })
})
