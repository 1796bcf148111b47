import { describe, expect, it, test } from 'vitest'
import type { Flag } from '../../src/flags/flag.ts'
import { createSightings, lastUseOf } from '../../src/usage/last-use.ts'
import { DAY_MS, HOUR_MS, type LastUse, lastUseText, lastUseTime } from '../../src/output/time.ts'
import { recordsOf } from '../../src/flags/records.ts'
import { spanOf } from '../../src/flags/span.ts'
import { flagOf, hoursAgo, hoursOf, now, production, type RecordSeed, used } from '../flags/seed.ts'

const MINUTE = 60_000
const span = spanOf(hoursOf(48), now)

test.each<[LastUse, string, string]>([
  [{ time: now - 3 * MINUTE, length: 0 }, '3 min ago', '2026-11-20 16:37 UTC'],
  [{ time: now - 30_000, length: 0 }, 'just now', '2026-11-20 16:39 UTC'],
  [{ time: now + 4 * MINUTE, length: 0 }, 'just now', '2026-11-20 16:44 UTC'],
  [{ time: now + 130 * MINUTE, length: 0 }, 'in 2 h', '2026-11-20 18:50 UTC'],
  [
    { time: Date.UTC(2026, 10, 20, 16), length: HOUR_MS },
    'this hour',
    '2026-11-20 16:00–16:59 UTC',
  ],
  [{ time: Date.UTC(2026, 10, 20, 15), length: HOUR_MS }, '1 h ago', '2026-11-20 15:00–15:59 UTC'],
  [{ time: Date.UTC(2026, 10, 18, 23), length: HOUR_MS }, '41 h ago', '2026-11-18 23:00–23:59 UTC'],
  [{ time: Date.UTC(2026, 10, 20, 19), length: HOUR_MS }, 'in 2 h', '2026-11-20 19:00–19:59 UTC'],
  [{ time: Date.UTC(2026, 10, 20), length: DAY_MS }, 'today', '2026-11-20 UTC'],
  [{ time: Date.UTC(2026, 10, 17), length: DAY_MS }, '3 d ago', '2026-11-17 UTC'],
])('the last use %j is %j, or %j', (use, age, time) => {
  expect([lastUseText(use, now), lastUseTime(use)]).toEqual([age, time])
})

/** A flag that was seen in these environments this many hours ago. */
const seenIn = (places: Record<string, number>): Flag =>
  flagOf({
    environments: Object.entries(places).map(([name, hours]) => {
      return { name, type: name, enabled: true, lastSeenAt: hoursAgo(hours) }
    }),
  })

const usedOf = (seeds: readonly RecordSeed[]) => recordsOf([...seeds]).used
const [web, ios] = [used(2), used(2, { appName: 'ios' })]
const iosNow = used(0, { appName: 'ios' })
const inStaging = used(1, { environment: 'staging' })

describe('a sighting', () => {
  const by = { application: true, environment: true }
  const at = (hours: number) => now - hours * 60 * MINUTE
  const inProduction = { application: 'web', environment: 'production' }

  test.each<[string, readonly RecordSeed[], number, number | undefined]>([
    ['is of the only application that used the flag there in that hour', [web], 2, at(2)],
    ['is of it if it came some minutes after the hour', [web], 1.6, at(1.6)],
    ['is not of it if it came much later', [web], 0.5, undefined],
    ['is of none if several used the flag there in that hour', [web, ios], 2, undefined],
    ['is not of an application that used the flag before', [web, iosNow], 0.1, undefined],
  ])('%s', (_, records, hours, expected) => {
    const flag = flagOf(production(hours))
    expect(createSightings(flag, usedOf(records), { span }, by)(inProduction)).toBe(expected)
  })

  it('of an environment is of all its applications, or of all that the filter wants', () => {
    const flag = seenIn({ production: 0.1, staging: 1, other: 0.01 })
    const rows = { application: false, environment: true }
    const seen = (application?: string[], environment = 'production') => {
      const records = usedOf([web, iosNow, inStaging])
      const row = { application: undefined, environment }
      return createSightings(flag, records, { application, span }, rows)(row)
    }
    expect([seen(), seen(['ios']), seen(['web']), seen(['web'], 'staging')]).toEqual([
      at(0.1),
      at(0.1),
      undefined,
      at(1),
    ])
  })

  it('of a flag is the latest of the environments that the filter wants', () => {
    const flag = seenIn({ production: 0.1, staging: 1 })
    const seen = (environment?: string[]) => {
      const scope = { application: false, environment: false }
      const row = { application: undefined, environment: undefined }
      return createSightings(flag, [], { environment, span }, scope)(row)
    }
    expect([seen(), seen(['stag*'])]).toEqual([at(0.1), at(1)])
  })
})

describe('the last use of a flag', () => {
  const hour = Date.UTC(2026, 10, 20, 14)
  const byHour = { time: hour, length: HOUR_MS }
  const exact = { time: now - 2 * 60 * MINUTE, length: 0 }

  test.each<[string, readonly RecordSeed[], Record<string, number> | undefined, object]>([
    [
      'is an hour without a sighting',
      [web],
      undefined,
      { use: byHour, applications: ['web'], environments: ['production'] },
    ],
    [
      'is an hour if the sighting is older',
      [web],
      { production: 50 },
      { use: byHour, applications: ['web'], environments: ['production'] },
    ],
    [
      'is the sighting, with the applications of that hour there',
      [web, ios],
      { production: 2 },
      { use: exact, applications: ['ios', 'web'], environments: ['production'] },
    ],
    [
      'is the sighting in another environment, without an application',
      [used(3)],
      { production: 3, staging: 2 },
      { use: exact, applications: [], environments: ['staging'] },
    ],
    [
      'is the sighting of later usage, without an application',
      [used(5)],
      { production: 2 },
      { use: exact, applications: [], environments: ['production'] },
    ],
    [
      'is unknown if no time can be read',
      [used(2, { timestamp: 'soon' })],
      undefined,
      { use: undefined, applications: ['web'], environments: ['production'] },
    ],
  ])('%s', (_, records, places, expected) => {
    const [[environment, hours] = ['', 0]] = Object.entries(places ?? {}).sort(
      (a, b) => a[1] - b[1],
    )
    const seen = { time: now - hours * 60 * MINUTE, environments: [environment] }
    expect(lastUseOf(usedOf(records), places && seen, span)).toEqual(expected)
  })
  it('is a day before the hours of a long span, with the sighting of that day', () => {
    const long = spanOf(hoursOf(30 * 24), now, { keepsDays: true })
    const day = Date.UTC(2026, 10, 10)
    const records = usedOf([used(0, { timestamp: new Date(day).toISOString() })])
    const places = { applications: ['web'], environments: ['production'] }
    expect(lastUseOf(records, undefined, long)).toEqual({
      use: { time: day, length: DAY_MS },
      ...places,
    })
    const time = day + 20 * HOUR_MS
    expect(lastUseOf(records, { time, environments: ['production'] }, long)).toEqual({
      use: { time, length: 0 },
      ...places,
    })
  })
})
