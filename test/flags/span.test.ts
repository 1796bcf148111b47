import { describe, expect, it, test } from 'vitest'
import { hourlyCoverage, durationText, hoursBack, sinceText, spanOf } from '../../src/flags/span.ts'
import { ageText } from '../../src/output/time.ts'
import { hoursOf } from './seed.ts'

const HOUR = 3_600_000
const now = Date.UTC(2026, 10, 21, 16, 59)

test.each([
  [HOUR, 2],
  [HOUR + 1, 3],
  [47 * HOUR, 48],
  [48 * HOUR, 48],
  [72 * HOUR, 48],
])('a span of %i ms takes %i hours', (milliseconds, expected) => {
  expect(hoursBack(spanOf({ text: '', milliseconds }, now), now)).toBe(expected)
})

it('a span takes one hour more if it begins while flags are read, up to 48', () => {
  const later = now + HOUR
  expect(hoursBack(spanOf(hoursOf(1), now), later)).toBe(3)
  expect(hoursBack(spanOf(hoursOf(47), now), later)).toBe(48)
})

/** The starts of hours, counted back from the current one. */
const hours = (...ago: number[]) =>
  ago.map((hoursAgo) => Math.floor(now / HOUR) * HOUR - hoursAgo * HOUR)

/** What records cover of a span of this many hours. */
function coverage(times: readonly number[], asked: number, isEmpty = times.length === 0) {
  const span = spanOf(hoursOf(asked), now)
  return hourlyCoverage(times, isEmpty, hoursBack(span, now), span)
}

const all = Array.from({ length: 48 }, (_, hoursAgo) => hoursAgo)

test.each([
  ['all its hours', hours(1, 0), 1, true],
  ['fewer hours than requested, but all of its own', hours(0), 0.9, true],
  ['fewer hours than its own', hours(0), 1, false],
  ['hours of an old answer', hours(3, 2), 1, false],
  ['hours to come', hours(-2, -3), 1, false],
  ['no records, for a span that every service keeps', [], 48, true],
  ['all hours that the service keeps', hours(...all), 48, true],
  ['all hours that the service keeps, for a longer span', hours(...all), 49, false],
  ['24 hours for an unsupported number', hours(...all.slice(0, 24)), 72, false],
  ['no records, for a longer span', [], 49, false],
])('with %s, a span of %j h is covered: %j', (_, times, asked, isWhole) => {
  expect(coverage(times, asked).isWhole).toBe(isWhole)
})

it('what is covered begins with the oldest hour, or the oldest one requested without records', () => {
  expect(coverage(hours(2, 0, 1), 2).from).toBe(Date.UTC(2026, 10, 21, 14))
  expect(coverage([], 1).from).toBe(Date.UTC(2026, 10, 21, 15))
})

it('what is covered is unknown if no time can be read', () => {
  const { from, isWhole } = coverage([], 1, false)
  expect([from, isWhole]).toEqual([undefined, false])
  expect(sinceText({ from })).toBe('in the hours that the service covers')
})

describe('text', () => {
  test.each([
    [59_999, '59s'],
    [60_000, '1m'],
    [HOUR + 59_000, '1h'],
    [47 * HOUR + 10 * 60_000, '47h 10m'],
    [73 * HOUR, '73h'],
  ])('the text of a duration of %i ms is %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text)
  })

  test.each([
    [-5000, '0 min'],
    [59 * 60_000, '59 min'],
    [47.9 * HOUR, '47 h'],
    [49 * HOUR, '2 d'],
    [60 * 24 * HOUR, '60 d'],
    [61 * 24 * HOUR, '2 mo'],
    [364 * 24 * HOUR, '11 mo'],
    [365 * 24 * HOUR, '1.0 y'],
    [1299 * 24 * HOUR, '3.6 y'],
  ])('the text of an age of %i ms is %s', (milliseconds, text) => {
    expect(ageText(milliseconds)).toBe(text)
  })
})
