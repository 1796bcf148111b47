import { describe, expect, it, test } from 'vitest'
import type { UsageFilter } from '../../src/feature/evidence.ts'
import type { Flag } from '../../src/feature/flags.ts'
import { flagOf, hoursAgo, production, type RecordSeed, used, usageOf, zeros } from './seed.ts'

const cut = 'the service reports only 100 applications of this flag, and there may be more'
const hundred = Array.from({ length: 100 }, (_, index) => `app-${index}`)
const environments = (...all: [name: string, lastSeenAt: string | null][]) => ({
  environments: all.map(([name, lastSeenAt]) => ({ name, enabled: false, lastSeenAt })),
})

interface Case {
  flag?: Partial<Flag>
  records?: readonly RecordSeed[]
  filter?: UsageFilter & { asked?: number }
}

describe('usage is free of doubt', () => {
  test.each<[string, Case]>([
    ['without records', {}],
    ['if the flag was last seen before the span began', { flag: production(48.1) }],
    ['if it has usage', { records: [...zeros(), used(3)] }],
    ['if nothing is filed in another environment', { filter: { environment: ['prod*'] } }],
    ['if every hour is covered, for an application', { filter: { app: ['web'], asked: 24 } }],
    [
      'if every hour is covered, although nothing is known about sightings',
      { flag: production(undefined), filter: { asked: 24 } },
    ],
  ])('%s', (_, { flag, records = [], filter }) => {
    expect(usageOf(flagOf(flag), records, filter).doubts).toEqual([])
  })
})

describe('usage is in doubt', () => {
  test.each<[string, Case, string]>([
    [
      'if a part of an hour is not covered and the service does not report sightings',
      { flag: production(undefined) },
      'the hourly figures begin 20m after the start of the 48h requested, and the service does not report when it was last seen (--since 47h needs only the hours)',
    ],
    [
      'if a part of an hour is not covered, for an application',
      { filter: { app: ['web'] } },
      'the hourly figures begin 20m after the start of the 48h requested, and the service does not report when an application last used it (--since 47h needs only the hours)',
    ],
    [
      'if the service returns fewer hours',
      { records: zeros({}, 24), filter: { asked: 72 } },
      'the service covers only 23h 40m of the 3d requested (since 2026-11-19 17:00 UTC)',
    ],
    [
      'if the answer is old',
      { records: zeros().slice(3), filter: { asked: 24 } },
      'the figures of the service end at 2026-11-20 13:00 UTC',
    ],
    [
      'if no time can be read',
      { records: [used(0, { timestamp: 'soon' })] },
      'it is not known whether the service covers the 48h requested',
    ],
    [
      'if a record has no counts',
      { records: [...zeros(), used(1, { yes: null, no: null })] },
      'a record has neither of the counts yes and no, or a negative one',
    ],
    [
      'if a count is negative',
      { records: [...zeros(), used(1, { yes: -1, no: 1 })] },
      'a record has neither of the counts yes and no, or a negative one',
    ],
    [
      'if usage has no application, for an application',
      { records: [used(3, { appName: null })], filter: { app: ['web'], asked: 1 } },
      'there is usage without the application or environment that the filters ask for',
    ],
    [
      'if usage has an empty environment, for an environment',
      { records: [used(3, { environment: '' })], filter: { environment: ['production'] } },
      'there is usage without the application or environment that the filters ask for',
    ],
    [
      'if the service lists an application and an environment without usage',
      { records: zeros() },
      'the service has usage by web in production that is missing from the hourly figures since 2026-11-18 17:00 UTC: the clock of an application may be ahead',
    ],
    [
      'if the service lists 100 applications, not all with usage',
      { records: hundred.flatMap((appName) => zeros({ appName })) },
      cut,
    ],
    [
      'if the service lists 100 applications, for an application',
      {
        records: hundred.map((appName) => used(3, { appName })),
        filter: { app: ['web'], asked: 1 },
      },
      cut,
    ],
    [
      'if the flag was seen where an application has no usage',
      { flag: production(5), filter: { app: ['web'], asked: 24 } },
      'the service saw the flag in production at 2026-11-20 11:40 UTC, but has no usage of it there since 2026-11-19 16:00 UTC',
    ],
    [
      'if the flag was seen somewhere, for an environment',
      {
        flag: { ...production(undefined), lastSeenAt: hoursAgo(5) },
        filter: { environment: ['production'], asked: 24 },
      },
      'the service saw the flag at 2026-11-20 11:40 UTC, but has no usage of it there since 2026-11-19 16:00 UTC',
    ],
    [
      'if the flag was created after the span began',
      { flag: { createdAt: hoursAgo(47.9) } },
      'created 47h ago, after the start of the 48h requested',
    ],
  ])('%s', (_, { flag, records = [], filter }, doubt) => {
    expect(usageOf(flagOf(flag), records, filter).doubts).toContain(doubt)
  })
})

describe('a sighting is usage', () => {
  test.each<[string, Partial<Flag>, UsageFilter, boolean]>([
    ['in the part of the span without hours', production(47.9), {}, true],
    ['in the span', production(1), {}, true],
    ['unless it was before the span', production(48.1), {}, false],
    ['of the flag itself', { ...production(undefined), lastSeenAt: hoursAgo(1) }, {}, true],
    ['in the environment asked for', production(1), { environment: ['p*'] }, true],
    ['unless it was in another one', production(1), { environment: ['dev'] }, false],
    ['unless an application is asked for', production(1), { app: ['web'] }, false],
    [
      'in any environment',
      environments(['development', hoursAgo(47.9)], ['production', hoursAgo(100)]),
      {},
      true,
    ],
  ])('%s', (_, flag, filter, isSeen) => {
    expect(usageOf(flagOf(flag), [], filter).isSeen).toBe(isSeen)
  })
})

it('adds up what the filters keep, by environment', () => {
  const records = [
    used(3),
    used(3, { appName: 'ios' }),
    used(5, { environment: 'development', yes: 10 }),
    used(3, { appName: 'ios', environment: null, yes: 0 }),
  ]
  expect(usageOf(flagOf(), records)).toMatchObject({
    totals: { enabled: 16, disabled: 4 },
    lastUsed: Date.UTC(2026, 10, 20, 13),
    applications: ['ios', 'web'],
    environments: ['production'],
    byEnvironment: [
      { name: 'production', enabled: 6, disabled: 2, lastUsed: Date.UTC(2026, 10, 20, 13) },
      { name: 'development', enabled: 10, disabled: 1, lastUsed: Date.UTC(2026, 10, 20, 11) },
      { name: undefined, enabled: 0, disabled: 1, lastUsed: Date.UTC(2026, 10, 20, 13) },
    ],
  })
  expect(usageOf(flagOf(), records, { app: ['ios'], environment: ['prod*'] })).toMatchObject({
    totals: { enabled: 3, disabled: 1 },
    isUsed: true,
  })
})

it('takes counts that cancel each other out, and those of variants alone, for usage', () => {
  expect(usageOf(flagOf(), [used(1, { yes: 1, no: -1 })]).isUsed).toBe(true)
  const variants = { ...used(1, { yes: 0, no: 0 }), variants: [{ name: 'blue', count: 1 }] }
  expect(usageOf(flagOf(), [variants]).isUsed).toBe(true)
})
