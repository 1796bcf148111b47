import { expect, it, test } from 'vitest'
import type { UsageFilter } from '../../src/flags/selection.ts'
import type { Flag } from '../../src/flags/flag.ts'
import { spanOf } from '../../src/flags/span.ts'
import { coveredUsage } from '../../src/review/usage-evidence.ts'
import {
  flagOf,
  hoursAgo,
  hoursOf,
  now,
  production,
  type RecordSeed,
  used,
  usageOf,
  zeros,
} from '../flags/seed.ts'

const cut = 'the service reports only 100 applications of a flag, and there may be more'
const hundred = Array.from({ length: 100 }, (_, index) => `app-${index}`)
const inStaging = (appName: string) => used(3, { appName, environment: 'staging' })
const unnamed = 'there is usage without the application or environment that the filters ask for'
const uncounted = 'a record has neither of the counts yes and no, or a negative one'
const gap = 'the hourly figures begin 20m late (48 h requested)'
const byWeb = { application: ['web'] }
const inProduction = { environment: ['production'] }

interface Case {
  flag?: Partial<Flag>
  records?: readonly RecordSeed[]
  filter?: UsageFilter & { asked?: number }
}

function doubtsOf({ flag: fields, records = [], filter: { asked = 48, ...filter } = {} }: Case) {
  const flag = flagOf(fields)
  const usage = usageOf(flag, records, { asked, ...filter })
  const days = { from: undefined, holes: [], isCertain: true }
  const span = spanOf(hoursOf(asked), now)
  return coveredUsage(flag, usage, { span, days, ahead: undefined, ...filter }).doubts
}

test.each<[string, Case]>([
  ['without records', {}],
  ['if the flag was last seen before the span began', { flag: production(48.1) }],
  [
    'if another application used it where it was seen',
    {
      flag: production(5),
      records: [...zeros({ appName: 'ios' }), used(3, { appName: 'ios' })],
      filter: { ...byWeb, asked: 24 },
    },
  ],
  ['if it was created before the span began', { flag: { createdAt: hoursAgo(48.1) } }],
  ['if it has usage', { records: [...zeros(), used(3)] }],
  ['if every hour is covered, for an application', { filter: { ...byWeb, asked: 24 } }],
  [
    'if every hour is covered, although nothing is known about sightings',
    { flag: production(undefined), filter: { asked: 24 } },
  ],
])('usage is free of doubt %s', (_, seed) => {
  expect(doubtsOf(seed)).toEqual([])
})

test.each<[string, Case, string]>([
  [
    'a part of an hour is not covered and the service does not report sightings',
    { flag: production(undefined) },
    `${gap}, and the service does not report when it was last seen (--since 47h needs only the hours)`,
  ],
  [
    'a part of an hour is not covered, for an application',
    { filter: byWeb },
    `${gap}, and the service does not report when an application last used it (--since 47h needs only the hours)`,
  ],
  [
    'the service returns fewer hours',
    { records: zeros({}, 24), filter: { asked: 72 } },
    'the service covers only 23h 40m of the 72 h requested (since 2026-11-19 17:00 UTC)',
  ],
  [
    'the answer is old',
    { records: zeros().slice(3), filter: { asked: 24 } },
    'it is not known whether the service covers the 24 h requested',
  ],
  [
    'no time can be read',
    { records: [used(0, { timestamp: 'soon' })] },
    'it is not known whether the service covers the 48 h requested',
  ],
  [
    'a record has no counts',
    { records: [...zeros(), used(1, { yes: null, no: null })] },
    uncounted,
  ],
  ['a count is negative', { records: [...zeros(), used(1, { yes: -1, no: 1 })] }, uncounted],
  [
    'usage has no application, for an application',
    { records: [used(3, { appName: null })], filter: { ...byWeb, asked: 1 } },
    unnamed,
  ],
  [
    'usage has an empty environment, for an environment',
    { records: [used(3, { environment: '' })], filter: inProduction },
    unnamed,
  ],
  [
    'the service lists an application and an environment without usage',
    { records: zeros() },
    'the service has usage by web in production that is missing from the hourly figures since 2026-11-18 17:00 UTC: the clock of an application may be ahead',
  ],
  [
    'the service lists 100 applications, not all with usage',
    { records: hundred.flatMap((appName) => zeros({ appName })) },
    cut,
  ],
  [
    'the service lists 100 applications, for an application',
    { records: hundred.map((appName) => used(3, { appName })), filter: { ...byWeb, asked: 1 } },
    cut,
  ],
  [
    'the service lists 100 applications, for an environment that they do not use',
    { records: hundred.map(inStaging), filter: inProduction },
    cut,
  ],
  [
    'the flag was seen where an application has no usage',
    { flag: production(5), filter: { ...byWeb, asked: 24 } },
    'the service saw the flag in production at 2026-11-20 11:40 UTC, but has no usage of it there since 2026-11-19 16:00 UTC',
  ],
  [
    'the flag was seen somewhere, for an environment',
    {
      flag: { ...production(undefined), lastSeenAt: hoursAgo(5) },
      filter: { ...inProduction, asked: 24 },
    },
    'the service saw the flag at 2026-11-20 11:40 UTC, but has no usage of it there since 2026-11-19 16:00 UTC',
  ],
  [
    'the flag was created after the span began',
    { flag: { createdAt: hoursAgo(47.9) } },
    'younger than the 48 h looked at',
  ],
])('usage is in doubt if %s', (_, seed, doubt) => {
  expect(doubtsOf(seed)).toContain(doubt)
})

it('adds up what the filters keep, by environment and hour', () => {
  const records = [
    used(3),
    used(3, { appName: 'ios' }),
    used(5, { environment: 'development', yes: 10 }),
    used(3, { appName: 'ios', environment: null, yes: 0 }),
  ]
  const [at13, at11] = [13, 11].map((hour) => Date.UTC(2026, 10, 20, hour))
  const { hourly, ...evidence } = usageOf(flagOf(), records)
  expect(evidence).toMatchObject({
    totals: { enabled: 16, disabled: 4 },
    lastUsed: at13,
    lastUse: {
      use: { time: at13, length: 3_600_000 },
      applications: ['ios', 'web'],
      environments: ['production'],
    },
    byEnvironment: [
      { name: 'production', enabled: 6, disabled: 2, lastUsed: at13 },
      { name: 'development', enabled: 10, disabled: 1, lastUsed: at11 },
      { name: undefined, enabled: 0, disabled: 1, lastUsed: at13 },
    ],
  })
  expect([hourly.length, hourly.slice(-6)]).toEqual([48, [11, 0, 9, 0, 0, 0]])
  expect(
    usageOf(flagOf(), records, { application: ['ios'], environment: ['prod*'] }),
  ).toMatchObject({
    totals: { enabled: 3, disabled: 1 },
    isUsed: true,
  })
})

it('counts as usage what cancels out, and what only variants have', () => {
  expect(usageOf(flagOf(), [used(1, { yes: 1, no: -1 })]).isUsed).toBe(true)
  const variants = { ...used(1, { yes: 0, no: 0 }), variants: [{ name: 'blue', count: 1 }] }
  expect(usageOf(flagOf(), [variants]).isUsed).toBe(true)
})
